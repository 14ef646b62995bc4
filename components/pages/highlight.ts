/** Highlights matches of the search in a row. */
import { inStyle, joinStyled, sliceOf, textStyle, type Styled } from '../../src/text/styled.ts'
import { foldCase } from './text-search.ts'

/** Inverse video is visible without colours, too. */
const INVERSE = textStyle({ attributes: ['inverse'] })

/** The row with every match of `query` in inverse video. */
export function highlighted(row: Styled, query: string): Styled {
  const text = foldCase(row.text, query)
  const needle = foldCase(query, query)
  if (needle === '' || !text.includes(needle)) return row
  const parts: Styled[] = []
  let done = 0
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, done)) {
    parts.push(sliceOf(row, done, at), inStyle(INVERSE, sliceOf(row, at, at + needle.length)))
    done = at + needle.length
  }
  return joinStyled([...parts, sliceOf(row, done, row.text.length)])
}
