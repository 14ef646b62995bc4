/** The disk of another machine. Shadows are stored there, because comparing files on this machine would mean sending all of them. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createGit, MARK } from '../changes/run-git.ts'
import { codeOf } from '../platform/errors.ts'
import { makeFolder } from '../platform/folders.ts'
import type { ProjectFiles } from '../platform/project-files.ts'
import { endScript } from '../platform/remote/given-up.ts'
import { enter, type RemoteMachine } from '../platform/remote/machine.ts'
import { quoted } from '../platform/shell/quoting.ts'
import { readRegularFileSync } from '../platform/regular-file.ts'
import { replaceFile } from '../storage/replace-file.ts'
import type { Disk, Obstacle, PathFacts, StoredFile } from './disk.ts'
import { restoreThere, tidyThere } from './remote-restore.ts'

export type OtherMachine = {
  machine: Pick<RemoteMachine, 'ask'>
  files: ProjectFiles
}

/** Milliseconds of a script, and bytes of its answer. */
const LIMIT = 120_000
const MOST = 64 * 1024 * 1024
/** The length of all paths in one command, in characters: systems limit the arguments. */
const MOST_ARGUMENTS = 64 * 1024

/**
 * `home` is the home folder there, and `stateFolder` is here.
 *
 * @throws what the system throws where `stateFolder` cannot be written.
 */
export function remoteDisk(
  { machine, files }: OtherMachine,
  { home, stateFolder }: { home: string; stateFolder: string },
): Disk {
  const ask = async (script: string, most = MOST): Promise<string> => {
    const answer = await machine.ask(script, { limit: LIMIT, most })
    if (!answer.ok) throw new Error(WHY[answer.why])
    if (answer.code !== 0) throw new Error(answer.words.trimEnd().split('\n').at(-1) || 'a command failed there')
    return answer.bytes.toString('utf8')
  }

  return {
    // With another name for the folder, /rewind would no longer find what is kept there already, and nothing would ever remove that.
    shadows: `${home}/.local/state/zotui/elsewhere/${ownId(stateFolder)}`,
    // Machines have no other identity. Equal paths on two machines only wait for each other.
    name: 'there-',
    config: undefined,
    git: place => {
      const index = place.variables?.['GIT_INDEX_FILE']
      const pidFile = index === undefined ? undefined : pidFileOf(index)
      return createGit({ ...place, env: {}, remote: { machine, files }, pidFile })
    },
    async realPath(path) {
      const target = await ask(`[ -e ${quoted(path)} ] || exit 0; readlink -f ${quoted(path)}`)
      return target === '' ? null : target.replace(/\n$/, '')
    },
    async readText(path, most) {
      const text = await ask(`[ -f ${quoted(path)} ] || exit 0; head -c ${most + 1} ${quoted(path)}`)
      return Buffer.byteLength(text) > most ? '' : text
    },
    exists: async path => (await ask(`[ ! -e ${quoted(path)} ] || echo yes`)) !== '',
    async makeFolder(path) {
      await ask(`umask 077; mkdir -p ${quoted(path)}`)
    },
    async write(path, content) {
      const text = quoted(Buffer.from(content).toString('base64'))
      const fresh = quoted(`${path}.next`)
      const decode = `printf %s ${text} | base64 -d >${fresh}`
      await ask(`umask 077; mkdir -p ${quoted(dirname(path))} && ${decode} && mv -f ${fresh} ${quoted(path)}`)
    },
    async copy(from, to) {
      await ask(`[ -f ${quoted(from)} ] && umask 077 && cp -p ${quoted(from)} ${quoted(to)} && chmod 600 ${quoted(to)}`)
    },
    async remove(paths) {
      for (const some of chunked(paths)) await ask(`rm -rf -- ${some.map(quoted).join(' ')}`)
    },
    async facts(root, paths) {
      const found = new Map<string, PathFacts>()
      for (const some of chunked(paths)) {
        for (const [path, facts] of readFacts(await ask(factsScript(root, some)), some)) found.set(path, facts)
      }
      return paths.map(path => found.get(path) ?? null)
    },
    async obstacles(root, paths) {
      const found: (Obstacle | null)[] = []
      for (const some of chunked(paths)) {
        const rows = (await ask(obstaclesScript(root, some))).split('\n')
        for (const [at] of some.entries()) {
          const row = rows[at]
          found.push(row === 'behind' || row === 'unreadable' ? row : null)
        }
      }
      return found
    },
    async unlock(index) {
      await ask(`${endScript(pidFileOf(index), MARK)} ${quoted(`${index}.lock`)}`)
    },
    async list(folder) {
      const each = `find . -type f -exec stat`
      const script = `cd ${quoted(folder)} 2>/dev/null || exit 0; ${either(`${each} -c '%s %Y %n' {} +`, `${each} -f '%z %m %N' {} +`)}`
      return (await ask(`${script}\n:`)).split('\n').flatMap((row): StoredFile[] => {
        const [, bytes, at, path] = /^(\d+) (\d+) \.\/([^]+)$/.exec(row) ?? []
        return path === undefined ? [] : [{ path, bytes: Number(bytes), at: Number(at) * 1000 }]
      })
    },
    restore: (place, planned, modes) => restoreThere(ask, place, planned, modes),
    tidy: (root, paths, name) => tidyThere(ask, root, paths, name),
  }
}

