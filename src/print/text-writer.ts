/**
 * Writes the agent's text as it streams, and reports tool calls and notices. Both are read from the folded
 * conversation, so that they agree with the screen.
 */
import { textSince } from '../conversation/queries/text-growth.ts'
import { nestedCalls, nestedPlaces } from '../conversation/calls/nesting.ts'
import type { ChatState, Turn } from '../conversation/state.ts'
import type { Notice, TextPart, ToolCall } from '../conversation/part.ts'
import { isOpen } from '../conversation/calls/tool-calls.ts'
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
  aside: ((aside: PrintedNote) => void) | null
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
export function createTextWriter({ write, isTerminal, aside }: TextWriterOptions): PrintWriter {
  let entryIndex = 0
  let textIndex = 0
  let asideIndex = 0
  /** Characters written of the part at `textIndex`. */
  let written = 0
  /** The parts of this turn that are at least partly written. */
  let standing: number[] = []
  /** The parts of this turn that are reported with the call that made them. */
  let nestedParts = new Set<number>()
  /** The number of newlines at the end of the output; null before there is any. */
  let newlines: number | null = null

  return {
    begins({ entries }) {
      entryIndex = entries.length
    },
    told: chat => advance(chat),
    breakLine,
    ended: endLine,
  }

  function advance(chat: ChatState): void {
    for (;;) {
      const entry = chat.entries[entryIndex] ?? (entryIndex === chat.entries.length ? chat.open : null)
      if (!entry) return
      if (entry.kind === 'turn') {
        follow(entry)
        if (entry.endedAt === null) return
      } else if (entry.kind === 'notice') say({ kind: 'notice', notice: entry })
      else if (entry.kind === 'compaction' && entry.endedAt === null) return
      entryIndex += 1
      textIndex = asideIndex = written = 0
      standing = []
      nestedParts = new Set()
    }
  }

  function follow(turn: Turn): void {
    sayWithdrawn(turn)
    for (; ; textIndex += 1, written = 0) {
      const part = turn.parts.get(textIndex)
      if (!part) break
      if (part.kind !== 'text' || part.withdrawn) continue
      writeText(part)
      if (!part.final) break
    }
    sayAsides(turn)
  }

  function sayWithdrawn(turn: Turn): void {
    const still = standing.filter(index => !turn.parts.get(index)?.withdrawn)
    if (still.length === standing.length) return
    standing = still
    say({ kind: 'withdrawn', retry: turn.retries > 0 ? turn.retries + 1 : null })
  }

  function sayAsides(turn: Turn): void {
    for (; ; asideIndex += 1) {
      const part = turn.parts.get(asideIndex)
      if (!part) return
      if (part.withdrawn) continue
      if (part.kind === 'notice') say({ kind: 'notice', notice: part })
      if (part.kind !== 'tool' || nestedParts.has(asideIndex)) continue
      if (isOpen(part.state)) return
      const nested = nestedCalls(turn, asideIndex)
      if (nested.some(call => isOpen(call.state))) return
      for (const place of nestedPlaces(turn, asideIndex)) nestedParts.add(place)
      say({ kind: 'tool', tool: part, nested })
    }
  }

  function say(what: PrintedNote): void {
    if (!aside) return
    breakLine()
    aside(what)
  }

  function breakLine(): void {
    if (isTerminal) endLine()
  }

  function writeText(part: TextPart): void {
    let fresh = textSince(part, written)
    if (!part.final) fresh = isTerminal ? finished(fresh) : fresh.replace(HALF, '')
    if (!standing.includes(textIndex)) {
      const begun = fresh.replace(/^[\r\n]+/, '')
      written += fresh.length - begun.length
      if (begun === '') return
      standing.push(textIndex)
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
