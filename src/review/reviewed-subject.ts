/** What the comments of a review are about, by what it was asked to look at. */
import type { DiffSubject } from '../tools/diff/subject.ts'

/** What may be a revision. Git decides. */
const REVISION = /^[\w@][\w./@^~{}+#=-]{0,200}$/

/**
 * The subjects that it may be about, the best first: a revision is one only if git knows it. `base` is what the agent says that it
 * compared with, for a review that nothing was named for.
 */
export function reviewedSubjects(argument: string, base: string | null): readonly DiffSubject[] {
  const typed = argument.trim()
  const session: DiffSubject = { kind: 'session' }
  const number =
    /^#?(\d{1,9})$/.exec(typed)?.[1] ?? /^https?:\/\/\S{1,200}\/pull\/(\d{1,9})(?:[/?#]\S*)?$/.exec(typed)?.[1]
  if (number !== undefined) return [{ kind: 'pull-request', number: Number(number) }]
  const rev = typed === '' ? (base ?? '') : (/^(\S{1,200}?)\.{2,3}\S{0,200}$/.exec(typed)?.[1] ?? typed)
  return REVISION.test(rev) && rev !== 'HEAD' ? [{ kind: 'revision', rev }, session] : [session]
}

/** How `/diff` is asked for it. */
export function diffCommandOf(subject: DiffSubject): string {
  switch (subject.kind) {
    case 'session':
      return '/diff'
    case 'revision':
      return `/diff ${subject.rev}`
    case 'pull-request':
      return `/diff #${subject.number}`
    case 'worktree':
      return `/diff worktree ${subject.name}`
    case 'checkpoint':
      return '/diff since'
  }
}
