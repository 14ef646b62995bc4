/** A slice keeps the text that it was cut from alive: a word of a pasted megabyte holds the megabyte. This one is a copy. */
export function detached(slice: string): string {
  return ` ${slice}`.slice(1)
}
