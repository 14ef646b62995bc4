/** A copy of a slice. A slice itself keeps the whole text alive: a word of a pasted megabyte holds the megabyte. */
export function detached(slice: string): string {
  return ` ${slice}`.slice(1)
}
