/** The model's thinking: one dim line once it is over, its last rows while it grows, all of it if it is unfolded. */
import type { ThoughtPart } from '../conversation/part.ts'
import type { Styled } from '../style/styled.ts'
import { formatDuration } from '../text/format.ts'
import { sanitize } from '../text/sanitize.ts'
import { body, type ItemContext } from './entry-lines.ts'

/** Rows of a thought that grows, folded and unfolded, and the characters that are wrapped for them. */
const LIVE_ROWS = 2
const UNFOLDED_ROWS = 12
const LOOKED_AT = 2000
/** Milliseconds; a shorter time is not shown. */
const NOTABLE = 100

export function thoughtLines({ text, startedAt, endedAt }: ThoughtPart, context: ItemContext): Styled[] {
  const { theme, width, whole = false, detail, thoughts = false } = context
  const rows = (words: string): Styled[] => body(sanitize(words.trim()), width, theme.dim)
  if (endedAt === null) return rows(text.slice(-LOOKED_AT)).slice(thoughts ? -UNFOLDED_ROWS : -LIVE_ROWS)
  const time = endedAt - startedAt
  const title = rows(time < NOTABLE ? 'Thought' : `Thought for ${formatDuration(time)}`)
  return whole || thoughts || detail === 'full' ? [...title, ...rows(text)] : title
}
