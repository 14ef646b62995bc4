/** The common beginning and end of two texts. Whole blocks are compared at once, which the engine does at memory speed. */

const BLOCK = 4096

/** The number of code units that both begin with. */
export function commonPrefix(a: string, b: string): number {
  const limit = Math.min(a.length, b.length)
  let at = 0
  while (at + BLOCK <= limit && a.slice(at, at + BLOCK) === b.slice(at, at + BLOCK)) at += BLOCK
  while (at < limit && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  return at
}

/** The number of code units that both end with, not counting the first `prefix` of either. */
export function commonSuffix(a: string, b: string, prefix: number): number {
  const limit = Math.min(a.length, b.length) - prefix
  let size = 0
  while (size + BLOCK <= limit && tail(a, size) === tail(b, size)) size += BLOCK
  while (size < limit && a.charCodeAt(a.length - 1 - size) === b.charCodeAt(b.length - 1 - size)) size += 1
  return size
}

function tail(text: string, size: number): string {
  return text.slice(text.length - size - BLOCK, text.length - size)
}
