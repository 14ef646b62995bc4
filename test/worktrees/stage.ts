/** A real repository with worktrees. What several tests begin with is made once, and copied. All goes with the run. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { createWorktrees, type WorktreeAnswer, type Worktrees } from '../../src/worktrees/worktrees.ts'
import { worktreesOf, type Worktree } from '../../src/worktrees/record.ts'
import { COMMITTER } from '../helpers/committer.ts'

export type WorktreeStage = ReturnType<typeof worktreeStage>

type Files = Record<string, string>

const FIRST: Files = { 'a.txt': 'one\n' }

/** Every stage stands at one path, so that a copy of what was made there works, too. */
const root = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-worktrees-')))
const top = join(root, 'top')
const copies = new Map<string, string>()

/** Keeps the stage as it is. */
function keep(key: string): void {
  const path = join(root, String(copies.size))
  copyFolder(top, path)
  copies.set(key, path)
}

const copyFolder = (from: string, to: string): void => cpSync(from, to, { recursive: true, preserveTimestamps: true })

/** A repository with these files as its first commit. */
export function worktreeStage(files = FIRST) {
  const key = JSON.stringify(files)
  const stage = stageFrom(copies.get(key))
  if (copies.has(key)) return stage
  stage.git('init', '-q', '-b', 'main', '--template=')
  stage.commit(files, stage.folder, 'first')
  keep(key)
  return stage
}

/** The same with a worktree in which `content` is changed, uncommitted: for tests of what comes later. */
export async function stageWithWorktree(content: Files = {}, files = FIRST) {
  const key = `begun ${JSON.stringify(files)}`
  if (!copies.has(key)) {
    await worktreeStage(files).begun()
    keep(key)
  }
  const stage = stageFrom(copies.get(key))
  const [worktree] = worktreesOf(stage.stateFolder, stage.folder)
  if (!worktree) throw new Error('There is no worktree.')
  stage.put(content, worktree.folder)
  return { stage, worktree }
}

function stageFrom(copy: string | undefined) {
  const [home, folder, stateFolder] = [join(top, 'home'), join(top, 'project'), join(top, 'state')]
  rmSync(top, { recursive: true, force: true })
  if (copy !== undefined) copyFolder(copy, top)
  else for (const each of [home, folder, stateFolder]) mkdirSync(each, { recursive: true })
  const env: Record<string, string> = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  let clock = Date.UTC(2026, 0, 1)
  const worktrees = createWorktrees({ stateFolder, env, now: () => (clock += 1000) })
  const gitIn =
    (cwd: string) =>
    (...args: string[]): string => {
      const who = [...COMMITTER, '-c', 'protocol.file.allow=always']
      return execFileSync('git', [...who, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trimEnd()
    }
  const git = gitIn(folder)
  const put = (content: Files, where = folder): void => {
    for (const [name, text] of Object.entries(content)) {
      mkdirSync(dirname(join(where, name)), { recursive: true })
      writeFileSync(join(where, name), text)
    }
  }
  const commit = (content: Files, where = folder, message = 'change'): void => {
    put(content, where)
    gitIn(where)('add', '-A')
    gitIn(where)('commit', '-qm', message)
  }
  return {
    top,
    home,
    folder,
    stateFolder,
    env,
    worktrees,
    git,
    gitIn,
    put,
    commit,
    read: (name: string, where = folder): string => readFileSync(join(where, name), 'utf8'),
    has: (name: string, where = folder): boolean => existsSync(join(where, name)),
    /** A new worktree with these files changed, uncommitted. */
    begun: async (content: Files = {}, prompt = 'Fix it'): Promise<Worktree> => {
      const { worktree } = await value(worktrees.create({ folder, prompt }))
      put(content, worktree.folder)
      return worktree
    },
    /** A program that leaves a file where it runs: a hostile repository names it. */
    trap: (): { command: string; isSprung: () => boolean } => {
      const [script, mark] = [join(top, 'trap.sh'), join(top, 'sprung')]
      writeFileSync(script, `#!/bin/sh\necho "$@" >> '${mark}'\ncat\n`)
      chmodSync(script, 0o755)
      return { command: script, isSprung: () => existsSync(mark) }
    },
  }
}

export async function value<Value>(asked: Promise<WorktreeAnswer<Value>>): Promise<Value> {
  const answer = await asked
  if (!answer.ok) throw new Error(answer.why)
  return answer.value
}

/** The reason why something was refused. */
export async function refusal(
  asked: ReturnType<Worktrees['create']> | Promise<WorktreeAnswer<unknown>>,
): Promise<string> {
  const answer = await asked
  if (answer.ok) throw new Error('It was not refused.')
  return answer.why
}
