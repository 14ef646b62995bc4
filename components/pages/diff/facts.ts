/** Facts and key hints for the line at the bottom. */
import type { Fact } from '../../../src/style/facts-line.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { keyedLine, type KeyNames } from '../../../src/text/key-hints.ts'
import { oneLine, sanitize, type SafeText } from '../../../src/text/sanitize.ts'

const ALWAYS = ['{diff.help} keys', '{diff.leave} closes']

/** Key hints, the most useful first: as many as there is room for, and those of every page, with the rank `shortRank`. */
export function keyFacts(
  hints: readonly string[],
  shortRank: number,
  names: KeyNames,
  theme: Theme,
  always: readonly string[] = ALWAYS,
): Fact {
  const least = dim(keyedLine(names, always.length > 0 ? always : hints.slice(0, 1)), shortRank, theme)
  return hints.reduce(
    (fact, _, index) => dim(keyedLine(names, [...hints.slice(0, index + 1), ...always]), 4, theme, fact),
    least,
  )
}

export function dim(words: string, rank: number, theme: Theme, shorter?: Fact): Fact {
  const text: SafeText = oneLine(sanitize(words))
  return shorter ? { text: theme.dim(text), rank, shorter } : { text: theme.dim(text), rank }
}
