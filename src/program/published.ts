/** The conversations of this zotui as servers for browsers get them. Loaded for the first server. */
import { isAbsolute } from 'node:path'
import type { PublishedConversation, OutsideRequests } from '../published/conversation.ts'
import type { PublishedRow } from '../published/protocol.ts'
import type { PublishedSource } from '../published/socket/served.ts'
import { hasTasksAtWork } from '../state/conversations/at-work.ts'
import { conversationRow } from '../state/conversations/conversation-row.ts'
import { sentence } from '../text/sentence.ts'
import type { MovingOut } from './background-conversations.ts'
import { conversationTitle, publishedKey, type OpenConversation } from './conversation.ts'
import type { OpenConversations } from './open-conversations.ts'

/** One that another process holds is published by that process. */
export function createPublishedSource(
  open: Pick<OpenConversations, 'all' | 'onListed'>,
  ways: MovingOut,
): PublishedSource {
  const made = new WeakMap<OpenConversation, PublishedConversation>()
  return {
    onChange: listener => open.onListed(listener),
    all() {
      const own = open.all().filter(({ backgroundId, isGone }) => backgroundId === null && !isGone)
      return new Map(own.map(listed => [publishedKey(listed.store.get()), publishedOf(listed)]))
    },
  }

  function publishedOf(listed: OpenConversation): PublishedConversation {
    const published = made.get(listed) ?? publish(listed, ways)
    made.set(listed, published)
    return published
  }
}

function publish(listed: OpenConversation, { whyItStays, moveOut }: MovingOut): PublishedConversation {
  const { store, kept, controller } = listed
  const listeners = new Set<() => void>()
  let outside: OutsideRequests | null = null
  let loading: Promise<OutsideRequests | null> | null = null
  void load()

  return {
    row: () => ({ ...rowOf(listed), stays: stays() }),
    async toBackground() {
      const why = stays()
      if (why !== '') return { ok: false, why: 'forbidden', message: why }
      const reply = await moveOut(listed)
      return reply.ok ? { ok: true, how: 'done' } : { ok: false, why: 'failed', message: notMoved(reply.message) }
    },
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

  function stays(): string {
    const why = whyItStays(listed)
    if (why !== null) return notMoved(why)
    // Whoever sits at the terminal may still want that.
    return hasTasksAtWork(store.get().chat) ? notMoved('what its agent runs beside its turn would end') : ''
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

const notMoved = (why: string): string => sentence(`It stays in its terminal: ${why}`)

function rowOf(listed: OpenConversation): Omit<PublishedRow, 'stays'> {
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
