/** The visible part of a diff, and its current hunk. */
import type { DiffLine } from '../tools/diff/change.ts'
import type { Styled } from '../style/styled.ts'
import type { DiffRows, Row } from './rows.ts'

/** A line on the screen and its row. */
export type SeenRow = { row: Row; text: Styled }

type Place = { row: number; line: number }

export class DiffWindow {
  #rows: DiffRows | null = null
  #top: Place = { row: 0, line: 0 }
  /** The current hunk. */
  hunk = 0

  /** Shows another diff from its top, or the same one drawn differently. */
  put(rows: DiffRows, isOther: boolean): void {
    const before = this.#rows?.rows[this.#top.row]
    const last = this.#rows
    this.#rows = rows
    if (isOther) {
      this.#top = { row: 0, line: 0 }
      this.hunk = 0
      return
    }
    // The same line stays at the top if it still exists.
    const line = before?.left ?? before?.right
    const same = line ? placeOf(line, rows) : -1
    const sameHunk = before && last ? rows.headOf(Math.min(before.hunk, rows.hunks - 1)) : 0
    this.#top = { row: Math.max(0, same < 0 ? sameHunk : same), line: 0 }
    this.hunk = Math.max(0, Math.min(this.hunk, rows.hunks - 1))
  }

  get hunks(): number {
    return this.#rows?.hunks ?? 0
  }

  /** The share of the diff above the end of the window, from 0 to 1. */
  share(body: number): number {
    const all = this.#rows?.rows.length ?? 0
    return all === 0 ? 1 : Math.min(1, (this.#walk(this.#top, body).row + 1) / all)
  }

  /** The visible lines, from the top. */
  seen(body: number): SeenRow[] {
    const rows = this.#rows
    if (!rows) return []
    this.#settle(body)
    const seen: SeenRow[] = []
    for (let at = this.#top.row; at < rows.rows.length && seen.length < body; at += 1) {
      const row = rows.rows[at]
      const lines = rows.linesOf(at)
      const from = at === this.#top.row ? this.#top.line : 0
      if (row) for (const text of lines.slice(from, from + body - seen.length)) seen.push({ row, text })
    }
    return seen
  }

  scroll(by: number, body: number): void {
    this.#top = this.#walk(this.#top, by)
    const seen = this.seen(body).map(({ row }) => row.hunk)
    const [first, last] = [seen[0] ?? 0, seen.at(-1) ?? 0]
    if (this.hunk < first || this.hunk > last) this.hunk = by > 0 ? first : last
  }

  toEnd(body: number): void {
    this.toHunk(Number.MAX_SAFE_INTEGER, body)
    this.#top = this.#end(body)
  }

  toHunk(hunk: number, body: number): void {
    this.hunk = Math.max(0, Math.min(this.hunks - 1, hunk))
    this.#top = { row: this.#rows?.headOf(this.hunk) ?? 0, line: 0 }
    this.#settle(body)
  }

  /** Moves to the next or previous hunk; false if there is none. */
  nextHunk(by: 1 | -1, body: number): boolean {
    const next = this.hunk + by
    if (next < 0 || next >= this.hunks) return false
    this.toHunk(next, body)
    return true
  }

  /** The visible line of the new file: the first added line of the current hunk, or else the nearest one. */
  line(body: number): number | null {
    const seen = this.seen(body).flatMap(({ row }) => (row.hunk === this.hunk && !row.head ? [row] : []))
    const come = seen.find(({ left, right }) => left?.sign === '+' || right?.sign === '+')
    const gone = seen.findIndex(({ left }) => left?.sign === '-')
    const from = come ? [come] : seen.slice(Math.max(0, gone))
    const numbers = [...from, ...seen].map(({ left, right }) => right?.after ?? left?.after ?? null)
    return numbers.find(number => number !== null) ?? seen[0]?.left?.before ?? null
  }

  #settle(body: number): void {
    const end = this.#end(body)
    if (compare(this.#top, end) > 0) this.#top = end
  }

  /** The last place where the window can begin. */
  #end(body: number): Place {
    const rows = this.#rows
    if (!rows) return { row: 0, line: 0 }
    const last = Math.max(0, rows.rows.length - 1)
    return this.#walk({ row: last, line: Math.max(0, rows.linesOf(last).length - 1) }, 1 - body)
  }

  #walk({ row, line }: Place, by: number): Place {
    const rows = this.#rows
    if (!rows) return { row: 0, line: 0 }
    let place = { row, line }
    for (let left = Math.abs(by); left > 0; left -= 1) {
      const next = step(rows, place, by > 0 ? 1 : -1)
      if (!next) break
      place = next
    }
    return place
  }
}

function step(rows: DiffRows, { row, line }: Place, by: 1 | -1): Place | null {
  const next = line + by
  if (next >= 0 && next < rows.linesOf(row).length) return { row, line: next }
  const other = row + by
  if (other < 0 || other >= rows.rows.length) return null
  return { row: other, line: by > 0 ? 0 : Math.max(0, rows.linesOf(other).length - 1) }
}

/** The row of a line, -1 for none; in a diff that was read again, the row of an equal line at the same place. */
function placeOf(line: DiffLine, { rows }: DiffRows): number {
  const exact = rows.findIndex(({ left, right }) => left === line || right === line)
  return exact >= 0 ? exact : rows.findIndex(({ left, right }) => isSame(left, line) || isSame(right, line))
}

/** Old lines keep their old number, whatever is added above them. */
function isSame(line: DiffLine | null, { sign, text, before, after }: DiffLine): boolean {
  if (line?.sign !== sign || line.text !== text) return false
  return before === null ? line.after === after : line.before === before
}

function compare(a: Place, b: Place): number {
  return a.row - b.row || a.line - b.line
}
