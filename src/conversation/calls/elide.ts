/** Shortens a long text: omits a part of it and states its size. */
import { detached } from '../../text/detached.ts'
import { formatBytes } from '../../text/format.ts'
import { byteLength, countNewlines } from '../../text/lines/measure.ts'
import type { Omitted } from '../part.ts'

/** The part that is kept. Files and diffs keep only their beginning, since line numbers would be wrong after a gap. */
export type KeptPart = 'beginning' | 'both' | 'difference'

export const nothingOmitted: Omitted = { bytes: 0, lines: 0, added: 0, removed: 0 }

/** Keeps at most about `limit` characters of a text; `before` is what was omitted from it earlier. */
export function elide(
  text: string,
  limit: number,
  before: Omitted,
  kept: KeptPart = 'both',
): { text: string; cut: Omitted } {
  if (text.length <= limit) return { text, cut: nothingOmitted }
  const end = lineEnd(text, kept === 'both' ? limit / 2 : limit)
  const start = kept === 'both' ? Math.max(end, lineStart(text, text.length - limit / 2)) : text.length
  const gone = text.slice(end, start)
  const isDifference = kept === 'difference'
  // A diff is read by the first character of each line, and marks a gap like this.
  const mark = isDifference ? '...\n' : `[... ${formatBytes(byteLength(gone) + before.bytes)} omitted ...]\n`
  const inserted = end === 0 || text[end - 1] === '\n' ? mark : `\n${mark}`
  return {
    text: detached(`${text.slice(0, end)}${inserted}${text.slice(start)}`),
    cut: {
      ...difference(gone, inserted),
      added: isDifference ? count(gone, /^\+/gm) : 0,
      removed: isDifference ? count(gone, /^-/gm) : 0,
    },
  }
}

/** The bytes and lines that `whole` has beyond `kept`. */
export function difference(whole: string, kept: string): Omitted {
  const lines = countNewlines(whole) - countNewlines(kept)
  return { bytes: byteLength(whole) - byteLength(kept), lines, added: 0, removed: 0 }
}

/** The end of the last line before an offset, or the offset itself if no line ends nearby; never within a character. */
function lineEnd(text: string, near: number): number {
  const at = Math.floor(near)
  const newline = text.lastIndexOf('\n', at - 1)
  return newline >= at / 2 ? newline + 1 : isWithinCharacter(text, at) ? at - 1 : at
}

/** The beginning of the first line after an offset, by the same rule. */
function lineStart(text: string, near: number): number {
  const at = Math.ceil(near)
  const newline = text.indexOf('\n', at)
  if (newline >= 0 && newline < (at + text.length) / 2) return newline + 1
  return isWithinCharacter(text, at) ? at + 1 : at
}

function isWithinCharacter(text: string, at: number): boolean {
  return /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1))
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}

export function plus(a: Omitted = nothingOmitted, b: Omitted): Omitted {
  if (b === nothingOmitted) return a
  return {
    bytes: a.bytes + b.bytes,
    lines: a.lines + b.lines,
    added: a.added + b.added,
    removed: a.removed + b.removed,
  }
}
