/** The result text of an edit: a diff of signed lines without line numbers (docs/zot-protocol.md, 22). */

import type { CallDiff } from '../../agent/turn-events.ts'
import { unnumbered, type DiffLine } from '../../text/diff-line.ts'
import { countNewlines } from '../../text/lines/measure.ts'
import type { ToolCall } from '../part.ts'

/**
 * Reads the hunks of an edit's result, in the order of the file; null for any other text. Each line begins with a space,
 * `-` or `+`, and `...` stands for omitted lines. A file with CRLF keeps its `\r` on the old side only.
 */
export function hunksOf(result: string): DiffLine[][] | null {
  const hunks: DiffLine[][] = []
  let hunk: DiffLine[] = []
  for (const row of result.replace(/\n$/, '').split('\n')) {
    if (row === '...') {
      if (hunk.length > 0) hunks.push(hunk)
      hunk = []
      continue
    }
    const sign = row === '' || row === '\r' ? ' ' : row[0]
    if (sign !== ' ' && sign !== '-' && sign !== '+') return null
    hunk.push(unnumbered(sign, row.slice(1)))
  }
  if (hunk.length > 0) hunks.push(hunk)
  return hunks.some(lines => lines.some(line => line.sign !== ' ')) ? hunks : null
}

/** The lines that a hunk leaves in the file, without their `\r`. */
function newLines(hunk: readonly DiffLine[]): string[] {
  return hunk.flatMap(line => (line.sign === '-' ? [] : [withoutReturn(line.text)]))
}

export function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/** Lines of context that an edit shows around each change, if the file has them. */
const CONTEXT = 3

/**
 * Finds the line, counted from 1, at which each hunk begins in the file after the edit. Null if the hunk is no longer there
 * or fits in more than one place: no number is better than a wrong one.
 */
export function locateHunks(file: string, hunks: readonly (readonly DiffLine[])[]): (number | null)[] {
  const lines = file
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map(withoutReturn)
  let from = 0
  return hunks.map((hunk, index) => {
    const added = newLines(hunk)
    const change = hunk.findIndex(line => line.sign !== ' ')
    // Less context than usual marks the beginning of the file, even if the same lines are repeated below.
    const begins = index === 0 && change < CONTEXT && standsAt(lines, added, 0)
    const found = begins ? [0] : places(lines, added, from)
    const [place] = found
    if (place === undefined || found.length > 1) return null
    from = place + added.length
    return place + 1
  })
}

/**
 * Finds the line, counted from 1, at which each reported change begins in the file after all of them. `file` is its
 * text before or after them. Null if the line is unknown or the text occurs more than once.
 */
export function locateChanges(file: string, changes: readonly Pick<CallDiff, 'before' | 'after'>[]): (number | null)[] {
  const text = plainText(file)
  /** Lines added by earlier changes that the file does not contain yet. */
  let shift = 0
  return changes.map(({ before, after }) => {
    if (before === null || before === '') return 1
    const [old, fresh] = [plainText(before), plainText(after)]
    const found = placeOf(text, old, fresh)
    if (!found) return null
    const line = found.line + shift
    if (!found.isChanged) shift += countNewlines(fresh) - countNewlines(old)
    return line
  })
}

/** If one of two texts is a part of the other, the longer one shows whether the file is changed already. */
function placeOf(text: string, before: string, after: string): { line: number; isChanged: boolean } | null {
  const [longer, shorter] = before.length >= after.length ? [before, after] : [after, before]
  const found = linesWith(text, longer)
  const isSure = found.length > 0 && longer.includes(shorter)
  const others = isSure ? [] : linesWith(text, shorter)
  const [line] = [...found, ...others]
  if (line === undefined || found.length + others.length > 1) return null
  return { line, isChanged: (found.length > 0 ? longer : shorter) === after }
}

function plainText(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
}

/** The line of the first occurrence of a text, twice if there is another; none for an empty text. */
function linesWith(text: string, part: string): number[] {
  const at = part === '' ? -1 : text.indexOf(part)
  if (at < 0) return []
  const line = countNewlines(text, 0, at) + 1
  return text.includes(part, at + 1) ? [line, line] : [line]
}

/** The fields about the changes that an agent reports. */
export type ReportedCall = Pick<ToolCall, 'diffs' | 'locations' | 'hunkLines'>

/** The line at which each reported change begins: as zotui found it, or else as the agent says. Null if unknown. */
export function changeStarts({ diffs, locations, hunkLines }: ReportedCall): (number | null)[] {
  return diffs.map((diff, index) => {
    if (diff.before === null || diff.before === '') return 1
    const found = hunkLines.length === diffs.length ? hunkLines[index] : undefined
    if (found !== undefined && found !== null) return found
    const lines = locations.flatMap(({ path, line }) => (path === diff.path && line !== undefined ? [line] : []))
    const ofFile = diffs.filter(({ path }) => path === diff.path)
    // An agent that reports a location for each change reports them in the same order.
    return lines.length === ofFile.length ? (lines[ofFile.indexOf(diff)] ?? null) : null
  })
}

function standsAt(lines: readonly string[], sought: readonly string[], at: number): boolean {
  return sought.every((line, index) => lines[at + index] === line)
}

/** Finds the first two places of `sought` with the Knuth-Morris-Pratt search, which takes linear time. */
function places(lines: readonly string[], sought: readonly string[], from: number): number[] {
  if (sought.length === 0) return []
  const fallback = fallbacksOf(sought)
  const found: number[] = []
  let matched = 0
  for (let at = from; at < lines.length && found.length < 2; at += 1) {
    while (matched > 0 && (matched === sought.length || sought[matched] !== lines[at])) {
      matched = fallback[matched - 1] ?? 0
    }
    if (sought[matched] === lines[at]) matched += 1
    if (matched === sought.length) found.push(at - matched + 1)
  }
  return found
}

/** The failure table of that search: for each prefix of `sought`, the length of its longest proper suffix that is a prefix. */
function fallbacksOf(sought: readonly string[]): number[] {
  const fallback = [0]
  let matched = 0
  for (let at = 1; at < sought.length; at += 1) {
    while (matched > 0 && sought[matched] !== sought[at]) matched = fallback[matched - 1] ?? 0
    if (sought[matched] === sought[at]) matched += 1
    fallback.push(matched)
  }
  return fallback
}
