/**
 * zotui is killed (SIGKILL) at every step of a restore: of files by the command, and of /rewind. Whatever it has done by then, the undo brings
 * back exactly what was there, and the restore can be done again. Nothing counts as the user's that the restore wrote, nothing of the user's is
 * overwritten, and no temporary file stays.
 */
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
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { stage } from '../checkpoints/stage.ts'
import { environment } from '../helpers/home.ts'
import { isLong } from '../helpers/length.ts'
import { program } from '../stories/stage.ts'

/** Kills of each kind: all that there is room for, or a few of them, others in each run. */
const KILLS = isLong ? 60 : 6
const preload = fileURLToPath(new URL('../fixtures/kill-at.ts', import.meta.url))

type Stage = ReturnType<typeof stage>

/** Files with names and kinds of which a restore may change each in another way. */
function agentWorks({ at, write, folder }: Stage): void {
  for (const name of ['a', 'dir/b', '__proto__', 'constructor', 'ö ü', '-f', 'new\nline'])
    write(name, 'of the agent\n'.repeat(9))
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
  mkdirSync(join(folder, 'empty'), { recursive: true })
}

/** A folder in which an agent has worked, with a checkpoint from before and one from after that. */
async function worked(isGit: boolean) {
  const here = stage({ '.gitignore': 'ignored\n' }, isGit)
  const { write, at, make } = here
  for (const name of [
    'a',
    'dir/b',
    '__proto__',
    'constructor',
    'ö ü',
    '-f',
    'new\nline',
    'gone',
    'gone-dir/deep/x',
    'gone-dir/y',
  ])
    write(name, `the user wrote ${name}\n`)
  for (const name of ['file', 'file-dir', 'dir-file/inner']) write(name, `${name}\n`)
  symlinkSync('dir/b', at('link'))
  write('runs', '#!/bin/sh\n', 0o755)
  write('secret', 'secret\n', 0o600)
  write('one-name', 'one file\n'.repeat(99))
  linkSync(at('one-name'), at('other-name'))
  write('ignored', 'stays\n')
  const first = await make()
  agentWorks(here)
  const last = await make('agent')
  mkdirSync(join(here.top, 'states'))
  symlinkSync(here.stateFolder, join(here.top, 'states', 'zotui'))
  return { ...here, first, last, ...folders(here) }
}

/** Everything in a folder, its folders too. */
function folders({ folder, files }: Pick<Stage, 'folder' | 'files'>) {
  return {
    all: (): Record<string, string> => {
      const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      const found = names.filter(each => each.isDirectory() && !join(each.parentPath, each.name).includes('/.git'))
      return {
        ...files(),
        ...Object.fromEntries(found.map(each => [`${join(each.parentPath, each.name)}/`, 'folder'])),
      }
    },
  }
}

/** The steps so far of a run, and the environment in which it is killed at one of them. */
function killing({ top, folder }: Pick<Stage, 'top' | 'folder'>) {
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
    at: (number: number) => ({
      NODE_OPTIONS: `--import=${preload}`,
      KILL_IN: folder,
      KILL_AT: String(number),
      KILL_WHEN: when,
      KILL_STEPS: steps,
    }),
  }
}

async function zotui({ top, home, folder }: Stage, args: readonly string[], more: Record<string, string> = {}) {
  const { exitCode, signal, stdout, stderr } = await execa(process.execPath, [program, 'checkpoints', ...args], {
    cwd: folder,
    env: environment(home, { XDG_STATE_HOME: join(top, 'states'), ...more }),
    extendEnv: false,
    reject: false,
  })
  return { code: exitCode ?? null, signal: signal ?? null, stdout, stderr }
}

/** A part of the numbers up to the last, at random. */
function some(last: number, count: number): number[] {
  const all = Array.from({ length: last }, (_, index) => index + 1)
  return all
    .map(number => [Math.random(), number] as const)
    .toSorted(([one], [other]) => one - other)
    .slice(0, count)
    .map(([, number]) => number)
}

const succeeded = { code: 0, signal: null }

describe.each([
  ['a repository', true],
  ['a plain folder', false],
])('a restore by the command in %s', (_name, isGit) => {
  test('that is killed is undone exactly, and can be done again', { timeout: 600_000 }, async () => {
    const here = await worked(isGit)
    const kill = killing(here)
    kill.arm()
    const before = here.all()
    expect(await zotui(here, ['restore', here.first], kill.at(0))).toMatchObject(succeeded)
    const restored = here.all()
    expect(restored).not.toEqual(before)
    const total = kill.steps().length
    expect(total).toBeGreaterThan(60)
    expect(await zotui(here, ['undo'])).toMatchObject(succeeded)
    expect(here.all()).toEqual(before)
    for (const number of some(total, KILLS)) {
      const end = await zotui(here, ['restore', here.first], kill.at(number))
      const where = kill.steps().at(-1)
      expect(end.signal, where).toBe('SIGKILL')
      const isUntouched = JSON.stringify(here.all()) === JSON.stringify(before)
      const undone = await zotui(here, ['undo'])
      // Before the intent is written, there is nothing to undo but what was undone before.
      if (!isUntouched) expect(undone, where).toMatchObject(succeeded)
      if (isUntouched && undone.code === 0) await zotui(here, ['restore', here.last, '--force'])
      expect(here.all(), where).toEqual(before)
      expect(await zotui(here, ['restore', here.first]), where).toMatchObject(succeeded)
      expect(here.all(), where).toEqual(restored)
      // The undo is killed, too, and undone.
      await zotui(here, ['undo'], kill.at(number))
      kill.steps()
      const half = JSON.stringify(here.all()) !== JSON.stringify(restored)
      if (half) expect(await zotui(here, ['restore', here.first]), where).toMatchObject(succeeded)
      expect(here.all(), where).toEqual(restored)
      expect(await zotui(here, ['restore', here.last]), where).toMatchObject(succeeded)
      expect(here.all(), where).toEqual(before)
    }
  })
})
