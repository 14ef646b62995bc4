/**
 * What Option with a letter types on a Mac with the US layout, where the terminal does not send Alt for it: only the
 * letters that have a key binding. Some of these are letters of a language (`ç`, and `å` on other layouts), so this is for
 * input from a Mac that has no better protocol, and the person must be able to switch it off. Nothing with Shift: `Ç`
 * and `Î` are far more often meant. Pure.
 */
const TYPED: ReadonlyMap<string, string> = new Map([
  ['∫', 'b'],
  ['ç', 'c'],
  ['∂', 'd'],
  ['ƒ', 'f'],
  ['˚', 'k'],
  ['µ', 'm'],
  // Greek mu, which some input methods send for the sign.
  ['μ', 'm'],
  ['π', 'p'],
  ['®', 'r'],
  ['√', 'v'],
  ['¥', 'y'],
])

/** The key that was pressed for this one character, such as `alt+b` for `∫`; null where it is text. */
export function macOptionKey(character: string): string | null {
  const letter = TYPED.get(character)
  return letter === undefined ? null : `alt+${letter}`
}
