import { truncate, type Ellipsis } from '../text/lines/shorten.ts'
import { trimOf } from '../text/styled.ts'
import { joinStyled, type Styled } from './styled.ts'

/** At most `most` lines; the last one goes on with the words of those after it, cut to `width` columns with a mark. */
export function firstLines(lines: readonly Styled[], most: number, width: number, mark: Ellipsis): readonly Styled[] {
  const last = lines[most - 1]
  if (lines.length <= most || last === undefined) return lines
  const whole = joinStyled([last, ...lines.slice(most).map(trimOf)], ' ')
  return [...lines.slice(0, most - 1), truncate(whole, width, mark)]
}
