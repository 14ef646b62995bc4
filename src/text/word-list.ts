/** Lists that are easier to read as one text: words, separated by spaces and line ends. */

/** The words of a text, in their order; none for a text without any. */
export function wordList(text: string): string[] {
  return text.split(/\s+/).filter(word => word !== '')
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(wordList(text))
}
