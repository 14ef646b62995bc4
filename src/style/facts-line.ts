/** Short facts on one line. Facts that do not fit are dropped, the least important first. */
import type { SafeText } from '../text/sanitize.ts'
import { displayWidth } from '../text/lines/width.ts'
import { joinStyled, type Styled } from './styled.ts'

export const GAP = '   '

/** The separator for a screen reader, which would read blanks aloud. */
export const SPOKEN_GAP = ', '

/** `rank` 0 stays longest. A dropped fact leaves its shorter form, which has its own rank. */
export type Fact = { text: SafeText | Styled; rank: number; shorter?: Fact }

/** The facts that fit beside each other, in their order. */
export function fitting(facts: readonly Fact[], room: number, gap = GAP): Fact[] {
  const kept = facts.filter(fact => displayWidth(fact.text) > 0)
  while (kept.length > 0 && widthOf(kept, gap) > room) {
    const last = Math.max(...kept.map(fact => fact.rank))
    const at = kept.findLastIndex(fact => fact.rank === last)
    const shorter = kept[at]?.shorter
    kept.splice(at, 1, ...(shorter ? [shorter] : []))
  }
  return kept
}

export function factsLine(facts: readonly Fact[], room: number, gap = GAP): Styled {
  return joinStyled(
    fitting(facts, room, gap).map(fact => fact.text),
    gap,
  )
}

export function widthOf(facts: readonly Fact[], gap: string): number {
  return facts.reduce((sum, fact) => sum + displayWidth(fact.text), gap.length * (facts.length - 1))
}
