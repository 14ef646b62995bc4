/**
 * The characters that Option with a letter types on a Mac with the US layout, where the terminal does not send Alt: only for
 * letters that have a key binding. Some of these are letters of a language (`ç`, and `å` on other layouts), so this is for
 * input from a Mac without a better protocol, and the user must be able to switch it off. Shifted characters such as `Ç` and
 * `Î` are left alone, since they are far more often typed as text. Pure.
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

/** The key that types this character, such as `alt+b` for `∫`; null where the character is text. */
export function macOptionKey(character: string): string | null {
  const letter = TYPED.get(character)
  return letter === undefined ? null : `alt+${letter}`
}
