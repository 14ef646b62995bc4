import { editDistance } from './edit-distance.ts'

/**
 * The word most similar to this one; null when none is close. About a third of the letters may differ, so that two
 * swapped letters of four still match.
 */
export function nearest(word: string, words: readonly string[]): string | null {
  let best: { word: string; distance: number } | null = null
  for (const each of words) {
    const distance = editDistance(word, each)
    if (!best || distance < best.distance) best = { word: each, distance }
  }
  const most = Math.min(3, word.length - 1, Math.floor((word.length + 2) / 3))
  return best && best.distance <= most ? best.word : null
}
