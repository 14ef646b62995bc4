/**
 * The movements by word. A word is a run of characters of one class: letters and digits, punctuation, or a script that puts no
 * blanks between words. A WORD is a run of anything but blanks. An empty line is a word, too.
 */
import { chipColumns } from '../chips.ts'
import { nextBoundary } from '../graphemes.ts'
import { backward, isLineEnd, isLineStart, onward } from './places.ts'

const SCRIPTS: readonly RegExp[] = [
  /^\p{Extended_Pictographic}/u,
  /^\p{Script=Hiragana}/u,
  /^\p{Script=Katakana}/u,
  /^\p{Script=Han}/u,
  /^\p{Script=Hangul}/u,
]
const BLANK = /^[ \t\u00A0\u2000-\u200B\u3000]/
const WORD = /^[\p{L}\p{N}\p{M}_\u00C0-\u00FF]/u
const PUNCTUATION = /^[\p{P}\p{S}]/u

/** The class of a character: 0 for blanks and the end of a line. Each chip has its own class. */
export function classAt(text: string, at: number, isBig: boolean): number {
  if (isLineEnd(text, at)) return 0
  const unit = text.charCodeAt(at)
  if (unit === 0x20 || unit === 0x09) return 0
  if (isBig) return BLANK.test(text[at] ?? '') ? 0 : 1
  const character = text.slice(at, nextBoundary(text, at))
  if (BLANK.test(character)) return 0
  if (chipColumns(character) !== null) return character.codePointAt(0) ?? 0
  const script = unit < 0x80 ? -1 : SCRIPTS.findIndex(pattern => pattern.test(character))
  if (script >= 0) return 3 + script
  if (WORD.test(character)) return 2
  return unit < 0x80 || PUNCTUATION.test(character) ? 1 : 2
}

/** A place, and whether the text ended before the movement was complete. */
export interface WordMove {
  readonly to: number
  readonly isShort: boolean
}

const isEmptyLine = (text: string, at: number): boolean => isLineStart(text, at) && isLineEnd(text, at)

/** To the start of a word further on. With `staysInLine` the last word does not leave its line, as for an operator. */
export function nextWord(text: string, from: number, count: number, isBig: boolean, staysInLine: boolean): WordMove {
  let at = from
  for (let left = count; left > 0; left -= 1) {
    const stops = staysInLine && left === 1
    const own = classAt(text, at, isBig)
    const next = onward(text, at)
    if (next === null) return { to: at, isShort: true }
    const isLast = text.indexOf('\n', at) < 0
    const wasAtEnd = isLineEnd(text, at)
    at = next
    if (isLast && isLineEnd(text, at)) return { to: at, isShort: true }
    if (stops && (wasAtEnd || isLineEnd(text, at))) return { to: at, isShort: false }
    while (isOfClass(text, at, isBig, own)) {
      at = nextBoundary(text, at)
      if (stops && isLineEnd(text, at)) return { to: at, isShort: false }
    }
    while (classAt(text, at, isBig) === 0 && !isEmptyLine(text, at)) {
      const behind = onward(text, at)
      if (behind === null) return { to: at, isShort: false }
      at = behind
      if (isLineEnd(text, at) && (stops || text.indexOf('\n', at) < 0)) return { to: at, isShort: false }
    }
  }
  return { to: at, isShort: false }
}

/** To the end of a word further on. `mayStay`: a word's end counts as the end of that word. */
export function nextWordEnd(
  text: string,
  from: number,
  count: number,
  isBig: boolean,
  { mayStay = false, stopsAtEmpty = false } = {},
): WordMove {
  let at = from
  for (let left = count; left > 0; left -= 1) {
    const own = classAt(text, at, isBig)
    const next = onward(text, at)
    if (next === null) return { to: at, isShort: true }
    at = next
    const isInside = own !== 0 && classAt(text, at, isBig) === own
    const stays = mayStay && left === count && own !== 0
    if (!isInside && !stays) {
      while (classAt(text, at, isBig) === 0) {
        if (stopsAtEmpty && isEmptyLine(text, at)) break
        const behind = onward(text, at)
        if (behind === null) return { to: at, isShort: true }
        at = behind
      }
      if (isEmptyLine(text, at)) continue
    }
    if (isInside || !stays) at = endOfRun(text, at, isBig)
    at = backward(text, at) ?? at
  }
  return { to: at, isShort: false }
}

function isOfClass(text: string, at: number, isBig: boolean, wordClass: number): boolean {
  return wordClass !== 0 && classAt(text, at, isBig) === wordClass
}

function endOfRun(text: string, from: number, isBig: boolean): number {
  const own = classAt(text, from, isBig)
  let at = from
  while (isOfClass(text, at, isBig, own)) at = nextBoundary(text, at)
  return at
}

/** To the start of a word further back. `mayStay`: see `nextWordEnd`. */
export function previousWord(text: string, from: number, count: number, isBig: boolean, mayStay = false): WordMove {
  let at = from
  for (let left = count; left > 0; left -= 1) {
    const own = classAt(text, at, isBig)
    const before = backward(text, at)
    if (before === null) return { to: at, isShort: true }
    at = before
    if (mayStay && left === count && own !== 0 && classAt(text, at, isBig) !== own) {
      at = nextBoundary(text, at)
      continue
    }
    while (classAt(text, at, isBig) === 0 && !isEmptyLine(text, at)) {
      const further = backward(text, at)
      if (further === null) return { to: at, isShort: false }
      at = further
    }
    if (isEmptyLine(text, at)) continue
    at = startOfRun(text, at, isBig)
    // At the start of the text the rest of the count is forgotten.
    if (at === 0) return { to: at, isShort: false }
  }
  return { to: at, isShort: false }
}

/** The start of the run of one class, blanks included, without leaving the line. */
export function startOfRun(text: string, from: number, isBig: boolean): number {
  const own = classAt(text, from, isBig)
  let at = from
  while (!isLineStart(text, at)) {
    const before = backward(text, at) ?? at
    if (classAt(text, before, isBig) !== own) break
    at = before
  }
  return at
}

/** To the end of a word further back. With `staysInLine` it does not leave its line. */
export function previousWordEnd(
  text: string,
  from: number,
  count: number,
  isBig: boolean,
  staysInLine = false,
): WordMove {
  let at = from
  for (let left = count; left > 0; left -= 1) {
    const own = classAt(text, at, isBig)
    let before = backward(text, at)
    if (before === null) return { to: at, isShort: true }
    const leaves = (place: number): boolean => staysInLine && isLineEnd(text, place)
    at = before
    if (leaves(at)) return { to: at, isShort: false }
    while (isOfClass(text, at, isBig, own)) {
      before = backward(text, at)
      if (before === null) return { to: at, isShort: false }
      at = before
      if (leaves(at)) return { to: at, isShort: false }
    }
    while (classAt(text, at, isBig) === 0 && !isEmptyLine(text, at)) {
      before = backward(text, at)
      if (before === null) return { to: at, isShort: false }
      at = before
      if (leaves(at)) return { to: at, isShort: false }
    }
  }
  return { to: at, isShort: false }
}
