/** Two machines for one test: this one, and one that is reached through a command. Each has a home and a repository of its own. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'
import { ownName } from '../../src/platform/owner.ts'
import { createMachine, type RemoteMachine } from '../../src/platform/remote/machine.ts'
import { createRemoteFiles } from '../../src/platform/remote/remote-files.ts'
import type { Target } from '../../src/platform/remote/target.ts'
import { readVia } from '../../src/platform/remote/target.ts'
import { sideHere, sideThere, type MoveSide } from '../../src/move/side.ts'
import { COMMITTER } from '../helpers/committer.ts'

export type MoveStage = {
  here: MoveSide
  there: MoveSide
  machine: RemoteMachine
  /** The folder of the person, a repository with `a.txt`, and a folder that does not exist there. */
  folder: string
  folderThere: string
  homeThere: string
  stateFolder: string
  env: NodeJS.ProcessEnv
  /** From now on each step counts as stopped, or no longer. */
  stopping: { current: AbortController }
  write: (path: string, text: string) => void
  read: (path: string) => string
  git: (folder: string, ...args: string[]) => string
}

/** `target` is how the other machine is reached; a shell of this one by default, with another home. */
export function moveStage(target?: (homeThere: string) => Target): MoveStage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-move-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
  const [home, homeThere, folder] = [join(root, 'here'), join(root, 'there'), join(root, 'here', 'src', 'app')]
  const stateFolder = join(home, '.local', 'state')
  mkdirSync(folder, { recursive: true })
  mkdirSync(join(homeThere, 'tmp'), { recursive: true })
  const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: join(root, 'here') }
  const machine = createMachine(target?.(homeThere) ?? viaEnv(homeThere), env)
  onTestFinished(() => machine.close())
  const stopping = { current: new AbortController() }
  const signal = (): AbortSignal => stopping.current.signal
  const files = createRemoteFiles(machine, machine.target.name)
  const git = (at: string, ...args: string[]): string =>
    execFileSync('git', [...COMMITTER, ...args], {
      cwd: at,
      env: { ...env, GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
    }).trim()
  git(folder, 'init', '-q', '-b', 'main', '--template=')
  writeFileSync(join(folder, 'a.txt'), 'one\n')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'first')
  return {
    here: sideHere({ env, home, stateFolder, signal }),
    there: sideThere({ machine, files, home: homeThere, signal }),
    machine,
    folder,
    folderThere: join(homeThere, 'src', 'app'),
    homeThere,
    stateFolder,
    env,
    stopping,
    write(path, text) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    },
    read: path => readFileSync(path, 'utf8'),
    git,
  }
}

function viaEnv(homeThere: string): Target {
  const read = readVia(`env HOME=${homeThere} TMPDIR=${homeThere}/tmp`)
  if (!read.ok) throw new Error(read.reason)
  return { ...read.target, name: 'ssh:far' }
}

/** What is left in the folders for what is only there for a while. */
export function leftOvers({ stateFolder, homeThere }: MoveStage): string[] {
  const here = join(stateFolder, 'moves')
  return [
    ...(existsSync(here) ? readdirSync(here) : []).filter(name => name.startsWith('zotui-')),
    ...readdirSync(join(homeThere, 'tmp')),
  ]
}

/** The name of a program of this machine that has ended. */
export function endedName(): string {
  const { pid } = spawnSync('true')
  const [host = ''] = ownName().split('-')
  return [host, pid, 1, 'abcdef'].join('-')
}
