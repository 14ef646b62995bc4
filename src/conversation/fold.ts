/** Very many events at once: what nobody looks at in between is not made. */
import type { AgentEvent } from '../agent/event.ts'
import { NEW_ENTRIES } from './trim-output.ts'
import { reduce } from './reduce.ts'
import { initialChat, type ChatState, type Entry } from './state.ts'

export type Fold = {
  add: (events: readonly AgentEvent[]) => void
  /** The conversation of all that was added: what `reduce` makes of it, one event after the other. */
  chat: () => ChatState
}

/** Entries after which the older ones are put aside: each new one copies those that are not. */
const MOST = 512

export function createFold(most = MOST): Fold {
  const past: Entry[] = []
  let chat = initialChat

  return {
    add(events) {
      for (const event of events) {
        chat = reduce(chat, event)
        if (chat.entries.length > most) putAside()
      }
    },
    chat: () => ({ ...chat, entries: [...past, ...chat.entries] }),
  }

  /** What an event looks back at stays: the entries that are new, and whether something was said since the last clear. */
  function putAside(): void {
    const said = chat.entries.findLastIndex(({ kind }) => kind === 'turn' || kind === 'cleared')
    const first = Math.max(0, Math.min(said, chat.entries.length - NEW_ENTRIES))
    for (const entry of chat.entries.slice(0, first)) past.push(entry)
    chat = { ...chat, entries: chat.entries.slice(first) }
  }
}
