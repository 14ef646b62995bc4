/** The end of a conversation that is shown on the screen again. */
import type { ChatState, Entry } from '../../src/conversation/state.ts'
import { createTimeline, type Timeline, type TimelineItem } from '../../src/transcript/timeline.ts'

export type ShownAgain = {
  /** Continues after the items. */
  timeline: Timeline
  items: readonly TimelineItem[]
  /** The whole turns above the items; null if nothing is above them. */
  above: number | null
}

/** The characters of entries that are looked at: more than a screen shows. */
const ENOUGH = 20_000

/** The last pieces of the conversation that fit in `room` rows, at least one. `rowsOf` counts the rows of a piece. */
export function shownAgain(chat: ChatState, room: number, rowsOf: (item: TimelineItem) => number): ShownAgain {
  const from = firstEntry(chat, room)
  const timeline = createTimeline(from)
  const items: TimelineItem[] = []
  do items.push(...timeline.advance(chat))
  while (timeline.isBehind())
  let at = items.length
  let left = room
  for (const item of items.toReversed()) {
    left -= rowsOf(item)
    if (left < 0 && at < items.length) break
    at -= 1
  }
  const turns = chat.entries.slice(0, from).filter(({ kind }) => kind === 'turn').length
  const prompts = items.slice(0, at).filter(({ kind }) => kind === 'prompt').length
  // The end of the last of these turns is shown.
  const whole = prompts > 0 && items[at]?.kind !== 'prompt' ? prompts - 1 : prompts
  return { timeline, items: items.slice(at), above: from === 0 && at === 0 ? null : turns + whole }
}

/** The first entry that can be on the screen: each has at least one row. */
function firstEntry({ entries, open }: ChatState, room: number): number {
  let characters = open ? charactersIn(open) : 0
  let from = entries.length
  while (from > 0 && entries.length - from < room && characters < ENOUGH) {
    from -= 1
    const entry = entries[from]
    if (entry) characters += charactersIn(entry)
  }
  return from
}

function charactersIn(entry: Entry): number {
  if (entry.kind !== 'turn') return 0
  let sum = entry.prompt.length
  for (const part of entry.parts) if (part.kind === 'text') sum += part.text.length
  return sum
}
