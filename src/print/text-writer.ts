/**
 * Writes the agent's text as it streams, and reports tool calls and notices. Both are read from the folded
 * conversation, so that they agree with the screen.
 */
import { textSince } from '../conversation/queries/text-growth.ts'
import { createWalk, type Visitor, type Walk } from '../conversation/walk.ts'
import type { Notice, TextPart, ToolCall } from '../conversation/part.ts'
import { sanitize } from '../text/sanitize.ts'
import type { Sink, PrintWriter } from './writer.ts'
import { withoutEnd } from '../text/without-end.ts'

/** Anything but the agent's text. */
export type PrintedNote =
  | { kind: 'tool'; tool: ToolCall; nested: readonly ToolCall[] }
  | { kind: 'notice'; notice: Notice }
  /** The text above was withdrawn; `retry` counts from 2, and is null if the agent does not try again. */
  | { kind: 'withdrawn'; retry: number | null }

export type TextWriterOptions = {
  write: Sink
  /** True if the text goes to a terminal, where its control sequences must have no effect. */
  isTerminal: boolean
  /** Receives everything but the agent's text; null to drop it. */
  printNote: ((note: PrintedNote) => void) | null
}

/** A high surrogate at the end, whose second half has not arrived. */
const HALF = /[\ud800-\udbff]$/
/** The possible beginning of a longer sequence, which `sanitize` must see as a whole. */
const UNFINISHED =
  /(?:\r|(?:[^\0-\x7f]\p{Join_Control})*(?:[\d#*]|[^\0-\x7f])(?:\p{Default_Ignorable_Code_Point}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u20e3)*)$/u

/** Code units in which a sequence at the end is looked for: far more than one has. */
const LONGEST_SEQUENCE = 64

/** The text without the possible beginning of a longer sequence at its end. */
function finished(text: string): string {
  const from = Math.max(0, text.length - LONGEST_SEQUENCE)
  // Never between the halves of a character.
  const cut = from + (/[\udc00-\udfff]/.test(text.charAt(from)) ? 1 : 0)
  return text.slice(0, cut) + text.slice(cut).replace(UNFINISHED, '')
}

/** Separates two texts by an empty line, and ends the last one with a newline. */
export function createTextWriter({ write, isTerminal, printNote }: TextWriterOptions): PrintWriter {
  /** Characters written of the text that is written now, and whether something of it was. */
  let written = 0
  let isBegun = false
  /** The number of newlines at the end of the output; null before there is any. */
  let newlines: number | null = null
  // Two walks: a text is written while a call before it still runs, and a call is written when it is over.
  let [texts, notes] = [walkTexts(0), walkNotes(0)]

  return {
    begins({ entries }) {
      texts = walkTexts(entries.length)
      notes = walkNotes(entries.length)
    },
    onEvent(chat) {
      texts.advance(chat)
      notes.advance(chat)
    },
    breakLine,
    ended: endLine,
  }

  function walkTexts(from: number): Walk {
    const visitor: Visitor = {
      part(part, at) {
        if (part.kind !== 'text') return true
        writeText(part)
        if (isBegun) texts.stands(at)
        return part.final
      },
      partPassed() {
        written = 0
        isBegun = false
      },
      withdrawn: retry => say({ kind: 'withdrawn', retry }),
    }
    return createWalk(visitor, from)
  }

  function walkNotes(from: number): Walk {
    const visitor: Visitor = {
      part(part) {
        if (part.kind === 'notice') say({ kind: 'notice', notice: part })
        return true
      },
      call: (tool, nested) => say({ kind: 'tool', tool, nested }),
      entry: entry => (entry.kind === 'notice' ? say({ kind: 'notice', notice: entry }) : undefined),
    }
    return createWalk(visitor, from)
  }

  function say(what: PrintedNote): void {
    if (!printNote) return
    breakLine()
    printNote(what)
  }

  function breakLine(): void {
    if (isTerminal) endLine()
  }

  function writeText(part: TextPart): void {
    let fresh = textSince(part, written)
    if (!part.final) fresh = isTerminal ? finished(fresh) : fresh.replace(HALF, '')
    if (!isBegun) {
      const begun = fresh.replace(/^[\r\n]+/, '')
      written += fresh.length - begun.length
      if (begun === '') return
      isBegun = true
      if (newlines !== null) put('\n'.repeat(Math.max(0, 2 - newlines)))
      fresh = begun
    }
    written += fresh.length
    put(isTerminal ? sanitize(fresh) : fresh)
  }

  function endLine(): void {
    if (newlines === 0) put('\n')
  }

  function put(text: string): void {
    if (text === '') return
    write(text)
    const ending = text.length - withoutEnd(text, /\n/).length
    newlines = ending === text.length ? (newlines ?? 0) + ending : ending
  }
}
