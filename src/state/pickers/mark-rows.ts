/** The rows of `/marks`. */
import { hasWords, wordsIn } from '../../composer/filter.ts'
import type { SessionMark } from '../../conversation/queries/session/mark.ts'
import type { SessionSummary } from '../../conversation/queries/session/session-summary.ts'
import { sessionName } from './session-rows.ts'

/** `session` is undefined while the sessions are being read, and for one that another program keeps. */
export type MarkRow = { mark: SessionMark; session: SessionSummary | undefined }

/** The marks with all words of a filter in their own words, their line, or the name or folder of their session. */
export function marksWith(filter: string, rows: readonly MarkRow[]): readonly MarkRow[] {
  const words = wordsIn(filter)
  if (words.length === 0) return rows
  return rows.filter(({ mark, session }) => {
    const about = session ? `${sessionName(session)}\n${session.folder}` : ''
    return hasWords(`${mark.word}\n${mark.line}\n${about}`, words)
  })
}
