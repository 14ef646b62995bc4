import { editDistance } from './edit-distance.ts'

/** The word that is most like this one; null where none is much like it. */
export function nearest(word: string, words: readonly string[]): string | null {
  let best: { word: string; distance: number } | null = null
  for (const each of words) {
    const distance = editDistance(word, each)
    if (!best || distance < best.distance) best = { word: each, distance }
  }
  const most = Math.min(3, Math.floor(word.length / 2))
  return best && best.distance <= most ? best.word : null
}
