/** The letters that suit what was typed, made to stand out. */
import { wordsIn } from '../composer/completion.ts'
import { oneLine, sanitize, type SafeText } from '../text/sanitize.ts'
import { truncate, type Ellipsis } from '../text/shorten.ts'
import { graphemes, padTo } from '../text/width.ts'
import { drawn, joinStyled, type Paint, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'

export type MatchPaints = { plain: Paint; matched: Paint }

/** The paints of a row in a list. */
export function matchPaints({ matched, selected }: Pick<Theme, 'matched' | 'selected'>, chosen: boolean): MatchPaints {
  return chosen
    ? { plain: selected, matched: text => selected(matched(text)) }
    : { plain: text => drawn`${text}`, matched }
}

/** The text with the characters at `positions` (offsets in it) in a paint of their own; whole characters only. */
export function withMatches(text: SafeText, positions: readonly number[], { plain, matched }: MatchPaints): Styled {
  if (positions.length === 0) return plain(text)
  const wanted = new Set(positions)
  const runs: { text: string; isMatched: boolean }[] = []
  let at = 0
  for (const character of graphemes(text)) {
    const isMatched = offsets(at, character.length).some(each => wanted.has(each))
    const last = runs.at(-1)
    if (last?.isMatched === isMatched) last.text += character
    else runs.push({ text: character, isMatched })
    at += character.length
  }
  return joinStyled(runs.map(run => (run.isMatched ? matched : plain)(sanitize(run.text))))
}

/**
 * Where offsets in a whole text are in what was left of it when its end or its middle was taken out for `mark`. Those that
 * were taken out are left out.
 */
export function positionsLeft(
  positions: readonly number[],
  { whole, shown, mark }: { whole: string; shown: string; mark: Ellipsis },
): number[] {
  if (shown === whole) return [...positions]
  const cut = shown.indexOf(mark)
  if (cut < 0) return []
  const shift = whole.length - shown.length
  return positions.flatMap(at => {
    if (at < cut) return [at]
    return at - shift >= cut + mark.length ? [at - shift] : []
  })
}

/** The name of a row, in so many columns, with the letters that suit the filter. */
export function matchedName(
  name: string,
  { positions, chosen, width }: { positions: readonly number[]; chosen: boolean; width: number },
  { signs: { ellipsis }, ...theme }: Theme,
): Styled {
  const whole = oneLine(sanitize(name))
  const shown = truncate(whole, width, ellipsis)
  const left = positionsLeft(whole === name ? positions : [], { whole, shown, mark: ellipsis })
  return withMatches(padTo(shown, width), left, matchPaints(theme, chosen))
}

/** The offsets of the first place of each word of a filter, in any case. */
export function wordPositions(text: string, filter: string): number[] {
  const lower = text.toLowerCase()
  // Where lower case is longer, offsets mean other letters.
  if (lower.length !== text.length) return []
  return wordsIn(filter).flatMap(word => {
    const start = lower.indexOf(word)
    return start < 0 ? [] : offsets(start, word.length)
  })
}

function offsets(from: number, length: number): number[] {
  return Array.from({ length }, (_, index) => from + index)
}
