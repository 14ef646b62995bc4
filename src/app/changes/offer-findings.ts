/** Puts what a review found on its lines, as comments that the user keeps, edits, sends back or drops in `/diff`. */
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { here } from '../../platform/project-files.ts'
import { offeredComment } from '../../review/finding-comments.ts'
import { countsInWords } from '../../review/findings/as-markdown.ts'
import { MOST_FINDINGS } from '../../review/findings/finding.ts'
import { findingsOf } from '../../review/findings/read-answer.ts'
import { diffArgumentOf } from '../../review/reviewed-subject.ts'
import { isOnDisk, subjectKey } from '../../tools/diff/subject.ts'
import { counted } from '../../text/counted.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import type { AppContext } from '../context/context.ts'
import type { DiffRequest } from '../pages/pages.ts'
import { placesOf } from './finding-lines.ts'
import type { SessionChanges } from './session-changes.ts'

/** A review that was answered. `at` is when its turn began, in milliseconds since the Unix epoch. */
export type AnsweredReview = { command: string; argument: string; answer: string; at: number }

/** What /diff shows for an argument; null if that names nothing. Never rejects. */
export type FindDiff = (argument: string) => Promise<DiffRequest | null>

/** The requests of /diff. Without a folder there are none. */
export function requestsOf(context: AppContext, changes: SessionChanges | null): FindDiff {
  return async argument => {
    const { host } = context
    if (!changes || !host) return null
    if (argument === '') return { subject: { kind: 'session' }, collect: changes.collect }
    const { subjectOf, requestFor } = await import('./diff-subjects.ts')
    const named = subjectOf(argument)
    const found = named.ok ? await requestFor(named.value, context, host) : named
    return found.ok ? found.request : null
  }
}

/** Never rejects. */
export async function offerFindings(
  context: Pick<AppContext, 'state' | 'host' | 'now' | 'review' | 'addProgramNotice'>,
  find: FindDiff,
  { command, argument, answer, at }: AnsweredReview,
): Promise<void> {
  const { addProgramNotice, state, host, now } = context
  const file = context.review()
  if (!file || !host) return
  const found = findingsOf(answer)
  if (!found) return addProgramNotice('quiet', 'The answer names no lines, so there is nothing to show in /diff.')
  const named = diffArgumentOf(argument, found.base)
  const request = (await find(named)) ?? (await find(''))
  if (!request) return
  const { subject } = request
  const changes = await request.collect()
  const files = isOnDisk(subject) && !state().startup.demo ? (host.remote?.files ?? here) : null
  const folder = await (host.remote?.files ?? here).realPath(resolve(host.folder)).catch(() => resolve(host.folder))
  const placeFor = placesOf({ folder, others: state().chat.folders, files, changes })

  const review = `review-${digestOf(subjectKey(subject), command, argument)}-`
  // The same review again: what it found before and nobody has kept is replaced.
  for (const comment of file.comments())
    if (comment.state === 'offered' && comment.id.startsWith(review)) file.change(comment.id, { state: 'dropped' })
  const { findings, left } = found
  let kept = 0
  for (const [index, finding] of findings.entries()) {
    const { isChanged, ...place } = await placeFor(finding.path)
    // No page would show it.
    if (!isChanged) continue
    kept += 1
    // Comments of the same moment stand in the order of their ids: the most serious first.
    const id = `${review}${digestOf(String(at))}-${String(index).padStart(3, '0')}`
    file.put(offeredComment({ finding, ...place }, { id, subject: subjectKey(subject), now: now() }))
  }
  if (findings.length === 0) return addProgramNotice('info', 'The review found nothing.')
  const counts = `The review found ${countsInWords(findings)}.`
  if (kept === 0) return addProgramNotice('info', `${counts} None is about a file that changed, so /diff shows none.`)
  const more = left === 0 ? '' : ` The first ${MOST_FINDINGS} of ${findings.length + left} are kept.`
  const beside = findings.length - kept
  const others = counted(
    beside,
    'is about a file that did not change, and is',
    'are about files that did not change, and are',
  )
  const where = subject.kind === 'session' ? '/diff' : `/diff ${oneLine(sanitize(named))}`
  addProgramNotice(
    'info',
    `${counts}${more}${beside === 0 ? '' : ` ${others} only in the answer.`}`,
    `${where} shows them on their lines: there you keep, edit or drop them, and send them back.`,
  )
}

const digestOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 12)
