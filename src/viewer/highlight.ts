/** Highlights matches of the search in a row. */
import { fromAnsi, toAnsi, withoutAnsi, type AnsiStyle, type AnsiPiece } from '../text/ansi.ts'
import { trusted, type Styled } from '../style/styled.ts'
import { foldCase } from './search.ts'

/** Inverse video is visible without colours, too. */
const INVERSE = { on: '7', off: '27' }

/** The row with every match of `query` in inverse video. */
export function highlighted(row: Styled, query: string): Styled {
  const text = foldCase(withoutAnsi(row), query)
  const wanted = foldCase(query, query)
  if (wanted === '' || !text.includes(wanted)) return row
  const pieces: AnsiPiece<AnsiStyle>[] = []
  let start = 0
  for (const { text: part, tag } of fromAnsi(row)) {
    for (const run of runs(part.length, start, text, wanted)) {
      const attributes = run.found ? [...tag.attributes, INVERSE] : tag.attributes
      pieces.push({ text: part.slice(run.from, run.to), tag: { ...tag, attributes } })
    }
    start += part.length
  }
  return trusted(toAnsi(pieces))
}

type Run = { from: number; to: number; found: boolean }

/** Splits a piece that begins at `start` where matches begin and end. */
function runs(length: number, start: number, text: string, wanted: string): Run[] {
  const found: Run[] = []
  let done = 0
  const end = start + length
  let at = text.indexOf(wanted, Math.max(0, start - wanted.length + 1))
  for (; at >= 0 && at < end; at = text.indexOf(wanted, at + wanted.length)) {
    const from = Math.max(done, at - start)
    const to = Math.min(length, at + wanted.length - start)
    if (from > done) found.push({ from: done, to: from, found: false })
    if (to > from) found.push({ from, to, found: true })
    done = Math.max(done, to)
  }
  if (done < length) found.push({ from: done, to: length, found: false })
  return found
}
