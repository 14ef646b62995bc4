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
