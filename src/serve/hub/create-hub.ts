/** The conversations of this machine for the server: their processes are found and followed, and each page gets a stream of what it looks at. */
import { randomUUID } from 'node:crypto'
import { folderLabel } from '../../platform/project.ts'
import type { PageLine } from '../page-lines.ts'
import { HubConversations, type HubConversationsOptions } from './hub-conversations.ts'
import type { Hub, HubOptions, HubReader, HubStreamRequest } from './hub.ts'
import { Publishers, type PublishersOptions } from './publishers.ts'
import type { KnownConversation } from './known-conversation.ts'
import { Bell, Timing } from './timing.ts'
import { maySee } from './viewer.ts'

/** How it reaches the processes. */
export type HubWays = Pick<PublishersOptions, 'find' | 'connect'> & Pick<HubConversationsOptions, 'readPast'>

/** Milliseconds between two looks for processes, and after which a stream without news says that it is alive. */
const [LOOK, ALIVE] = [1000, 15_000]

export function createHub(options: HubOptions, { find, connect, readPast }: HubWays): Hub {
  const { now, log, home, secret } = options
  const epoch = randomUUID()
  const listeners = new Set<() => void>()
  const waitingListeners = new Set<() => void>()
  const timing = new Timing(now, flush)
  const conversations = new HubConversations({ home, now, log, readPast, onNews: wait => timing.due(wait) })
  const publishers = new Publishers({ conversations, find, connect, secret, now, log, onChange: changed })
  let listAt = conversations.listAt
  look()
  const looking = setInterval(look, LOOK)
  looking.unref()

  return {
    epoch,
    stream,
    conversations: () => conversations.list(),
    call: async (device, id, call, isConfirmed) => conversations.call(device, id, call, isConfirmed),
    async blocks(reader, id, { from, to }) {
      const feed = readable(reader, id)?.feed
      if (!feed || feed.begun === 0) return null
      const places = Array.from({ length: Math.max(0, Math.min(to, feed.total) - from) }, (_, at) => from + at)
      return { n: conversations.n, total: feed.total, blocks: feed.blocks(places) }
    },
    inside: async (reader, id, { block, piece }) => readable(reader, id)?.feed?.inside(block, piece) ?? null,
    publishers: () => publishers.list(folder => folderLabel(folder, home)),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    waiting: () => conversations.waiting(),
    onWaiting(listener) {
      waitingListeners.add(listener)
      return () => void waitingListeners.delete(listener)
    },
    close() {
      clearInterval(looking)
      timing.end()
      publishers.close()
    },
  }

  function look(): void {
    publishers.look()
    conversations.tidy()
  }

  function flush(): void {
    conversations.flush()
    if (conversations.listAt !== listAt) changed()
    listAt = conversations.listAt
    for (const listener of waitingListeners) listener()
  }

  function changed(): void {
    for (const listener of listeners) listener()
  }

  function readable(reader: HubReader, id: string): KnownConversation | null {
    const known = conversations.find(id)
    return known && maySee(reader, known) ? known : null
  }

  async function* stream(request: HubStreamRequest): AsyncGenerator<PageLine> {
    const { device, only, signal, watch } = request
    const has = (n: number): number => (request.epoch === epoch && n <= conversations.n ? n : 0)
    const known = has(request.known)
    const since = watch === null ? known : has(request.since ?? 0)
    const bell = new Bell()
    const ring = (): void => bell.ring()
    const viewer = conversations.join({ device, only, watch, known, since }, ring)
    signal.addEventListener('abort', ring)
    try {
      yield { n: viewer.n, type: 'hello', epoch, device, now: now() }
      while (!signal.aborted) {
        for (const line of viewer.take()) yield line
        if (signal.aborted) break
        if (!(await bell.rings(ALIVE))) yield { n: viewer.n, type: 'alive' }
      }
      const message: unknown = signal.reason
      if (typeof message === 'string' && message !== '') yield { n: viewer.n, type: 'end', message }
    } finally {
      signal.removeEventListener('abort', ring)
      conversations.leave(viewer)
    }
  }
}
