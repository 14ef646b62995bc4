/**
 * Matches patterns with stars without a regular expression: those of a project meet texts of an agent, and an expression of a dozen
 * stars would not finish. Only the last star is ever taken back, so the steps are at most the product of both lengths.
 */

/** The parts of a pattern in order; null is a star, which stands for any number of items, also for none. */
export type Starred<Part> = readonly (Part | null)[]

/** Whether the pattern fits all items. `fits` is asked at most once for each pair of a part and an item. */
export function matchStars<Part, Item>(
  pattern: Starred<Part>,
  items: ArrayLike<Item>,
  fits: (part: Part, item: Item) => boolean,
): boolean {
  const fitsAt = (part: Part | null | undefined, at: number): boolean =>
    part !== null && part !== undefined && fits(part, items[at] as Item)
  // The parts after the last star can only be the end. Most patterns are decided here.
  let parts = pattern.length
  let count = items.length
  for (; parts > 0 && pattern[parts - 1] !== null; parts--, count--)
    if (count === 0 || !fitsAt(pattern[parts - 1], count - 1)) return false
  if (parts === 0) return count === 0
  let at = 0
  let item = 0
  let star = -1
  /** The first item that the last star leaves to the parts after it. */
  let from = 0
  while (at < parts) {
    if (pattern[at] === null) {
      star = at++
      from = item
    } else if (item < count && fitsAt(pattern[at], item)) {
      at++
      item++
    } else if (star < 0 || from >= count) {
      return false
    } else {
      at = star + 1
      item = ++from
    }
  }
  return true
}

/** The pieces between the stars of a text. A `*` stands for any characters, also for line ends. */
export type StarredText = readonly string[]

export function readStars(text: string): StarredText {
  return text.split('*')
}

/** Whether the whole text fits. Case-sensitive. The text is searched once for each star. */
export function fitsStars([first = '', ...others]: StarredText, text: string): boolean {
  const last = others.pop()
  if (last === undefined) return text === first
  const end = text.length - last.length
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const piece of others) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= end
}
