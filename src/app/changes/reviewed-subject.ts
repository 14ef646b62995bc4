/** What the comments of a review are about, by what it was asked to look at. */
import type { DiffSubject } from '../../tools/diff/subject.ts'
import { subjectOf } from './diff-subjects.ts'

const session: DiffSubject = { kind: 'session' }

/**
 * The subjects that it may be about, the best first: a revision is one only if git knows it. `base` is what the agent says that it
 * compared with, for a review that nothing was named for.
 */
export function reviewedSubjects(argument: string, base: string | null): readonly DiffSubject[] {
  const typed = argument.trim()
  const named = subjectOf(/^\d{1,9}$/.test(typed) ? `#${typed}` : typed)
  if (named.ok && named.value.kind === 'pull-request') return [named.value]
  // Of a range, its beginning is what was compared with.
  const rev = typed === '' ? (base ?? '') : (/^(\S+?)\.{2,3}\S*$/.exec(typed)?.[1] ?? typed)
  const since = subjectOf(rev)
  return since.ok && rev !== 'HEAD' ? [since.value, session] : [session]
}

/** How `/diff` is asked for it. */
export function diffCommandOf(subject: DiffSubject): string {
  switch (subject.kind) {
    case 'session':
      return '/diff'
    case 'revision':
      return `/diff ${subject.rev}`
    case 'pull-request':
      return `/diff ${subject.repo === undefined ? `#${subject.number}` : addressOf(subject.repo, subject.number)}`
    case 'worktree':
      return `/diff worktree ${subject.name}`
    case 'checkpoint':
      return '/diff since'
  }
}

/** `repo` is `OWNER/NAME` on GitHub, or begins with another host. */
function addressOf(repo: string, number: number): string {
  const place = repo.split('/').length === 2 ? `github.com/${repo}` : repo
  return `https://${place}/pull/${number}`
}
