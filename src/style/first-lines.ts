import { truncate, type Ellipsis } from '../text/lines/shorten.ts'
import { trimOf } from '../text/styled.ts'
import { sanitize } from '../text/sanitize.ts'
import { GAP } from './facts-line.ts'
import { drawn, joinStyled, type Styled } from './styled.ts'

/** At most `most` lines; the last one goes on with the words of those after it, cut to `width` columns with a mark. */
export function firstLines(lines: readonly Styled[], most: number, width: number, mark: Ellipsis): readonly Styled[] {
  const last = lines[most - 1]
  if (lines.length <= most || last === undefined) return lines
  const whole = joinStyled([last, ...lines.slice(most).map(trimOf)], ' ')
  return [...lines.slice(0, most - 1), truncate(whole, width, mark)]
}

/** The same with the lines of several notes. On the last line a gap stands between two notes. */
export function firstNotes(
  notes: readonly (readonly Styled[])[],
  most: number,
  width: number,
  mark: Ellipsis,
): readonly Styled[] {
  const lines = notes.flat()
  const last = lines[most - 1]
  if (lines.length <= most || last === undefined) return lines
  const begins = new Set(notes.map(([first]) => first))
  const whole = lines
    .slice(most)
    .reduce((before, line) => drawn`${before}${sanitize(begins.has(line) ? GAP : ' ')}${trimOf(line)}`, last)
  return [...lines.slice(0, most - 1), truncate(whole, width, mark)]
}
