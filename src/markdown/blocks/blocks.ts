import { detached } from '../../text/detached.ts'
import type { MarkdownBlock } from '../block.ts'
import { printable } from './line.ts'
import { Scanner } from './scanner.ts'
import { withoutEnd } from '../../text/without-end.ts'

/** A message's text as it grows. */
export interface Blocks {
  /** Adds text, cut anywhere; returns the blocks that can no longer change. */
  push(delta: string): MarkdownBlock[]
  /**
   * The blocks that would follow if the text ended here, to show until they are final. At most the last `lines` lines. Until the
   * text grows they are the same array.
   */
  open(lines?: number): readonly MarkdownBlock[]
  /** Ends the text and returns the rest. */
  end(): MarkdownBlock[]
  /** The line that ends a fence or HTML in which the lines so far leave the text; null if they leave it in none. */
  closing(): string | null
}

/** A longer line is read in parts, so that its beginning is shown before all of it has arrived. */
const longestLine = 8192
/** Characters that are searched backwards for a blank to cut at. */
const slack = 1024

// A lone carriage return also ends a line, as in CommonMark, so that no text is overwritten.
export const lineEnd = /\r\n|\r|\n/

// Marks whose text is still to come: shown alone, they would flicker.
const bareMarks = /^[-=*+_#`~|:>[\]!\s]*(?:\d{1,9}[.)] ?)?$/

// Half of a character, or a joiner or variation selector whose next character is still to come.
const halfCharacter = /[\ud800-\udbff]|\u200c|\u200d|\ufe0e|\ufe0f/

/**
 * Cuts growing text into blocks. However the text is cut into deltas, the blocks are the same. Lines are sanitised
 * first, so that the layout is that of the shown text.
 */
export function createBlocks(): Blocks {
  const scanner = new Scanner()
  let rest = ''
  /** Whether the beginning of the line has been read. */
  let begun = false
  let carriageReturn = ''
  let opened: { lines: number; blocks: readonly MarkdownBlock[] } | null = null
  return {
    push(delta) {
      if (delta === '') return []
      opened = null
      // A carriage return at the end may be half of a line end.
      const text = carriageReturn + delta
      carriageReturn = text.endsWith('\r') ? '\r' : ''
      const lines = text.slice(0, text.length - carriageReturn.length).split(lineEnd)
      const last = lines.pop() ?? ''
      const found: MarkdownBlock[] = []
      for (const line of lines) {
        rest += line
        for (const block of readBeginning().concat(readRest())) found.push(block)
        begun = false
      }
      rest += last
      return found.concat(readBeginning())
    },
    open(lines = 400) {
      if (opened?.lines !== lines) opened = { lines, blocks: openBlocks(lines) }
      return opened.blocks
    },
    end() {
      opened = null
      const before = rest === '' ? [] : readRest()
      return [...before, ...scanner.end()]
    },
    closing: () => scanner.closing(),
  }

  function openBlocks(lines: number): readonly MarkdownBlock[] {
    const preview = scanner.clone(lines)
    const line = previewOf(rest)
    const before = line === '' ? [] : begun ? preview.readOn(line) : preview.read(line)
    return [...before, ...preview.end()]
  }

  /** Reads an overlong line in parts and leaves the rest of it. */
  function readBeginning(): MarkdownBlock[] {
    const read: MarkdownBlock[] = []
    let from = 0
    while (rest.length - from > longestLine) {
      const end = cutOf(rest, from)
      for (const block of readPart(rest.slice(from, end), true)) read.push(block)
      from = end
    }
    if (from > 0) rest = detached(rest.slice(from))
    return read
  }

  function readRest(): MarkdownBlock[] {
    const line = rest
    rest = ''
    return readPart(line, false)
  }

  function readPart(part: string, goesOn: boolean): MarkdownBlock[] {
    const line = printable(part)
    if (begun) return scanner.readOn(line, goesOn)
    begun = true
    return scanner.read(line, goesOn)
  }
}

/** The end of the first part of an overlong line: after a blank, or at least not within a character. */
function cutOf(line: string, from: number): number {
  const limit = from + longestLine
  const blank = line.lastIndexOf(' ', limit - 1)
  if (blank >= limit - slack) return blank + 1
  return isHalf(line.charCodeAt(limit - 1)) ? limit - 1 : limit
}

function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function previewOf(rest: string): string {
  const line = printable(withoutEnd(rest, halfCharacter))
  return bareMarks.test(line) ? '' : line
}
