import { editDistance } from './edit-distance.ts'

/** Whether a longer word begins with a known one, and continues with a letter. */
function isBeginning(name: string, typed: string): boolean {
  return name.length >= LEAST_BEGINNING && typed.startsWith(name) && /^\p{L}/u.test(typed.slice(name.length))
}

/** Letters of a known word that counts as the beginning of a longer one. */
const LEAST_BEGINNING = 5

/**
 * The known word that is meant by a mistyped one, in any case: the first that begins with it, or else the most similar;
 * null if none is close. About a third of the letters may differ, so that two swapped letters of four still match. If
 * nothing is that similar, a longer word means the known one with which it begins: `statusLineCommand` means `statusLine`.
 */
export function nearest(word: string, words: readonly string[]): string | null {
  if (word === '') return null
  const typed = word.toLowerCase()
  let best: { word: string; distance: number } | null = null
  for (const each of words) {
    const name = each.toLowerCase()
    const distance = name.startsWith(typed) ? 0 : editDistance(typed, name)
    if (!best || distance < best.distance) best = { word: each, distance }
  }
  const most = Math.min(3, word.length - 1, Math.floor((word.length + 2) / 3))
  if (best && best.distance <= most) return best.word
  const beginnings = words.filter(each => isBeginning(each.toLowerCase(), typed))
  return beginnings.toSorted((a, b) => b.length - a.length)[0] ?? null
}
