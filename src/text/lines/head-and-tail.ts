/** Shortens texts by whole lines where it can, and never within a character. */
import { counted } from '../counted.ts'

/** A high surrogate whose second half was cut off. */
const HALF = /[\ud800-\udbff]$/
const ORPHAN = /^[\udc00-\udfff]/
/** The share of the room for the head. */
const HEAD = 0.6

export function beginningOf(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).replace(HALF, '').trimEnd()} [...]`
}

/** The first and the last lines of a text, at most about `limit` characters, with a line that says how much is missing between them. */
export function headAndTail(text: string, limit: number): string {
  if (text.length <= limit) return text
  const headRoom = Math.floor(limit * HEAD)
  const tailStart = text.length - (Math.floor(limit) - headRoom)
  const headEnd = text.lastIndexOf('\n', headRoom)
  const tailBegin = text.indexOf('\n', tailStart - 1)
  // A very long line is cut inside.
  const head = headEnd > headRoom / 2 ? text.slice(0, headEnd) : text.slice(0, headRoom).replace(HALF, '')
  const isNear = tailBegin >= 0 && tailBegin - tailStart < (text.length - tailStart) / 2
  const tail = isNear ? text.slice(tailBegin + 1) : text.slice(tailStart).replace(ORPHAN, '')
  const gone = text.slice(head.length, text.length - tail.length)
  const lines = gone.split('\n').filter(line => line !== '').length
  const isOneLine = !gone.includes('\n')
  const amount = isOneLine ? counted(gone.length, 'character') : counted(lines, 'line')
  const mark = `[... ${amount} left out ...]`
  return isOneLine ? `${head}${mark}${tail}` : `${head}\n${mark}\n${tail}`
}
