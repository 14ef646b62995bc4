import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'
import type { OtherMachine } from '../../src/checkpoints/remote-disk.ts'
import { createMachine } from '../../src/platform/remote/machine.ts'
import { createRemoteFiles } from '../../src/platform/remote/remote-files.ts'
import { readVia } from '../../src/platform/remote/target.ts'
import { createCheckpoints, type CheckpointAnswer, type CheckpointOptions } from '../../src/checkpoints/checkpoints.ts'
import { put } from '../../src/text/lookup.ts'
import { COMMITTER } from '../helpers/committer.ts'

let isRemote = false

/** From now on each folder is on another machine, as far as a command that starts a shell is one. */
export function stageRemote(): void {
  isRemote = true
}

export const isStagedRemote = (): boolean => isRemote

function otherMachine(env: NodeJS.ProcessEnv): OtherMachine {
  const read = readVia('env')
  if (!read.ok) throw new Error(read.reason)
  const machine = createMachine(read.target, env)
  onTestFinished(() => machine.close())
  return { machine, files: createRemoteFiles(machine, 'via:env') }
}

/** Files of a folder, by path: content and mode, or where a link leads. */
export type Files = Record<string, string>

/** The `.git` of folders with the same files, which git makes once. */
const repositories = new Map<string, string>()

/** A real folder, optionally a repository, with its checkpoints. All goes with the test. */
export function stage(
  files: Record<string, string | Buffer> = {},
  isGit = true,
  more: Partial<CheckpointOptions> = {},
) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-checkpoints-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const [home, folder, stateFolder] = [join(top, 'home'), join(top, 'project'), join(top, 'state')]
  for (const each of [home, folder, stateFolder]) mkdirSync(each)
  const env = { PATH: process.env['PATH'] ?? '', HOME: home }
  const at = (name: string): string => join(folder, name)
  const write = (name: string, content: string | Buffer, mode?: number): void => {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), content, mode === undefined ? {} : { mode })
  }
  const git = (...args: string[]): string => {
    return execFileSync('git', [...COMMITTER, ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  }
  const commit = (): void => {
    git('add', '-A')
    git('commit', '-qm', 'all', '--allow-empty')
  }
  for (const [name, content] of Object.entries(files)) write(name, content)
  const key = JSON.stringify(files)
  const committed = repositories.get(key)
  if (isGit && committed !== undefined) cpSync(committed, at('.git'), { recursive: true })
  else if (isGit) {
    git('init', '-q', '--template=')
    commit()
    repositories.set(key, mkdtempSync(join(tmpdir(), 'zotui-repository-')))
    cpSync(at('.git'), repositories.get(key) ?? '', { recursive: true })
  }
  let clock = Date.UTC(2026, 0, 1)
  const now = (): number => (clock += 1000)
  const remote = isRemote ? { remote: otherMachine(env) } : {}
  const options = { folder, stateFolder, home, env, now, ...remote, ...more }
  const checkpoints = createCheckpoints(options)
  const make = async (by: 'user' | 'agent' = 'user') =>
    (await value(checkpoints.make({ by, session: 's', label: 'a prompt' }))).id
  return {
    top,
    home,
    folder,
    stateFolder,
    env,
    at,
    write,
    git,
    commit,
    /** Adds settings to those of the repository. */
    configure: (settings: string): void => appendFileSync(at('.git/config'), settings),
    options,
    checkpoints,
    make,
    /** The folder of all shadows. */
    shadows: (): string => {
      if (!isRemote) return join(stateFolder, 'checkpoints')
      const there = join(home, '.local/state/zotui/elsewhere')
      return join(there, readdirSync(there)[0] ?? '')
    },
    read: (name: string): string => readFileSync(at(name), 'utf8'),
    restore: async (id: string, keep: string[] = []) => value(checkpoints.restore(id, { session: 's', keep })),
    preview: async (id: string) => value(checkpoints.preview(id)),
    /** The files of the folder, without the repository's own. */
    files: (): Files => filesIn(folder),
    /** The things that must never change: the index, the stash, the refs, and all else of git. */
    own: (): Files => filesIn(at('.git')),
  }
}

export async function value<Value>(asked: Promise<CheckpointAnswer<Value>>): Promise<Value> {
  const answer = await asked
  if (!answer.ok) throw new Error(answer.why)
  return answer.value
}

export function filesIn(folder: string, prefix = ''): Files {
  const found: Files = {}
  for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.name === '.git') continue
    const file = join(folder, path)
    if (entry.isSymbolicLink()) put(found, path, `-> ${readlinkSync(file)}`)
    else if (entry.isDirectory()) Object.assign(found, filesIn(folder, path))
    else if (entry.isFile())
      put(found, path, `${(lstatSync(file).mode & 0o777).toString(8)} ${readFileSync(file).toString('latin1')}`)
  }
  return found
}
