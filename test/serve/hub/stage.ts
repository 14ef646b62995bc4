/** A process with conversations, as the hub sees it. */
import type { AgentEvent } from '../../../src/agent/event.ts'
import type { PublishedRow, ServedQuestion } from '../../../src/published/protocol.ts'
import { createHash } from 'node:crypto'
import { HubConversations, type HubConversationsOptions } from '../../../src/serve/hub/hub-conversations.ts'
import type { PublishedLine } from '../../../src/published/socket/connection.ts'
import { conversationId } from '../../../src/serve/hub/known-conversation.ts'
import { PageModel } from './page-model.ts'

export function rowOf(row: Partial<PublishedRow> = {}): PublishedRow {
  return {
    key: 'k',
    kind: 'ui',
    session: 's',
    folder: '/home/me/project',
    branch: null,
    agent: 'zot',
    model: 'claude',
    title: 'A title',
    state: 'working',
    since: null,
    lastLine: '',
    costUsd: null,
    mode: 'ask',
    takes: [],
    stays: '',
    ...row,
  }
}

export function questionOf(id: string, html: string): ServedQuestion {
  const digest = createHash('sha256').update(html).digest('hex')
  const plain = { text: '', textDigest: '', note: '', fields: [] }
  return { id, kind: 'call', title: id, html, digest, answers: ['allow', 'refuse'], ...plain }
}

type Sent = Parameters<Parameters<HubConversations['connected']>[0]['send']>[0]

export class HubStage {
  readonly clock = { now: 1_000_000 }
  readonly sent: Sent[] = []
  readonly conversations: HubConversations
  /** What `onNews` asked for. */
  news: (number | null)[] = []
  files = new Map<string, readonly AgentEvent[]>()

  constructor(options: Partial<HubConversationsOptions> = {}) {
    this.conversations = new HubConversations({
      home: '/home/me',
      now: () => this.clock.now,
      readPast: async ({ path }, take) => take(this.files.get(path) ?? []),
      onNews: milliseconds => void this.news.push(milliseconds),
      log: () => undefined,
      ...options,
    })
  }

  connect(id = 'p', rows: readonly PublishedRow[] = [rowOf()]): void {
    this.conversations.connected({
      id,
      send: line => void this.sent.push(line),
      call: async () => ({ ok: true, how: 'done' }),
    })
    this.take({ type: 'trust', trust: 'all', isAsked: false }, id)
    this.take({ type: 'rows', rows }, id)
  }

  take(line: PublishedLine, id = 'p'): boolean {
    return this.conversations.take(id, line)
  }

  /** The conversation begins with these events. */
  begin(events: readonly AgentEvent[] = []): void {
    this.take({ type: 'past', conversation: 'k', file: null })
    this.events(events)
    this.take({ type: 'caught_up', conversation: 'k' })
  }

  events(events: readonly AgentEvent[]): void {
    for (const event of events) this.take({ type: 'event', conversation: 'k', event })
  }

  /** A page that has what there is now. */
  fresh(watch: string | null = KNOWN): PageModel {
    const page = new PageModel(watch)
    const viewer = this.conversations.join(page.request(), () => undefined)
    page.take(viewer.take())
    this.conversations.leave(viewer)
    return page
  }
}

/** The id of the conversation of the process `p`. */
export const KNOWN = conversationId('p', 'k')