const WHY = {
  lost: 'the connection was lost',
  slow: 'the machine took too long',
  large: 'there are too many files',
  stopped: 'it was stopped',
}

/** The name of this machine's shadows on all others: two machines never use the same. */
function ownId(stateFolder: string): string {
  const path = join(stateFolder, 'checkpoints', 'own-id')
  const stored = readId(path)
  if (stored !== null) return stored
  const id = randomBytes(8).toString('hex')
  makeFolder(dirname(path))
  try {
    writeFileSync(path, id, { mode: 0o600, flag: 'wx' })
    return id
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    // Another process has made it in the meantime, or it is damaged.
    const other = readId(path)
    if (other === null) replaceFile(path, id)
    return other ?? id
  }
}

function readId(path: string): string | null {
  const stored = readRegularFileSync(path, 64)?.toString() ?? ''
  return /^[\da-f]{16}$/.test(stored) ? stored : null
}

/** The file beside an index with the process id of the git that uses it. */
const pidFileOf = (index: string): string => `${index}.pid`

/** The `stat` of GNU and of Busybox, or that of BSD. */
const either = (gnu: string, bsd: string): string =>
  `if stat -c %s . >/dev/null 2>&1; then ${gnu}; else ${bsd}; fi 2>/dev/null`

function* chunked(paths: readonly string[]): Generator<string[]> {
  let some: string[] = []
  let size = 0
  for (const path of paths) {
    if (size + path.length > MOST_ARGUMENTS && some.length > 0) {
      yield some
      some = []
      size = 0
    }
    some.push(path)
    size += path.length * 2 + 10
  }
  if (some.length > 0) yield some
}

/**
 * Prints a row for each path that exists: its number, its mode in hexadecimal, and its size. All that have no newline are looked at by one
 * program, whose rows have the path in the place of the number.
 */
function factsScript(root: string, paths: readonly string[]): string {
  const words = paths.filter(path => !path.includes('\n')).map(path => quoted(`./${path}`))
  const rows = [`${enter(root)} || { echo 'the working folder is gone' >&2; exit 1; }`]
  if (words.length > 0) {
    const all = words.join(' ')
    rows.push(either(`stat -c '%f %s %n' ${all}`, `stat -f '%Xp %z %N' ${all}`))
  }
  for (const [at, path] of paths.entries()) {
    if (!path.includes('\n')) continue
    const word = quoted(`./${path}`)
    rows.push(either(`stat -c '%f %s ${at}' ${word}`, `stat -f '%Xp %z ${at}' ${word}`))
  }
  // A folder with a repository of its own.
  rows.push(`m() { [ -L "$2" ] || [ ! -d "$2" ] || [ ! -e "$2/.git" ] || echo "module $1"; }`)
  for (const [at, path] of paths.entries()) rows.push(`m ${at} ${quoted(`./${path}`)}`)
  return `${rows.join('\n')}\n:`
}

const KINDS: ReadonlyMap<number, PathFacts['kind']> = new Map([
  [0o10, 'file'],
  [0o12, 'link'],
  [0o4, 'folder'],
])

function* readFacts(text: string, paths: readonly string[]): Generator<[string, PathFacts]> {
  const modules = new Set<string>()
  for (const [, at = ''] of text.matchAll(/^module (\d+)$/gm)) modules.add(paths[Number(at)] ?? '')
  for (const row of text.split('\n')) {
    const [, hexadecimal = '', size, name] = /^([\da-f]+) (\d+) ([^]+)$/.exec(row) ?? []
    const path = name?.startsWith('./') ? name.slice(2) : paths[Number(name)]
    if (path === undefined) continue
    const mode = Number.parseInt(hexadecimal, 16)
    const kind = modules.has(path) ? 'module' : (KINDS.get(mode >> 12) ?? 'other')
    yield [path, { kind, size: Number(size), mode: mode & 0o7777 }]
  }
}

function obstaclesScript(root: string, paths: readonly string[]): string {
  return [
    `${enter(root)} || { echo 'the working folder is gone' >&2; exit 1; }`,
    'o() { p=$1; while :; do case $p in */*) p=${p%/*};; *) break;; esac; [ ! -L "$p" ] || { echo behind; return; }; done',
    '[ -L "$1" ] || [ ! -f "$1" ] || [ -r "$1" ] || { echo unreadable; return; }; echo; }',
    ...paths.map(path => `o ${quoted(`./${path}`)}`),
  ].join('\n')
}
