/** Searches: for a character in the line, for a text in the draft, for the bracket that belongs to another one. */
import { lineEnd, lineStart } from '../motion.ts'
import { nextBoundary, previousBoundary } from '../graphemes.ts'
import { isLineStart } from './places.ts'
import type { VimTarget } from './vim.ts'
import { lookup } from '../../text/lookup.ts'

/** The place that f, F, t or T leads to; null if the character does not occur so often. */
export function findInLine(
  text: string,
  from: number,
  { name, argument }: VimTarget,
  count: number,
  isRepeated: boolean,
): number | null {
  const isForward = name === 'f' || name === 't'
  const isBefore = name === 't' || name === 'T'
  const end = lineEnd(text, from)
  let at = from
  // After t the caret is beside the character: a repetition continues from there.
  let skips = isRepeated && isBefore && count === 1
  for (let left = count; left > 0; left -= 1) {
    do {
      if (isForward) at = nextBoundary(text, at)
      else if (isLineStart(text, at)) return null
      else at = previousBoundary(text, at)
      if (isForward && at >= end) return null
      if (skips) {
        skips = false
        continue
      }
      if (text.slice(at, nextBoundary(text, at)) === argument) break
    } while (at >= 0)
  }
  if (!isBefore) return at
  return isForward ? previousBoundary(text, at) : nextBoundary(text, at)
}

/** The opposite of a search in a line, for `,`. */
export function reversed({ name, argument }: VimTarget): VimTarget {
  const opposite = lookup({ f: 'F', F: 'f', t: 'T', T: 't' }, name) ?? name
  return { name: opposite, argument }
}

/** The beginning of a match of the text, wrapping around at the end of the draft; null without one. */
export function findText(text: string, from: number, query: string, isForward: boolean, count: number): number | null {
  if (query === '') return null
  let at = from
  for (let left = count; left > 0; left -= 1) {
    const found = isForward ? text.indexOf(query, nextBoundary(text, at)) : lastBefore(text, query, at)
    if (found >= 0 && !(isForward && at >= text.length)) at = found
    else {
      const around = isForward ? text.indexOf(query) : text.lastIndexOf(query)
      if (around < 0) return null
      at = around
    }
  }
  return at
}

function lastBefore(text: string, query: string, at: number): number {
  return at === 0 ? -1 : text.lastIndexOf(query, at - 1)
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** The bracket that belongs to the first one of the line at or after the caret. */
export function matchingBracket(text: string, from: number): number | null {
  const end = lineEnd(text, from)
  for (let at = from; at < end; at += 1) {
    const sign = text[at] ?? ''
    const closing = lookup(PAIRS, sign)
    if (closing !== undefined) return closingOf(text, at + 1, sign, closing)
    const opening = lookup(CLOSING, sign)
    if (opening !== undefined) return openingOf(text, at, opening, sign)
  }
  return null
}

/** The opening bracket before `from` that nothing before `from` closes. */
export function openingOf(text: string, from: number, opening: string, closing: string): number | null {
  let depth = 0
  for (let at = from - 1; at >= 0; at -= 1) {
    if (text[at] === closing) depth += 1
    else if (text[at] === opening) {
      if (depth === 0) return at
      depth -= 1
    }
  }
  return null
}

/** The closing bracket at or after `from` that nothing after `from` opens. */
export function closingOf(text: string, from: number, opening: string, closing: string): number | null {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === opening) depth += 1
    else if (text[at] === closing) {
      if (depth === 0) return at
      depth -= 1
    }
  }
  return null
}

/** The start of the line that a paragraph ends at, further on or further back, and whether the text ended there. */
export function paragraphEdge(
  text: string,
  from: number,
  count: number,
  step: 1 | -1,
): { at: number; isEnd: boolean } | null {
  let at = lineStart(text, from)
  for (let left = count; left > 0; left -= 1) {
    let isInside = false
    for (let isFirst = true; ; isFirst = false) {
      const isEmpty = lineEnd(text, at) === at
      if (!isEmpty) isInside = true
      if (!isFirst && isInside && isEmpty) break
      const isOver = step > 0 ? lineEnd(text, at) === text.length : at === 0
      if (isOver) {
        if (left > 1) return null
        break
      }
      at = step > 0 ? lineEnd(text, at) + 1 : lineStart(text, at - 1)
    }
  }
  return { at, isEnd: step > 0 && lineEnd(text, at) === text.length }
}
