/**
 * The order in which a growing conversation becomes final, once for all that write it piece by piece: the scrollback and what reads
 * it, the viewer, and the text and the notes of `-p`. What was written cannot be changed, so a piece comes once, when it can no longer
 * change, and only after all earlier ones. A walk follows one conversation: `advance` takes its successive states.
 */
import { nestedCalls, nestedPlaces } from './calls/nesting.ts'
import { isOpen } from './calls/tool-calls.ts'
import type { Notice, Part, ToolCall } from './part.ts'
import type { ChatState, Entry, Turn } from './state.ts'

/** An entry that is not a turn. */
export type OtherEntry = Exclude<Entry, Turn>

export type Visitor = {
  turnBegan?: (turn: Turn) => void
  /** Takes a part that is no call and was not withdrawn. False while it is not final: then it comes again. */
  part: (part: Exclude<Part, ToolCall>, at: number, turn: Turn) => boolean
  /** Takes a call that is over, with those that its tool made. Absent if calls are passed over, also while they run. */
  call?: (call: ToolCall, nested: readonly ToolCall[], at: number) => void
  /** The last part that was returned comes no more: it was taken, or withdrawn. */
  partPassed?: () => void
  /** A part that stood was withdrawn. `retry` counts from 2; null if the agent does not try again. */
  withdrawn?: (retry: number | null) => void
  turnEnded?: (turn: Turn) => void
  /** Takes an entry that is over. */
  entry?: (entry: OtherEntry) => void
  /** True if the rest has to wait for the next `advance`. */
  isFull?: () => boolean
  /** True if a quiet notice waits for what follows it: a later one about the same thing replaces it. */
  waitsForQuiet?: boolean
}

export type Walk = {
  advance: (chat: ChatState) => void
  /** Notes that something of the part `at` of the present turn was written. */
  stands: (at: number) => void
  /** The index of the present entry, and of the first part of it that is not passed. */
  place: () => { entry: number; part: number }
}

/** `from` is the number of entries that are passed over. */
export function createWalk(visitor: Visitor, from = 0): Walk {
  /** Index into `entries`; the open one comes after the last. */
  let entryIndex = from
  /** Progress within the turn at that index. */
  let isBegun = false
  let partIndex = 0
  /** The parts that are at least partly written and not withdrawn. */
  let standing: number[] = []
  /** The parts of this turn that came with the call that made them. */
  let nestedParts = new Set<number>()
  /** The attempt for which `standing` was last checked. */
  let attempt = ''

  return {
    advance,
    stands(at) {
      if (!standing.includes(at)) standing.push(at)
    },
    place: () => ({ entry: entryIndex, part: partIndex }),
  }

  function advance({ entries, open }: ChatState): void {
    const entryAt = (index: number): Entry | null => entries[index] ?? (index === entries.length ? open : null)
    for (;;) {
      const entry = isFull() ? null : entryAt(entryIndex)
      if (!entry || !pass(entry, entryAt(entryIndex + 1))) return
      entryIndex += 1
      isBegun = false
      partIndex = 0
      standing = []
      attempt = ''
      nestedParts = new Set()
    }
  }

  function pass(entry: Entry, following: Entry | null): boolean {
    if (entry.kind === 'turn') return passTurn(entry)
    if (visitor.waitsForQuiet === true && isQuiet(entry) && !following) return false
    if (isOutdated(entry, following)) return true
    if (!isFinal(entry)) return false
    visitor.entry?.(entry)
    return true
  }

  function passTurn(turn: Turn): boolean {
    if (!isBegun) visitor.turnBegan?.(turn)
    isBegun = true
    noteWithdrawn(turn)
    for (; ; partIndex += 1, visitor.partPassed?.()) {
      const part = turn.parts.get(partIndex)
      if (!part) break
      if (isFull()) return false
      if (part.withdrawn) continue
      if (!(part.kind === 'tool' ? passCall(part, turn) : visitor.part(part, partIndex, turn))) return false
    }
    if (turn.endedAt === null) return false
    visitor.turnEnded?.(turn)
    return true
  }

  function passCall(call: ToolCall, turn: Turn): boolean {
    if (!visitor.call || nestedParts.has(partIndex)) return true
    if (isOpen(call.state)) return false
    const nested = nestedCalls(turn, partIndex)
    if (nested.some(each => isOpen(each.state))) return false
    visitor.call(call, nested, partIndex)
    for (const place of nestedPlaces(turn, partIndex)) nestedParts.add(place)
    return true
  }

  /** A withdrawal always begins another attempt, or the next step. */
  function noteWithdrawn(turn: Turn): void {
    const present = `${turn.attemptStart} ${turn.attempt}`
    if (present === attempt) return
    attempt = present
    const before = standing.length
    const still = standing.filter(index => !turn.parts.get(index)?.withdrawn)
    // Only the present attempt can still be withdrawn.
    standing = still.filter(index => index >= turn.attemptStart)
    if (still.length < before) visitor.withdrawn?.(turn.retries > 0 ? turn.retries + 1 : null)
  }

  function isFull(): boolean {
    return visitor.isFull?.() ?? false
  }
}

function isQuiet(entry: Entry): entry is Notice {
  return entry.kind === 'notice' && entry.level === 'quiet'
}

/** Whether a later notice stands for it: the next switch of the same thing, or one that cancelled a preview. */
export function isOutdated(entry: Entry, following: Entry | null): boolean {
  if (entry.kind === 'notice' && entry.withdrawn) return true
  if (!following || !isQuiet(entry) || !isQuiet(following)) return false
  const switched = switchIn(entry.text)
  return switched !== null && switched === switchIn(following.text)
}

/** What a quiet notice says to have been switched, without what it is now; null for a notice about anything else. */
function switchIn(text: string): string | null {
  return /^(?:model|reasoning|.* has switched to its mode)(?= )/.exec(text)?.[0] ?? null
}

/** Whether an entry that is not a turn is over. */
export function isFinal(entry: OtherEntry): boolean {
  if (entry.kind === 'compaction') return entry.endedAt !== null
  return entry.kind !== 'shell' || entry.tool.endedAt !== null
}
