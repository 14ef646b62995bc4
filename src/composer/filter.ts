/** The words of a filter, in lower case. */
export function wordsIn(filter: string): string[] {
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
}

/** Whether a text has all of these words, which are in lower case, in any case and order. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const searched = text.toLowerCase()
  return words.every(word => searched.includes(word))
}

/** The offsets of the first place of each word of a filter, in any case. */
export function wordPositions(text: string, filter: string): number[] {
  const lower = text.toLowerCase()
  // If lower case changes the length, the offsets do not fit.
  if (lower.length !== text.length) return []
  return wordsIn(filter).flatMap(word => {
    const start = lower.indexOf(word)
    return start < 0 ? [] : Array.from({ length: word.length }, (_, index) => start + index)
  })
}
