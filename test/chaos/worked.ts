/** A folder in which an agent has worked, whose restore is killed or meets a disk that fails. */
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect } from 'vitest'
import { filesIn, stage } from '../checkpoints/stage.ts'
import { environment } from '../helpers/home.ts'
import { program } from '../stories/stage.ts'

const preload = fileURLToPath(new URL('../fixtures/kill-at.ts', import.meta.url))

export type Stage = ReturnType<typeof stage>
export type Writer = { at: (name: string) => string; write: (name: string, content: string, mode?: number) => void }

export function writer(folder: string): Writer {
  const at = (name: string): string => join(folder, name)
  return {
    at,
    write(name, content, mode = 0o644) {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), content, { mode })
    },
  }
}

const NAMES = ['a', 'dir/b', '__proto__', 'constructor', 'ö ü', '-f', 'new\nline']

/** Files with names and kinds of which a restore may change each in another way. */
export function userWorks({ at, write }: Writer): void {
  for (const name of [...NAMES, 'gone', 'gone-dir/deep/x', 'gone-dir/y']) write(name, `the user wrote ${name}\n`)
  for (const name of ['file', 'file-dir', 'dir-file/inner']) write(name, `${name}\n`)
  symlinkSync('dir/b', at('link'))
  write('runs', '#!/bin/sh\n', 0o755)
  write('secret', 'secret\n', 0o600)
  write('one-name', 'one file\n'.repeat(99))
  linkSync(at('one-name'), at('other-name'))
  write('.gitignore', 'ignored\n')
  write('ignored', 'stays\n')
}

export function agentWorks({ at, write }: Writer): void {
  for (const name of NAMES) write(name, 'of the agent\n'.repeat(9))
  for (const name of ['gone', 'gone-dir/deep/x', 'gone-dir/y']) rmSync(at(name))
  rmSync(at('gone-dir'), { recursive: true })
  for (const name of ['made', 'made-dir/deep/x']) write(name, 'made\n')
  // Each of them is of another kind now.
  for (const [name, kind] of [
    ['link', 'file'],
    ['file', 'link'],
    ['file-dir', 'dir'],
    ['dir-file', 'file'],
  ] as const) {
    rmSync(at(name), { recursive: true })
    if (kind === 'link') symlinkSync('a', at(name))
    else write(kind === 'dir' ? `${name}/inner` : name, 'another kind\n')
  }
  chmodSync(at('runs'), 0o644)
  writeFileSync(at('secret'), 'secret of the agent\n')
  chmodSync(at('secret'), 0o640)
  // Two names of one file are written in place.
  writeFileSync(at('one-name'), 'agent\n'.repeat(99))
}

/** A folder in which an agent has worked, with a checkpoint from before and one from after that. */
export async function worked(isGit: boolean) {
  const here = stage({}, isGit)
  userWorks(here)
  const first = await here.make()
  agentWorks(here)
  const last = await here.make('agent')
  mkdirSync(join(here.top, 'states'))
  symlinkSync(here.stateFolder, join(here.top, 'states', 'zotui'))
  return { ...here, first, last, all: () => everything(here.folder) }
}

/** Everything in a folder, its folders too. */
export function everything(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  const found = names.filter(each => each.isDirectory() && !join(each.parentPath, each.name).includes('/.git'))
  return {
    ...filesIn(folder),
    ...Object.fromEntries(found.map(each => [`${relative(folder, join(each.parentPath, each.name))}/`, 'folder'])),
  }
}

/** The steps so far of a run, and the environment in which it is killed at one of them. */
export function killing({ top, folder }: Pick<Stage, 'top' | 'folder'>) {
  const [when, steps] = [join(top, 'when'), join(top, 'steps')]
  return {
    arm: () => writeFileSync(when, ''),
    disarm: () => rmSync(when, { force: true }),
    /** The steps of the last run. */
    steps(): string[] {
      const found = existsSync(steps) ? readFileSync(steps, 'utf8').trimEnd().split('\n') : []
      rmSync(steps, { force: true })
      return found
    },
    at: (number: number, code?: string) => ({
      NODE_OPTIONS: `--import=${preload}`,
      KILL_IN: folder,
      KILL_AT: String(number),
      KILL_WHEN: when,
      KILL_STEPS: steps,
      ...(code !== undefined && { KILL_CODE: code }),
    }),
  }
}

export async function zotui({ top, home, folder }: Stage, args: readonly string[], more: Record<string, string> = {}) {
  const { exitCode, signal, stdout, stderr } = await execa(process.execPath, [program, 'checkpoints', ...args], {
    cwd: folder,
    env: environment(home, { XDG_STATE_HOME: join(top, 'states'), ...more }),
    extendEnv: false,
    reject: false,
  })
  return { code: exitCode ?? null, signal: signal ?? null, stdout, stderr }
}

/** Runs it to its end. */
export async function finish(here: Stage, args: readonly string[], where = ''): Promise<void> {
  const { code, signal, stderr } = await zotui(here, args)
  if (code !== 0) throw new Error(`${where}: ${args.join(' ')} ended with ${code ?? signal}: ${stderr}`)
}

/** `where` is the step at which zotui was killed. */
export function expectFiles(
  { all }: { all: () => Record<string, string> },
  files: Record<string, string>,
  where = '',
): void {
  expect({ where, files: all() }).toEqual({ where, files })
}
