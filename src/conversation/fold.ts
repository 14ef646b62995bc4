/** Folds very many events at once, without the intermediate states that nobody reads. */
import type { AgentEvent } from '../agent/event.ts'
import { RECENT_ENTRIES } from './calls/trim-output.ts'
import { reduce } from './reduce.ts'
import { initialChat, type ChatState, type Entry } from './state.ts'

export type Fold = {
  add: (events: readonly AgentEvent[]) => void
  /** The conversation after all events added so far: the same as `reduce` applied to each of them. */
  chat: () => ChatState
}

/** Entries that stay in the working state; older ones are kept apart, since each new entry copies the rest. */
const MOST = 512

export function createFold(most = MOST): Fold {
  const past: Entry[] = []
  let chat = initialChat

  return {
    add(events) {
      for (const event of events) {
        chat = reduce(chat, event)
        if (chat.entries.length > most) foldOlder()
      }
    },
    chat: () => ({ ...chat, entries: [...past, ...chat.entries] }),
  }

  /** Moves older entries out of the working state. Events still need the newest entries, and the last clear or turn that was not refused. */
  function foldOlder(): void {
    const said = chat.entries.findLastIndex(
      entry => entry.kind === 'cleared' || (entry.kind === 'turn' && entry.outcome !== 'refused'),
    )
    const first = Math.max(0, Math.min(said, chat.entries.length - RECENT_ENTRIES))
    if (first === 0) return
    for (const entry of chat.entries.slice(0, first)) past.push(entry)
    chat = { ...chat, entries: chat.entries.slice(first) }
  }
}
