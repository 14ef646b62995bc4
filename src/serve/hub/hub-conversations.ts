/**
 * The conversations of all processes, and who looks at them. It has no clock and no socket: lines come in, `flush` ends a moment, and each viewer
 * takes what has changed since the last moment that it has.
 */
import type { AgentEvent } from '../../agent/event.ts'
import type { Device, OutsideCall, OutsideReply } from '../../published/outside-call.ts'
import type { PublishedRow } from '../../published/protocol.ts'
import type { PublishedLine, PublisherConnection } from '../../published/socket/connection.ts'
import type { NotifiedConversation } from '../notify/due-notices.ts'
import type { PageConversation } from '../page-lines.ts'
import { Feed, type PastFile } from './feed.ts'
import { boundedRow, conversationId, inOrder, pageConversation, type KnownConversation } from './known-conversation.ts'
import { checkedQuestions } from './safe-questions.ts'
import { pageStatus } from './status.ts'
import { Viewer, type ViewerRequest } from './viewer.ts'

/** A process that the server is connected to. */
export type HubPublisher = { id: string } & Pick<PublisherConnection, 'send' | 'call'>

export type HubConversationsOptions = {
  home: string
  /** Milliseconds since the Unix epoch. */
  now: () => number
  readPast: (file: PastFile, take: (events: readonly AgentEvent[]) => void) => Promise<void>
  /** `flush` is due, at the latest in this many milliseconds; null for as soon as usual. */
  onNews: (milliseconds: number | null) => void
  log: (line: string) => void
}

/** The most conversations of one process. */
const MOST_ROWS = 100
/** Milliseconds for which one stays in the list whose process is gone, and for which one is followed that nobody looks at any more. */
const [GONE, LEFT] = [60_000, 60_000]
/** Milliseconds between two lists of which only what is said last, or costs, are different. */
const LIST_GATHER = 500
/** Names of those who watch, for a process. */
const MOST_NAMES = 50
const GONE_REPLY: OutsideReply = { ok: false, why: 'gone', message: 'This conversation has ended.' }
const NOT_TRUSTED: OutsideReply = {
  ok: false,
  why: 'forbidden',
  message: 'The person has not let this server pass on answers yet: /serve in that terminal asks.',
}

