/** Text objects: the piece of text around the caret that an operator or a selection takes. */
import { nextBoundary, previousBoundary } from '../graphemes.ts'
import { lineEnd, lineStart } from '../motion.ts'
import { closingOf, openingOf } from './find.ts'
import type { Reach } from './motions.ts'
import { backward, indentEnd, isBlank, isBlankLine, isLineEnd, isLineStart, onward } from './places.ts'
import { classAt, nextWord, nextWordEnd, previousWord, previousWordEnd, startOfRun } from './word-motions.ts'
import { lookup } from '../../text/lookup.ts'

export interface ObjectStart {
  readonly text: string
  readonly at: number
  readonly count: number
  /** The other end of a selection of more than one character; null without one. */
  readonly anchor: number | null
}

/** The text object with this name, such as `iw`; null if there is none. */
export function textObject(start: ObjectStart, name: string): (Reach & { from: number }) | null {
  const isAround = name.startsWith('a')
  const what = name.slice(1)
  if (what === 'w' || what === 'W') return words(start, isAround, what === 'W')
  if (what === 'p') return paragraphs(start, isAround)
  if (QUOTES.has(what)) return quoted(start, isAround, what)
  const pair = lookup(PAIRS, what)
  return pair === undefined ? null : block(start, isAround, pair)
}

const QUOTES: ReadonlySet<string> = new Set(['"', "'", '`'])

const PAIRS: Readonly<Record<string, readonly [opening: string, closing: string]>> = {
  '(': ['(', ')'],
  ')': ['(', ')'],
  b: ['(', ')'],
  '[': ['[', ']'],
  ']': ['[', ']'],
  '{': ['{', '}'],
  '}': ['{', '}'],
  B: ['{', '}'],
  '<': ['<', '>'],
  '>': ['<', '>'],
}

export function isObject(name: string): boolean {
  return (
    /^[ia]./u.test(name) &&
    ('wWp'.includes(name.slice(1)) || QUOTES.has(name.slice(1)) || Object.hasOwn(PAIRS, name.slice(1)))
  )
}

/** One place on, past the end of a line that is not empty. */
function onwardInText(text: string, at: number): number | null {
  const next = onward(text, at)
  if (next === null || !isLineEnd(text, next) || isLineStart(text, next)) return next
  return onward(text, next)
}

/** One place back, past the end of a line that is not empty. */
function backwardInText(text: string, at: number): number | null {
  const before = backward(text, at)
  if (before === null || !isLineEnd(text, before) || isLineStart(text, before)) return before
  return backward(text, before)
}

function words(
  { text, at, count, anchor }: ObjectStart,
  isAround: boolean,
  isBig: boolean,
): (Reach & { from: number }) | null {
  const blank = (place: number): boolean => classAt(text, place, isBig) === 0
  let from = anchor ?? at
  let to = at
  let left = count
  let takesWhite = false
  let isInclusive = true
  if (anchor === null) {
    from = startOfRun(text, at, isBig)
    to = from
    if (blank(from) === isAround) {
      const move = nextWordEnd(text, from, 1, isBig, { mayStay: true, stopsAtEmpty: true })
      if (move.isShort) return { from, to: move.to, kind: 'inclusive', isShort: true }
      to = move.to
    } else {
      to = nextWord(text, from, 1, isBig, true).to
      to = isLineStart(text, to) ? (backwardInText(text, to) ?? to) : previousBoundary(text, to)
      takesWhite = isAround
    }
    left -= 1
  }
  for (; left > 0; left -= 1) {
    isInclusive = true
    if (anchor !== null && to < anchor) {
      const further = backwardInText(text, to)
      if (further === null) return { from, to, kind: 'inclusive', isShort: true }
      to = further
      if (isAround === blank(to)) {
        // A word and the blanks before it, or the blanks alone.
        const move = isAround
          ? previousWord(text, to, 1, isBig, true)
          : { to: startOfBlanks(text, to, isBig), isShort: false }
        if (move.isShort) return { from, to: move.to, kind: 'inclusive', isShort: true }
        to = move.to
      } else if (isAround) {
        const move = previousWordEnd(text, to, 1, isBig, true)
        if (move.isShort) return { from, to: move.to, kind: 'inclusive', isShort: true }
        to = onwardInText(text, move.to) ?? move.to
      } else {
        const move = previousWord(text, to, 1, isBig, true)
        if (move.isShort) return { from, to: move.to, kind: 'inclusive', isShort: true }
        to = move.to
      }
      continue
    }
    const next = onwardInText(text, to)
    if (next === null) return { from, to, kind: 'inclusive', isShort: true }
    to = next
    if (isAround === blank(to)) {
      const move = nextWordEnd(text, to, 1, isBig, { mayStay: true, stopsAtEmpty: true })
      if (move.isShort) return { from, to: move.to, kind: 'inclusive', isShort: true }
      to = move.to
    } else {
      const move = nextWord(text, to, 1, isBig, true)
      if (move.isShort && left > 1) return { from, to: move.to, kind: 'inclusive', isShort: true }
      to = move.to
      if (isLineStart(text, to)) isInclusive = false
      else to = previousBoundary(text, to)
      takesWhite ||= isAround
    }
  }
  if (takesWhite && (!blank(to) || (isLineStart(text, to) && !isInclusive)) && !isLineStart(text, from)) {
    const white = startOfRun(text, previousBoundary(text, from), isBig)
    if (blank(white) && !isLineStart(text, white)) from = white
  }
  return { from, to, kind: isInclusive ? 'inclusive' : 'exclusive' }
}

function startOfBlanks(text: string, at: number, isBig: boolean): number {
  const { to } = previousWordEnd(text, at, 1, isBig, true)
  return onwardInText(text, to) ?? to
}

