/**
 * Paths made ready to be searched at each key: all their letters, folded, in one row of numbers, which is several times
 * faster to go through than as many strings.
 */
import type { Paths } from './collection.ts'

export type PathIndex = {
  readonly paths: Paths
  /** The letters of all paths, one after the other, as UTF-16 units in lower case. */
  readonly codes: Uint16Array
  /** The start of each path in `codes`, and the end of the last one. */
  readonly starts: readonly number[]
  /** The start of each path's last part in `codes`; a directory's ends with a slash. One for each ready path. */
  readonly names: readonly number[]
  /** Which letters each path has; see `letterBit`. */
  readonly letters: readonly number[]
  /** Which capitals, in the same way. */
  readonly capitals: readonly number[]
}

/** `paths` may grow; nothing else of it may change. Nothing of it is ready before the first `extendIndex`. */
export function createPathIndex(paths: Paths): PathIndex {
  return { paths, codes: new Uint16Array(64 * 1024), starts: [0], names: [], letters: [], capitals: [] }
}

type Growing = { codes: Uint16Array; starts: number[]; names: number[]; letters: number[]; capitals: number[] }

/** Makes up to `count` more of the index's paths ready. Returns whether all that there are now are. */
export function extendIndex(index: PathIndex, count: number): boolean {
  // It is nobody else's to change; a getter around each field would cost more than the search.
  const growing = index as PathIndex & Growing
  const end = Math.min(index.paths.length, index.names.length + count)
  for (let at = index.names.length; at < end; at += 1) add(growing, index.paths[at] ?? '')
  return end === index.paths.length
}

function add(index: Growing, path: string): void {
  const start = index.starts.at(-1) ?? 0
  if (start + path.length > index.codes.length) index.codes = grown(index.codes, start + path.length)
  const { codes } = index
  let name = start
  let bits = 0
  let capitals = 0
  for (let at = 0; at < path.length; at += 1) {
    const original = path.charCodeAt(at)
    const code = foldCode(original)
    const bit = letterBit(code)
    codes[start + at] = code
    bits |= bit
    if (code !== original) capitals |= bit
    if (code === SLASH && at < path.length - 1) name = start + at + 1
  }
  index.starts.push(start + path.length)
  index.names.push(name)
  index.letters.push(bits)
  index.capitals.push(capitals)
}

export const SLASH = 47

/** A UTF-16 unit in lower case; one whose lower case is longer stays as it is. */
export function foldCode(code: number): number {
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code
  const lower = String.fromCharCode(code).toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : code
}

/** One bit for each letter and for what is frequent in paths; the rest share two. A path without the bit lacks the letter. */
export function letterBit(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97)
  if (code >= 48 && code <= 57) return 1 << 26
  if (code === SLASH) return 1 << 27
  if (code === 46) return 1 << 28
  if (code === 45 || code === 95) return 1 << 29
  return code < 128 ? 1 << 30 : 1 << 31
}

function grown(codes: Uint16Array, least: number): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(Math.max(least, codes.length * 2))
  larger.set(codes)
  return larger
}
