/** The mark at the end of a text that was cut before it was decoded: only its beginning was kept. */
import { formatBytes } from '../format.ts'

/** The bytes of texts that are kept of one result or finished answer of an agent: no model reads or writes as much at once. */
export const MOST_OF_LINE = 4 * 1024 * 1024

const MARK = /\n\[\.\.\. [\d.]{1,5} [kMGT]?B not read \.\.\.\]$/u

/** The mark for omitted bytes, without characters that JSON would escape except the line break before it. */
export function cutMark(omitted: number): string {
  return `\n[... ${formatBytes(omitted)} not read ...]`
}

/** The beginning of a text that was cut; null if it is whole. */
export function beginningOfCut(text: string): string | null {
  // A shorter text with such an end was not cut.
  const mark = text.length * 4 < MOST_OF_LINE ? null : MARK.exec(text.slice(-64))
  return mark ? text.slice(0, -mark[0].length) : null
}