function paragraphs({ text, at, count, anchor }: ObjectStart, isAround: boolean): (Reach & { from: number }) | null {
  const isLast = (line: number): boolean => lineEnd(text, line) === text.length
  const above = (line: number): number => lineStart(text, line - 1)
  const below = (line: number): number => lineEnd(text, line) + 1
  const white = (line: number): boolean => isBlankLine(text, line)
  let from = lineStart(text, at)
  if (anchor !== null) return null
  const beginsWhite = white(from)
  while (from > 0 && white(above(from)) === beginsWhite) from = above(from)
  let to = from
  let isBeyond = !beginsWhite
  if (beginsWhite) while (!isLast(to) && white(below(to))) to = below(to)
  let left = !isAround && beginsWhite ? count - 1 : count
  for (; left > 0; left -= 1) {
    // At first, `to` is the first line of the paragraph itself.
    if (!isBeyond && isLast(to)) return null
    const next = isBeyond ? to : below(to)
    const takesWhite = !isAround && white(next)
    if (isAround || !takesWhite) {
      to = next
      while (!isLast(to) && !white(below(to))) to = below(to)
    } else to = next
    isBeyond = false
    if (left === 1 && beginsWhite && isAround) break
    if (isAround || takesWhite) while (!isLast(to) && white(below(to))) to = below(to)
  }
  if (!beginsWhite && !white(to) && isAround) while (from > 0 && white(above(from))) from = above(from)
  return { from, to, kind: 'linewise' }
}

/** The next unescaped quote from `from` on; null before the line's end. */
function nextQuote(text: string, from: number, quote: string, escapes: boolean): number | null {
  const end = lineEnd(text, from)
  for (let at = from; at < end; at += 1) {
    if (escapes && text[at] === '\\') at += 1
    else if (text[at] === quote) return at
  }
  return null
}

function previousQuote(text: string, from: number, quote: string): number | null {
  const start = lineStart(text, from)
  for (let at = from - 1; at >= start; at -= 1) {
    let slashes = 0
    while (at - slashes > start && text[at - slashes - 1] === '\\') slashes += 1
    if (slashes % 2 === 1) at -= slashes
    else if (text[at] === quote) return at
  }
  return null
}

function quoted({ text, at, count }: ObjectStart, isAround: boolean, quote: string): (Reach & { from: number }) | null {
  const strings = text[at] === quote ? stringAt(text, at, quote) : stringAround(text, at, quote)
  if (strings === null) return null
  let [from, to] = strings
  if (isAround) {
    if (isBlank(text, to + 1)) while (isBlank(text, to + 1)) to += 1
    else while (from > lineStart(text, at) && isBlank(text, from - 1)) from -= 1
    return { from, to, kind: 'inclusive' }
  }
  if (count > 1) return { from, to, kind: 'inclusive' }
  return { from: from + 1, to, kind: 'exclusive' }
}

/** The string that a quote under the caret begins or ends. */
function stringAt(text: string, at: number, quote: string): [number, number] | null {
  let from = lineStart(text, at)
  for (;;) {
    const opening = nextQuote(text, from, quote, false)
    if (opening === null || opening > at) return null
    const closing = nextQuote(text, opening + 1, quote, true)
    if (closing === null) return null
    if (at <= closing) return [opening, closing]
    from = closing + 1
  }
}

function stringAround(text: string, at: number, quote: string): [number, number] | null {
  const opening = previousQuote(text, at, quote) ?? nextQuote(text, lineStart(text, at), quote, false)
  const closing = opening === null ? null : nextQuote(text, opening + 1, quote, true)
  return opening === null || closing === null ? null : [opening, closing]
}

function block(
  { text, at, count, anchor }: ObjectStart,
  isAround: boolean,
  [opening, closing]: readonly [string, string],
): (Reach & { from: number }) | null {
  let from = anchor === null ? at : Math.min(anchor, at)
  if (anchor === null) {
    if (opening === '{') while (!isLineEnd(text, from) && isBlank(text, from) && indentEnd(text, from) > from) from += 1
    if (text[from] === opening) from += 1
  }
  const isInside = openingOf(text, from, opening, closing) !== null
  let start: number | null = from
  for (let left = count; left > 0 && start !== null; left -= 1) {
    start = isInside ? openingOf(text, start, opening, closing) : nextOpening(text, start + 1, opening, closing)
  }
  const end = start === null ? null : closingOf(text, start + 1, opening, closing)
  if (start === null || end === null) return null
  if (isAround) return { from: start, to: end, kind: 'inclusive' }
  return inside(text, start, end, opening === '{')
}

/** The next opening bracket; each closing bracket before it skips one. */
function nextOpening(text: string, from: number, opening: string, closing: string): number | null {
  return closingOf(text, from, closing, opening)
}

/** The text between two brackets. If a line begins with the closing one, the newline before it stays. */
function inside(text: string, opening: number, closing: number, isCode: boolean): Reach & { from: number } {
  const from = onwardInText(text, opening) ?? opening
  let isAtStart = isLineStart(text, closing)
  let to = backwardInText(text, closing) ?? closing
  if (isCode) {
    while (!isLineEnd(text, to) && isBlank(text, to) && indentEnd(text, to) > to) {
      isAtStart = true
      const before = backward(text, to)
      if (before === null) break
      const crosses = isLineStart(text, to)
      to = backwardInText(text, to) ?? to
      if (crosses) break
    }
  }
  if (isAtStart) return { from, to: onwardInText(text, to) ?? to, kind: 'exclusive' }
  return to >= from ? { from, to, kind: 'inclusive' } : { from, to: from, kind: 'exclusive' }
}

/** The place after a character, for a selection that ends with it. */
export function behind(text: string, at: number): number {
  return at >= text.length ? text.length : nextBoundary(text, at)
}
