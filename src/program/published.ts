/** The conversations of this zotui as servers for browsers get them. Loaded for the first server. */
import { isAbsolute } from 'node:path'
import type { PublishedConversation, OutsideRequests } from '../published/conversation.ts'
import type { PublishedRow } from '../published/protocol.ts'
import type { PublishedSource } from '../published/socket/served.ts'
import { conversationRow } from '../state/conversations/conversation-row.ts'
import { conversationTitle, publishedKey, type OpenConversation } from './conversation.ts'
import type { OpenConversations } from './open-conversations.ts'

/** One that another process holds is published by that process. */
export function createPublishedSource(open: Pick<OpenConversations, 'all' | 'onListed'>): PublishedSource {
  const made = new WeakMap<OpenConversation, PublishedConversation>()
  return {
    onChange: listener => open.onListed(listener),
    all() {
      const own = open.all().filter(({ backgroundId, isGone }) => backgroundId === null && !isGone)
      return new Map(own.map(listed => [publishedKey(listed.store.get()), publishedOf(listed)]))
    },
  }

  function publishedOf(listed: OpenConversation): PublishedConversation {
    const published = made.get(listed) ?? publish(listed)
    made.set(listed, published)
    return published
  }
}

function publish(listed: OpenConversation): PublishedConversation {
  const { store, kept, controller } = listed
  const listeners = new Set<() => void>()
  let outside: OutsideRequests | null = null
  let loading: Promise<OutsideRequests | null> | null = null
  void load()

  return {
    row: () => rowOf(listed),
    questions: () => outside?.questions() ?? [],
    queue: () => outside?.queue() ?? { entries: [], paused: false },
    models: async () => (await load())?.models() ?? [],
    async carryOut(...asked) {
      const requests = await load()
      if (requests) return requests.carryOut(...asked)
      return { ok: false, why: 'failed', message: 'A part of zotui cannot be loaded.' }
    },
    onChange(listener) {
      listeners.add(listener)
      const leave = store.subscribe(listener)
      return () => {
        listeners.delete(listener)
        leave()
      }
    },
    past: () => kept?.past() ?? { file: null, events: [] },
    onEvents: listener => kept?.follow(listener) ?? (() => undefined),
    watched(names) {
      if (names.join('\n') !== store.get().watchers.join('\n')) store.dispatch({ type: 'watchers_changed', names })
    },
  }

  /** What answers questions comes a moment later than the row. Null if it cannot be loaded now. */
  async function load(): Promise<OutsideRequests | null> {
    if (outside) return outside
    loading ??= controller.outside().catch(() => null)
    outside = await loading
    loading = null
    for (const listener of listeners) listener()
    return outside
  }
}

function rowOf(listed: OpenConversation): PublishedRow {
  const { store, folder, kept, controller } = listed
  const state = store.get()
  const { chat, startup, steering } = state
  // Whoever is not at the terminal has not seen how the last turn ended.
  const facts = { number: 0, isShown: false, title: conversationTitle(listed), isSeen: false }
  const row = conversationRow(state, { ...facts, isSuspended: listed.isSuspended })
  const current = kept?.current()
  return {
    key: publishedKey(state),
    kind: 'ui',
    session: current?.isStored() ? current.id : null,
    // A folder on another machine has only its name.
    folder: startup.place ?? (isAbsolute(folder) ? folder : startup.folder),
    branch: row.branch,
    agent: chat.agent.name,
    model: chat.agent.model,
    title: row.title,
    state: row.state,
    since: row.since,
    lastLine: row.lastLine,
    costUsd: row.costUsd,
    mode: chat.permissionMode,
    takes: [
      ...(steering === 'nothing' ? [] : (['steer'] as const)),
      ...(controller.commands().some(({ name }) => name === 'model') ? (['set_model'] as const) : []),
    ],
  }
}
