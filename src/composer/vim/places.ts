/** Places in a text as vim counts them: the end of each line is a place, and its newline is no character. */
import { boundaryUpTo, eachCharacter, nextBoundary, previousBoundary } from '../graphemes.ts'
import { lineEnd, lineStart } from '../motion.ts'

/** Columns between two tab stops. */
const TAB_STOP = 4

export function isLineEnd(text: string, at: number): boolean {
  return at >= text.length || text[at] === '\n'
}

export function isLineStart(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === '\n'
}

/** The last character of the line; the line's start if it is empty. */
export function lastOnLine(text: string, at: number): number {
  const end = lineEnd(text, at)
  return isLineStart(text, end) ? end : previousBoundary(text, end)
}

/** The nearest character that the caret can stand on. */
export function onCharacter(text: string, at: number): number {
  const place = boundaryUpTo(text, at)
  return isLineEnd(text, place) ? lastOnLine(text, place) : place
}

/** The first character of the line that is no blank; of a line of blanks its last one. */
export function firstNonBlank(text: string, at: number): number {
  return Math.min(indentEnd(text, at), lastOnLine(text, at))
}

/** The end of the blanks that the line begins with. */
export function indentEnd(text: string, at: number): number {
  let place = lineStart(text, at)
  while (isBlank(text, place)) place += 1
  return place
}

export function isBlank(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t'
}

/** Whether the line has nothing but blanks. */
export function isBlankLine(text: string, at: number): boolean {
  return isLineEnd(text, indentEnd(text, at))
}

/** The start of the line that is `lines` below (or above), no further than the text goes. */
export function lineAway(text: string, at: number, lines: number): number {
  let start = lineStart(text, at)
  for (let left = lines; left > 0; left -= 1) {
    const end = lineEnd(text, start)
    if (end === text.length) break
    start = end + 1
  }
  for (let left = lines; left < 0 && start > 0; left += 1) start = lineStart(text, start - 1)
  return start
}

/** The number of the line, from 0. */
export function lineNumber(text: string, at: number): number {
  return text.slice(0, at).split('\n').length - 1
}

/** The column of a place in its line, whatever the width of the screen. A caret on a tab stands at the tab's end. */
export function columnAt(text: string, at: number): number {
  const { from, to } = columnsAt(text, at)
  return text[at] === '\t' ? to : from
}

/** The first and the last column of a character; at the end of a line both are the column there. */
export function columnsAt(text: string, at: number): { from: number; to: number } {
  let place = lineStart(text, at)
  let column = 0
  let next = 0
  eachCharacter(text.slice(place, lineEnd(text, at)), (length, columns) => {
    next = column + (text[place] === '\t' ? TAB_STOP - (column % TAB_STOP) : columns)
    if (place >= at) return false
    column = next
    place += length
    return true
  })
  return { from: column, to: Math.max(column, next - 1) }
}

/**
 * The character of the line at `at` that covers a column. If the line is shorter, that is its last one, or its end if
 * the caret can stand there.
 */
export function placeAtColumn(text: string, at: number, target: number | 'end', mayBeEnd: boolean): number {
  if (target === 'end') return mayBeEnd ? lineEnd(text, at) : lastOnLine(text, at)
  let place = lineStart(text, at)
  let column = 0
  eachCharacter(text.slice(place, lineEnd(text, at)), (length, columns) => {
    column += text[place] === '\t' ? TAB_STOP - (column % TAB_STOP) : columns
    if (column > target) return false
    place += length
    return true
  })
  return mayBeEnd ? place : onCharacter(text, place)
}

/** The place one further: a character, or the end of a line. Null at the end of the text. */
export function onward(text: string, at: number): number | null {
  return at >= text.length ? null : nextBoundary(text, at)
}

/** The place one back; null at the start of the text. */
export function backward(text: string, at: number): number | null {
  return at <= 0 ? null : previousBoundary(text, at)
}
