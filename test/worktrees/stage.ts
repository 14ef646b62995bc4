/** A real repository with worktrees. All goes with the test. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
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
import { onTestFinished } from 'vitest'
import { createWorktrees, type WorktreeAnswer, type Worktrees } from '../../src/worktrees/worktrees.ts'
import type { Worktree } from '../../src/worktrees/record.ts'
import { COMMITTER } from '../helpers/committer.ts'

export type WorktreeStage = ReturnType<typeof worktreeStage>

export function worktreeStage(files: Record<string, string> | null = { 'a.txt': 'one\n' }) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-worktrees-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const [home, folder, stateFolder] = [join(top, 'home'), join(top, 'project'), join(top, 'state')]
  for (const each of [home, folder, stateFolder]) mkdirSync(each)
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
  const put = (content: Record<string, string>, where = folder): void => {
    for (const [name, text] of Object.entries(content)) {
      mkdirSync(dirname(join(where, name)), { recursive: true })
      writeFileSync(join(where, name), text)
    }
  }
  const commit = (content: Record<string, string>, where = folder, message = 'change'): string => {
    put(content, where)
    gitIn(where)('add', '-A')
    gitIn(where)('commit', '-qm', message)
    return gitIn(where)('rev-parse', 'HEAD')
  }
  if (files) {
    git('init', '-q', '-b', 'main')
    commit(files, folder, 'first')
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
    begun: async (content: Record<string, string> = {}, prompt = 'Fix it'): Promise<Worktree> => {
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