export class HubConversations {
  readonly #options: HubConversationsOptions
  readonly #publishers = new Map<string, HubPublisher & { isTrusted: boolean }>()
  readonly #known = new Map<string, KnownConversation>()
  readonly #viewers = new Set<Viewer>()
  /** The present moment, and the one at which the list last changed. */
  #n = 1
  #list: { rows: readonly PageConversation[]; at: number; time: number; key: string } = {
    rows: [],
    at: 1,
    time: 0,
    key: '',
  }
  /** True if the list may be another one. */
  #isListOld = false
  readonly #oldQuestions = new Set<KnownConversation>()

  constructor(options: HubConversationsOptions) {
    this.#options = options
  }

  get n(): number {
    return this.#n
  }

  get listAt(): number {
    return this.#list.at
  }

  list(): readonly PageConversation[] {
    return this.#list.rows
  }

  /** The number of conversations of a process. */
  count(publisher: string): number {
    return [...this.#known.values()].filter(known => known.publisher === publisher && known.goneAt === null).length
  }

  /** What notifications watch. A device that looks at a conversation has what waits before its eyes; a reader of a share cannot answer. */
  waiting(): NotifiedConversation[] {
    const there = [...this.#known.values()].filter(({ goneAt }) => goneAt === null)
    return there.map(known => {
      const { id, row, questions } = known
      const isWatched = this.#viewersOf(known).some(({ isDevice }) => isDevice)
      return { id, state: row.state, folder: row.folder, title: row.title, questions, isWatched }
    })
  }

  find(id: string): KnownConversation | undefined {
    return this.#known.get(id)
  }

  connected(publisher: HubPublisher): void {
    this.#publishers.set(publisher.id, { ...publisher, isTrusted: false })
  }

  gone(id: string): void {
    this.#publishers.delete(id)
    for (const known of this.#known.values()) if (known.publisher === id) this.#lose(known)
    this.#news()
  }

  /** False for a line that no process of ours sends. */
  take(id: string, line: PublishedLine): boolean {
    const publisher = this.#publishers.get(id)
    if (!publisher) return true
    if (line.type === 'trust') publisher.isTrusted = line.trust === 'all'
    else if (line.type === 'rows') this.#takeRows(id, line.rows)
    else {
      const known = this.#known.get(conversationId(id, line.conversation))
      if (line.type !== 'questions') known?.feed?.take(line)
      else return this.#takeQuestions(known, line.questions)
      return true
    }
    this.#isListOld = true
    this.#news()
    return true
  }

  async call(device: Device, id: string, call: OutsideCall, confirmed: boolean): Promise<OutsideReply> {
    const known = this.#known.get(id)
    const publisher = known && this.#publishers.get(known.publisher)
    if (!known || !publisher || known.goneAt !== null) return GONE_REPLY
    if (!publisher.isTrusted) return NOT_TRUSTED
    return publisher.call({ conversation: known.key, device, call, confirmed })
  }

  join(request: ViewerRequest, onNews: () => void): Viewer {
    const viewer = new Viewer(this, request, onNews)
    this.#viewers.add(viewer)
    const known = request.watch === null ? undefined : this.#known.get(request.watch)
    if (known) this.#watch(known)
    return viewer
  }

  leave(viewer: Viewer): void {
    this.#viewers.delete(viewer)
    const known = viewer.watch === null ? undefined : this.#known.get(viewer.watch)
    if (!known) return
    if (this.#viewersOf(known).length === 0) known.leftAt = this.#options.now()
    this.#tellWatchers(known)
  }

  /** Ends the moment: what has come so far can be seen from now on. */
  flush(): void {
    this.#n += 1
    for (const known of this.#oldQuestions) known.questionsAt = this.#n
    this.#oldQuestions.clear()
    for (const known of this.#known.values()) {
      if (!known.feed) continue
      known.feed.flush(this.#n)
      this.#noteStatus(known, known.feed)
    }
    this.#noteList()
    for (const viewer of this.#viewers) viewer.wake()
  }

  /** Forgets what is gone for long, and follows nothing that nobody looks at. To be called now and then. */
  tidy(): void {
    const now = this.#options.now()
    for (const known of this.#known.values()) {
      if (known.goneAt !== null && now - known.goneAt >= GONE) this.#forget(known)
      else if (known.leftAt !== null && now - known.leftAt >= LEFT) this.#unwatch(known)
    }
  }

  #takeRows(publisher: string, rows: readonly PublishedRow[]): void {
    const there = new Set<string>()
    for (const row of rows.slice(0, MOST_ROWS)) {
      const id = conversationId(publisher, row.key)
      if (there.has(id)) continue
      there.add(id)
      const known = this.#known.get(id)
      if (known) this.#update(known, boundedRow(row))
      else this.#add({ id, publisher, key: row.key, row: boundedRow(row) })
    }
    for (const known of this.#known.values()) {
      if (known.publisher === publisher && !there.has(known.id)) this.#lose(known)
    }
    this.#forgetMoved()
  }

  #add(facts: Pick<KnownConversation, 'id' | 'publisher' | 'key' | 'row'>): void {
    const at = this.#n + 1
    const none = { goneAt: null, questions: [], status: null, feed: null, leftAt: null }
    const known = { ...facts, ...none, questionsAt: at, statusAt: at }
    this.#known.set(facts.id, known)
    if (this.#viewersOf(known).length > 0) this.#watch(known)
  }

  #update(known: KnownConversation, row: PublishedRow): void {
    known.row = row
    if (known.goneAt === null) return
    known.goneAt = null
    // The process has another connection, which watches nothing yet.
    if (known.feed) this.#publishers.get(known.publisher)?.send({ type: 'watch', conversation: known.key })
    this.#tellWatchers(known)
  }

  #takeQuestions(known: KnownConversation | undefined, questions: KnownConversation['questions']): boolean {
    const checked = checkedQuestions(questions)
    if (!checked) return false
    if (known) this.#setQuestions(known, checked)
    this.#news()
    return true
  }

  #setQuestions(known: KnownConversation, questions: KnownConversation['questions']): void {
    if (known.questions.length === 0 && questions.length === 0) return
    known.questions = questions
    this.#oldQuestions.add(known)
    this.#isListOld = true
  }

  #lose(known: KnownConversation): void {
    if (known.goneAt !== null) return
    known.goneAt = this.#options.now()
    this.#setQuestions(known, [])
    this.#isListOld = true
  }

  /** A conversation that another process has now is not gone. */
  #forgetMoved(): void {
    const there = [...this.#known.values()].filter(({ goneAt }) => goneAt === null)
    const sessions = new Set(there.map(({ row }) => row.session))
    for (const known of this.#known.values()) {
      if (known.goneAt !== null && known.row.session !== null && sessions.has(known.row.session)) this.#forget(known)
    }
  }

  #forget(known: KnownConversation): void {
    known.feed?.end()
    this.#known.delete(known.id)
    this.#isListOld = true
    this.#news()
  }

  #watch(known: KnownConversation): void {
    known.leftAt = null
    if (!known.feed) {
      const { readPast, log } = this.#options
      known.feed = new Feed({ readPast, log, onNews: () => this.#news() })
      this.#publishers.get(known.publisher)?.send({ type: 'watch', conversation: known.key })
    }
    this.#tellWatchers(known)
  }

  #unwatch(known: KnownConversation): void {
    known.leftAt = null
    known.feed?.end()
    known.feed = null
    this.#publishers.get(known.publisher)?.send({ type: 'unwatch', conversation: known.key })
  }

  #viewersOf({ id }: Pick<KnownConversation, 'id'>): Viewer[] {
    return [...this.#viewers].filter(({ watch }) => watch === id)
  }

  #watchersOf(known: KnownConversation): string[] {
    const devices = new Map(this.#viewersOf(known).map(({ device }) => [device.id, device.name]))
    return [...devices.values()].slice(0, MOST_NAMES)
  }

  #tellWatchers(known: KnownConversation): void {
    const names = this.#watchersOf(known)
    if (known.goneAt === null) {
      this.#publishers.get(known.publisher)?.send({ type: 'watchers', conversation: known.key, names })
    }
    this.#news()
  }

  #noteStatus(known: KnownConversation, feed: Feed): void {
    if (feed.begun === 0) return
    const status = pageStatus(feed, known.row, this.#watchersOf(known))
    if (known.status !== null && JSON.stringify(known.status) === JSON.stringify(status)) return
    known.status = status
    known.statusAt = this.#n
  }

  #noteList(): void {
    if (!this.#isListOld) return
    const { home, now } = this.#options
    const isTrusted = (id: string): boolean => this.#publishers.get(id)?.isTrusted ?? false
    const rows = [...this.#known.values()].map(known => pageConversation(known, isTrusted(known.publisher), home))
    const key = keyOf(rows)
    const wait = this.#list.time + LIST_GATHER - now()
    if (key === this.#list.key && wait > 0 && wait <= LIST_GATHER) return this.#options.onNews(wait)
    this.#isListOld = false
    this.#list = { rows: inOrder(rows), at: this.#n, time: now(), key }
  }

  #news(): void {
    this.#options.onNews(null)
  }
}

/** What of the list is to be seen at once. */
function keyOf(rows: readonly PageConversation[]): string {
  return JSON.stringify(rows.map(urgentFacts))
}

function urgentFacts({
  id,
  state,
  questions,
  isThere,
  takesAnswers,
  session,
  title,
  mode,
}: PageConversation): unknown[] {
  return [id, state, questions, isThere, takesAnswers, session, title, mode]
}
