/** Why a conversation cannot move. It completes a sentence: `Nothing was moved: ...`. */
import type { AskGit, GitAnswer } from '../changes/run-git.ts'

export class MoveProblem extends Error {
  /** What the person can do, as a sentence; '' for nothing. */
  readonly hint: string

  constructor(reason: string, hint = '') {
    super(reason)
    this.hint = hint
  }
}

/** The output of git. `where` is '' for this machine. @throws MoveProblem */
export async function answerFrom(
  git: AskGit,
  args: readonly string[],
  where: string,
  input?: Uint8Array,
): Promise<Buffer> {
  const answer = await git(args, MOST, input)
  if (!answer.ok) throw problemFrom(answer, where)
  return answer.bytes
}

/** Bytes of an answer. */
const MOST = 64 * 1024 * 1024

/** One line of output. @throws MoveProblem */
export async function lineFrom(
  git: AskGit,
  args: readonly string[],
  where: string,
  input?: Uint8Array,
): Promise<string> {
  return (await answerFrom(git, args, where, input)).toString().replace(/\r?\n$/, '')
}

/** Output whose fields each end with a NUL. @throws MoveProblem */
export async function fieldsFrom(
  git: AskGit,
  args: readonly string[],
  where: string,
  input?: Uint8Array,
): Promise<string[]> {
  return (await answerFrom(git, args, where, input)).toString().split('\0').slice(0, -1)
}

export function problemFrom({ why, words }: Exclude<GitAnswer, { ok: true }>, where: string): MoveProblem {
  const place = where === '' ? '' : ` on ${where}`
  const said = words.split('\n').find(line => line.trim() !== '') ?? ''
  const reasons: Record<typeof why, string> = {
    held: words,
    none: `the folder${place} is in no git repository`,
    missing: `git is not installed${where === '' ? ' here' : place}`,
    slow: `git${place} took too long`,
    large: `there are too many files${place}`,
    stopped: 'it was stopped',
    failed:
      said === '' ? `git failed${place}` : `git${place}: ${said.replace(/^(?:fatal|error): /, '').replace(/\.$/, '')}`,
  }
  return new MoveProblem(reasons[why])
}
