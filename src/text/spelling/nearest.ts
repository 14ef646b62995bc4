import { editDistance } from './edit-distance.ts'

/**
 * The known word that is meant by a mistyped one, in any case: the first that begins with it, or else the most similar;
 * null if none is close. About a third of the letters may differ, so that two swapped letters of four still match.
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
  return best && best.distance <= most ? best.word : null
}
