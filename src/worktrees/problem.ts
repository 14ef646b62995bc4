import type { GitAnswer } from '../changes/run-git.ts'

/** The reason why something cannot be done with a worktree. It completes a sentence: `There is no worktree: ...`. */
export class WorktreeProblem extends Error {}

/** The reason of git's failure, in a few words. */
export function problemOf({ why, words }: Exclude<GitAnswer, { ok: true }>): WorktreeProblem {
  const said = { held: words, none: NO_REPOSITORY, missing: 'git is not installed', slow: 'git took too long' }
  const reasons = { ...said, large: 'there are too many files', stopped: 'it was stopped', failed: failure(words) }
  return new WorktreeProblem(reasons[why])
}

export const NO_REPOSITORY = 'this folder is not in a git repository'

function failure(words: string): string {
  if (/not a git repository/i.test(words)) return NO_REPOSITORY
  if (/bare repository|must be run in a work tree/i.test(words)) return 'the repository is bare, so it has no files'
  const first = words.split('\n').find(line => line.trim() !== '') ?? ''
  return first === '' ? 'git failed' : `git: ${first.replace(/^(?:fatal|error): /, '').replace(/\.$/, '')}`
}
