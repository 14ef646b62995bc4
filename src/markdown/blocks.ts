import { sanitize } from '../text/sanitize.ts'
import { expandTabs } from '../text/width.ts'
import type { Block } from './block.ts'
import { Scanner } from './scanner.ts'

/** A message's text as it grows. */
export interface Blocks {
  /** Adds text, cut anywhere; returns the blocks that can no longer change. */
  push(delta: string): Block[]
  /** What would come if the text ended here: to be shown until it is final. At most the last `lines` lines of it. */
  open(lines?: number): Block[]
  /** Ends the text and returns the rest. */
  end(): Block[]
}

/** Of a line that long only the end is looked at while it is open. */
const longestOpenLine = 8192

// A lone carriage return ends a line, too, as CommonMark has it: nothing that was said is painted over.
export const lineEnd = /\r\n|\r|\n/

// Marks that mean nothing until the text behind them comes: shown, they would flicker.
const bareMarks = /^[-=*+_#`~|:>[\]!\s]*(?:\d{1,9}[.)] ?)?$/

// The beginning of a character whose rest has not come yet, or something that joins it to what comes.
const halfCharacter = /(?:[\ud800-\udbff]|\u200c|\u200d|\ufe0e|\ufe0f)+$/

/**
 * Cuts growing text into blocks. However the text is cut into deltas, the blocks are the same. Lines are sanitised here,
 * so the layout of the text is made from what is shown.
 */
export function createBlocks(): Blocks {
  const scanner = new Scanner()
  let rest = ''
  let carriageReturn = ''
  return {
    push(delta) {
      // A carriage return at the end may be half of a line end.
      const held = carriageReturn + delta
      carriageReturn = held.endsWith('\r') ? '\r' : ''
      const lines = held.slice(0, held.length - carriageReturn.length).split(lineEnd)
      const last = lines.pop() ?? ''
      if (lines.length === 0) {
        rest += last
        return []
      }
      lines[0] = rest + (lines[0] ?? '')
      rest = last
      return lines.flatMap(line => scanner.read(printable(line)))
    },
    open(lines = 400) {
      const preview = scanner.clone(lines)
      const line = previewOf(rest)
      const before = line === '' ? [] : preview.read(line)
      return [...before, ...preview.end()]
    },
    end() {
      const line = rest
      rest = ''
      const before = line === '' ? [] : scanner.read(printable(line))
      return [...before, ...scanner.end()]
    },
  }
}

function printable(line: string): string {
  return expandTabs(sanitize(line))
}

function previewOf(rest: string): string {
  const line = printable(endOf(rest).replace(halfCharacter, ''))
  return bareMarks.test(line) ? '' : line
}

/** The end of a very long line, from a place that stays for a while, so that what is shown does not move all the time. */
function endOf(line: string): string {
  if (line.length <= longestOpenLine) return line
  const step = longestOpenLine / 2
  const from = Math.floor(line.length / step - 1) * step
  const blank = line.indexOf(' ', from)
  return line.slice(blank < 0 || blank - from > step / 4 ? from : blank + 1)
}
