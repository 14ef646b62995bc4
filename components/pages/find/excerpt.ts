/** The words around a match, with the match marked, in rows. */
import type { FoundPassage } from '../../../src/app/pages/pages.ts'
import { boundaryUpTo } from '../../../src/composer/graphemes.ts'
import { empty, joinStyled, type Styled } from '../../../src/style/styled.ts'
import { sliceOf } from '../../../src/text/styled.ts'
import { truncate } from '../../../src/text/lines/shorten.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import type { PageContext } from '../page-rows.ts'

/** Columns before an excerpt, and one at the right edge. */
export const INDENT = 4

/** At most `most` rows, with the first match in them. */
export function excerptRows(passage: FoundPassage, most: number, { theme, size }: PageContext): Styled[] {
  const width = Math.max(4, size.columns - INDENT - 1)
  const { text, at } = markedExcerpt(passage, theme)
  if (most === 1) return [truncate(fromMatch(text, at, width, theme.signs.ellipsis), width, theme.signs.ellipsis)]
  const rows = wrap(text, width)
  if (rows.length <= most) return rows
  const last = joinStyled([rows[most - 1] ?? empty, sanitize(` ${theme.signs.ellipsis}`)])
  return [...rows.slice(0, most - 1), truncate(last, width, theme.signs.ellipsis)]
}

type MarkedExcerpt = {
  text: Styled
  /** The first match in it; null if there is none. */
  at: readonly [from: number, to: number] | null
}

/** Ranges that are no ranges of the excerpt are ignored. */
function markedExcerpt({ excerpt, matches }: FoundPassage, { matched, signs }: PageContext['theme']): MarkedExcerpt {
  const parts: Styled[] = []
  let done = 0
  let length = 0
  let first: MarkedExcerpt['at'] = null
  const add = (part: Styled): void => {
    parts.push(part)
    length += part.text.length
  }
  const plain = (to: number): void =>
    add(joinStyled([oneLine(sanitize(withMarks(excerpt.slice(done, to), signs.ellipsis)))]))
  for (const [from, to] of matches) {
    if (from < done || to <= from || to > excerpt.length) continue
    plain(from)
    const before = length
    add(matched(oneLine(sanitize(excerpt.slice(from, to)))))
    first ??= [before, length]
    done = to
  }
  plain(excerpt.length)
  return { text: joinStyled(parts), at: first }
}

/** What was left out before and behind an excerpt, with this sign. */
function withMarks(text: string, mark: string): string {
  return text.replace(/^…/, mark).replace(/…$/, mark)
}

/** The text from so far before the match that the match is seen. */
function fromMatch(text: Styled, at: MarkedExcerpt['at'], width: number, mark: string): Styled {
  if (!at || displayWidth(text.text.slice(0, at[1])) <= width - mark.length) return text
  const before = Math.max(0, at[0] - Math.floor(width / 3))
  const start = boundaryUpTo(text.text, before)
  return joinStyled([sanitize(mark), sliceOf(text, start, text.text.length)])
}
