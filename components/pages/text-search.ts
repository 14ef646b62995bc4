/** How the search of a page compares texts. */

/** The text in lower case, unless the query has a capital. */
export function foldCase(text: string, query: string): string {
  return /\p{Lu}/u.test(query) ? text : text.toLowerCase()
}

/** The lines of a text that contain `needle`, counted from 0. */
export function rowsWith(text: string, needle: string): number[] {
  const rows: number[] = []
  let row = 0
  let start = 0
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, start)) {
    for (let end = text.indexOf('\n', start); end >= 0 && end < at; end = text.indexOf('\n', start)) {
      row += 1
      start = end + 1
    }
    rows.push(row)
    const end = text.indexOf('\n', at)
    if (end < 0) return rows
    row += 1
    start = end + 1
  }
  return rows
}
