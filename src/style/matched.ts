/** Highlights the letters that match the typed text. */
import { sanitize, type SafeText } from '../text/sanitize.ts'
import { truncate, type Ellipsis } from '../text/lines/shorten.ts'
import { graphemes, padTo } from '../text/lines/width.ts'
import { drawn, joinStyled, type Paint, type Styled } from './styled.ts'
import type { Theme } from './theme.ts'

export type MatchPaints = { plain: Paint; matched: Paint }

/** The paints of a row in a list. */
export function matchPaints({ matched, selected }: Pick<Theme, 'matched' | 'selected'>, chosen: boolean): MatchPaints {
  return chosen
    ? { plain: selected, matched: text => selected(matched(text)) }
    : { plain: text => drawn`${text}`, matched }
}

/** The text with the characters at these offsets painted differently; whole characters only. */
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
 * Maps offsets in a text to a shortened version in which `mark` replaces the end or the middle. Offsets in the removed part are
 * dropped.
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

/** The name of a row in `width` columns, with its matched letters highlighted. */
export function matchedName(
  { name, positions }: { name: SafeText; positions: readonly number[] },
  { chosen, width }: { chosen: boolean; width: number },
  theme: Theme,
): Styled {
  const { ellipsis } = theme.signs
  const shown = truncate(name, width, ellipsis)
  const left = positionsLeft(positions, { whole: name, shown, mark: ellipsis })
  return withMatches(padTo(shown, width), left, matchPaints(theme, chosen))
}

function offsets(from: number, length: number): number[] {
  return Array.from({ length }, (_, index) => from + index)
}
