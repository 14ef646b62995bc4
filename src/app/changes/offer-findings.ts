/** Puts what a review found on its lines, as comments that the user keeps, edits, sends back or drops in `/diff`. */
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import type { CollectedChanges } from '../../changes/collect.ts'
import { here } from '../../platform/project-files.ts'
import { offeredComment } from '../../review/finding-comments.ts'
import { countsInWords } from '../../review/findings/as-markdown.ts'
import { MOST_FINDINGS } from '../../review/findings/finding.ts'
import { findingsOf } from '../../review/findings/read-answer.ts'
import { diffCommandOf, reviewedSubjects } from './reviewed-subject.ts'
import { isOnDisk, subjectKey, type DiffSubject } from '../../tools/diff/subject.ts'
import { counted } from '../../text/counted.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import type { AppContext } from '../context/context.ts'
import { placesOf } from './finding-lines.ts'

/** A review that was answered. `at` is when its turn began, in milliseconds since the Unix epoch. */
export type AnsweredReview = { command: string; argument: string; answer: string; at: number }

/** Collects the changes of a subject; null if there is no such thing. Never rejects. */
export type CollectSubject = (subject: DiffSubject) => Promise<CollectedChanges | null>

/** Never rejects. */
export async function offerFindings(
  context: AppContext,
  collect: CollectSubject,
  { command, argument, answer, at }: AnsweredReview,
): Promise<void> {
  const { addProgramNotice, state, host, now } = context
  const file = context.review()
  if (!file || !host) return
  const found = findingsOf(answer)
  if (!found) return addProgramNotice('quiet', 'The answer names no lines, so there is nothing to show in /diff.')
  const { subject, changes } = await subjectOf(reviewedSubjects(argument, found.base), collect)
  const files = isOnDisk(subject) && !state().startup.demo ? (host.remote?.files ?? here) : null
  const folder = await (host.remote?.files ?? here).realPath(resolve(host.folder)).catch(() => resolve(host.folder))
  const placeFor = placesOf({ folder, others: state().chat.folders, files, changes })

  const review = `review-${digestOf(subjectKey(subject), command, argument)}-`
  // The same review again: what it found before and nobody has kept is replaced.
  for (const comment of file.comments())
    if (comment.state === 'offered' && comment.id.startsWith(review)) file.change(comment.id, { state: 'dropped' })
  let unchanged = 0
  for (const [index, finding] of found.findings.entries()) {
    const { isChanged, ...place } = await placeFor(finding.path)
    if (!isChanged) unchanged += 1
    const id = `${review}${digestOf(String(at), String(index))}`
    file.put(offeredComment({ finding, ...place }, { id, subject: subjectKey(subject), now: now() }))
  }
  const { findings, left } = found
  if (findings.length === 0) return addProgramNotice('info', 'The review found nothing.')
  const more = left === 0 ? '' : ` The first ${MOST_FINDINGS} of ${findings.length + left} are kept.`
  const beside =
    unchanged === 0 ? '' : ` ${counted(unchanged, 'finding is', 'findings are')} about files that did not change.`
  const where = oneLine(sanitize(diffCommandOf(subject)))
  addProgramNotice(
    'info',
    `The review found ${countsInWords(findings)}.${more}${beside}`,
    `${where} shows them on their lines: there you keep, edit or drop them, and send them back.`,
  )
}

const nothing: Pick<CollectedChanges, 'list' | 'diffOf'> = {
  list: { session: [], before: [], unsure: 0, notes: [] },
  diffOf: async () => ({ hunks: [], notes: [] }),
}

/** The first subject that there is, with its changes. */
async function subjectOf(
  subjects: readonly DiffSubject[],
  collect: CollectSubject,
): Promise<{ subject: DiffSubject; changes: Pick<CollectedChanges, 'list' | 'diffOf'> }> {
  for (const subject of subjects) {
    const changes = await collect(subject)
    if (changes) return { subject, changes }
  }
  return { subject: { kind: 'session' }, changes: nothing }
}

const digestOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 12)
