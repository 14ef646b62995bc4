/**
 * A project in which everything that more than reads shows: programs with the names of the usual ones that write down that they ran, files
 * that are named like options, links that lead out. Beside it, in `outside`, is what nothing may print.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readingCommands } from '../../src/permissions/reading/reading-table.ts'

const END = '<end of a line>'

/** Part of the name and of the text of everything outside of the project. */
export const CANARY = 'canary'

/** The name of a file two folders below, its text, and the text of a file that a rule may deny. */
export const DEEP_NAME = 'deep-name'
export const DEEP_TEXT = 'deep-text'
export const DENIED = 'denied-text'

export type TrappedRun = {
  /** The text on its output and its errors. */
  output: string
  /** The traps that ran. */
  ran: readonly string[]
  /** The differences after the line: variables, functions, options, the folder, files. */
  changes: readonly string[]
}

export type TrappedFolder = {
  folder: string
  home: string
  run: (shell: Shell, line: string) => TrappedRun
  /** The output of bash for each line, with its errors. The programs are those of one folder. Throws if a line changes a file. */
  outputs: (lines: readonly string[], bin: string) => ReadonlyMap<string, string>
  remove: () => void
}

export type Shell = 'bash' | 'dash' | 'zsh' | 'mksh' | 'ksh93' | 'busybox'

export const shells: readonly Shell[] = ['bash', 'dash', 'zsh', 'mksh', 'ksh93', 'busybox']

/** The path of a shell; null where it is not installed. */
export function pathOfShell(shell: Shell): string | null {
  return ['/bin', '/usr/bin', '/usr/local/bin'].map(at => join(at, shell)).find(existsSync) ?? null
}

/** The state of a shell, in its own words. Only builtins: PATH may be what changed. */
const probes: Readonly<Record<Shell, string>> = {
  bash: 'export -p; declare -f; alias; set +o; shopt; trap; pwd -P',
  dash: 'export -p; alias; set -o; trap; pwd -P',
  mksh: 'export -p; typeset -f; alias; set -o; trap; pwd -P',
  // It exports a variable of its own with the first command that asks for it.
  ksh93: 'unset _AST_FEATURES; export -p; typeset -f; alias; set -o; trap; pwd -P',
  busybox: 'export -p; alias; set -o; trap; pwd -P',
  zsh: 'export -p; functions; alias; set -o; trap; pwd -P; print -r -- "$PATH" "$CDPATH" "$FPATH" "$MODULE_PATH" "$NULLCMD"',
}

const traps = [...Object.keys(readingCommands), 'find', 'git', 'rm', 'evil', 'touch', 'sh', 'test', 'more', 'env']

