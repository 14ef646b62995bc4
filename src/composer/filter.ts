/** The words of a filter, in lower case. */
export function wordsIn(filter: string): string[] {
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
}
