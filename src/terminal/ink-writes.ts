/**
 * What Ink's writes mean. It writes a frame in one piece: what takes the last one away, the rows, and the move of the cursor
 * to its place (every frame of ours has one). Finished rows come in a piece of their own, after one that only erases.
 */
import type { Place } from './frames.ts'

export type InkWrite =
  | { kind: 'frame'; rows: string[]; caret: Place }
  | { kind: 'finished'; rows: string[] }
  /** The frame is taken away. */
  | { kind: 'erase' }
  /** Only the cursor moves: `up` rows above the last one. */
  | { kind: 'caret'; up: number; x: number }
  /** Ink is done: the cursor goes behind the frame. */
  | { kind: 'leave' }
  /** Means nothing to the screen's text, such as a mode. */
  | { kind: 'mode'; sequence: string }

const ESC = '\u001B'
const string = `${ESC}[\\]P_^][^\\u0007${ESC}]*(?:\\u0007|${ESC}\\\\)`
const controlsOnly = new RegExp(`^(?:${ESC}\\[[?>=<]?[\\d;]*[ -/]*[@-~]|${string})*$`)
const leadingMoves = new RegExp(`^(?:${ESC}\\[\\??[\\d;]*[A-GJKhl])*`)
const caretSuffix = new RegExp(`(?:${ESC}\\[(\\d+)A)?${ESC}\\[(\\d+)G${ESC}\\[\\?25h$`)
const leaveMove = new RegExp(`^(?:${ESC}\\[\\d+B)?${ESC}\\[1?G$`)
const erases = new RegExp(`${ESC}\\[\\d*[JK]`)

/** Synchronized output and the cursor's visibility are ours to say. */
const ours = new Set([`${ESC}[?2026h`, `${ESC}[?2026l`, `${ESC}[?25h`, `${ESC}[?25l`])

/** Null for a write that says nothing. */
export function readInkWrite(write: string): InkWrite | null {
  if (write === '' || ours.has(write)) return null
  const suffix = caretSuffix.exec(write)
  if (controlsOnly.test(write)) return readControls(write, suffix)
  if (!suffix) return { kind: 'finished', rows: write.replace(/\n$/, '').split('\n') }
  const rows = write.slice(0, suffix.index).replace(leadingMoves, '').split('\n')
  return { kind: 'frame', rows, caret: { x: Number(suffix[2]) - 1, y: rows.length - 1 - Number(suffix[1] ?? 0) } }
}

function readControls(write: string, suffix: RegExpExecArray | null): InkWrite {
  if (suffix) return { kind: 'caret', up: Number(suffix[1] ?? 0), x: Number(suffix[2]) - 1 }
  if (leaveMove.test(write)) return { kind: 'leave' }
  return erases.test(write) ? { kind: 'erase' } : { kind: 'mode', sequence: write }
}