export function makeTrappedFolder(): TrappedFolder {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-traps-')))
  const folder = join(home, 'project')
  const log = join(home, 'log')
  const bin = join(home, 'bin')
  const write = (path: string, text: string, mode = 0o644): void => writeFileSync(join(folder, path), text, { mode })
  const trap = (at: string, name: string): void =>
    writeFileSync(join(at, name), `#!/bin/sh\necho '${name}' >>${log}\n`, { mode: 0o755 })
  for (const path of ['0', '10', 'sub/deep', '~', 'links', 'twin', 'inner'])
    mkdirSync(join(folder, path), { recursive: true })
  mkdirSync(join(home, 'outside', `${CANARY}-folder`), { recursive: true })
  mkdirSync(bin)
  writeFileSync(join(home, 'outside', `${CANARY}-name`), `${CANARY} text\n`)
  writeFileSync(join(home, 'outside', 'plain'), `${CANARY} text\n`)
  for (const at of [folder, join(folder, '0'), join(folder, '10')]) for (const name of traps) trap(at, name)
  for (const name of ['rm', 'evil', 'touch', 'more', 'env']) trap(bin, name)
  for (const name of [
    'README',
    'a',
    '-x',
    '-rf',
    '--pre=evil',
    '--files0-from=links',
    'a b',
    '=ls',
    'PATH=0',
    'x[1]',
    '~/a',
  ])
    write(name, `${name}\nsecond line\n`)
  for (const name of ['sub/a', 'sub/b', 'sub/deep/a', 'a.ts', 'b.ts']) write(name, `${name}\n`)
  // In both folders `diff` finds the same name, once behind a link that leads out and once behind one that does not.
  write('twin/plain', 'twin\n')
  write('inner/plain', 'inner\n')
  symlinkSync('../README', join(folder, 'inner', 'link'))
  write('twin/link', 'twin\n')
  write(`sub/deep/${DEEP_NAME}`, `${DEEP_TEXT}\n`)
  write('secret.env', `${DENIED}\n`)
  symlinkSync('../../outside', join(folder, 'links', 'out'))
  symlinkSync('../../outside/plain', join(folder, 'links', 'plain'))
  symlinkSync('../sub', join(folder, 'links', 'in'))

  const run = (shell: Shell, line: string): TrappedRun => {
    const [first, last] = [join(home, 'before'), join(home, 'after')]
    for (const path of [log, first, last]) writeFileSync(path, '')
    const files = snapshot(folder)
    const probe = (to: string): string => `{ ${probes[shell]}; } >${to} 2>&1`
    const done = spawnSync(
      pathOfShell(shell) ?? shell,
      [...(shell === 'busybox' ? ['sh'] : []), '-c', `${probe(first)}\n${line}\n${probe(last)}`],
      {
        cwd: folder,
        env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home, X: '*(e:evil:)', Y: 'a[$(evil)]', LC_ALL: 'C.UTF-8' },
        stdio: ['ignore', 'pipe', 'pipe'],
        encoding: 'utf8',
        timeout: 10_000,
      },
    )
    const [before, after] = [first, last].map(path => readFileSync(path, 'utf8'))
    return {
      output: done.stdout + done.stderr,
      ran: readFileSync(log, 'utf8').split('\n').filter(Boolean),
      changes: [
        // A line may end the shell, as one with an error does.
        ...(after === '' ? [] : differences(before ?? '', after ?? '')),
        ...differences(files, snapshot(folder)),
      ],
    }
  }
  function outputs(lines: readonly string[], path: string): ReadonlyMap<string, string> {
    const files = snapshot(folder)
    const script = lines.map(line => `${line}\nprintf '${END}'\n`).join('')
    const { stdout } = spawnSync(pathOfShell('bash') ?? 'bash', ['-c', `exec 2>&1\n${script}`], {
      cwd: folder,
      env: { PATH: path, HOME: home, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'latin1',
      maxBuffer: 1_000_000_000,
    })
    const [changed] = differences(files, snapshot(folder))
    if (changed !== undefined) throw new Error(`one of the lines changed a file: ${changed}`)
    const texts = stdout.split(END)
    if (texts.length !== lines.length + 1) throw new Error(`${lines.length} lines, but ${texts.length - 1} ends`)
    return new Map(lines.map((line, at) => [line, texts[at] ?? '']))
  }
  return { folder, home, run, outputs, remove: () => rmSync(home, { recursive: true, force: true }) }
}

/** Each file with its kind, mode, size, time of change and content. */
function snapshot(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map(name => {
      const path = join(folder, name)
      const stats = lstatSync(path)
      const content = stats.isSymbolicLink() ? readlinkSync(path) : stats.isFile() ? readFileSync(path, 'latin1') : ''
      return `${name} ${stats.mode} ${stats.size} ${stats.mtimeMs} ${JSON.stringify(content)}`
    })
    .join('\n')
}

/** Variables that a shell sets itself: the last word, the line, and the folder of `cd`, which runs in the shell of this call alone. */
const OWN = /^(?:declare -x |export |typeset -x )?(?:_|OLDPWD|PWD|LINENO|SHLVL)\b/

function differences(before: string, after: string): string[] {
  const [one, two] = [before, after].map(text => text.split('\n').filter(line => !OWN.test(line)))
  const [old, now] = [new Set(one), new Set(two)]
  return [
    ...[...old].filter(line => !now.has(line)).map(line => `- ${line.slice(0, 200)}`),
    ...[...now].filter(line => !old.has(line)).map(line => `+ ${line.slice(0, 200)}`),
  ]
}
