/**
 * Where a line may be broken, the same in the composer and in all that is printed: at blanks, and within CJK text, which has none,
 * beside each character, but not before a closing mark and not after an opening one. Korean has blanks and is not broken within a
 * word. An emoji belongs to the word that it touches.
 */
const ideograph = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u
const neverBegins =
  /^[\p{Close_Punctuation}\p{Final_Punctuation}、。，．・：；？！ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ,.!?:;%]/u
const neverEnds = /^[\p{Open_Punctuation}\p{Initial_Punctuation}]/u

/** The first code unit of CJK text, and of the surrogates: below it, a character needs no look at the tables. */
export const FIRST_IDEOGRAPH = 0x2e80

/** Whether a line may end between two characters that are not blank. */
export function mayBreak(before: string, after: string): boolean {
  if (!ideograph.test(before) && !ideograph.test(after)) return false
  return !neverBegins.test(after) && !neverEnds.test(before)
}
