/** What the server has of the conversations, as a test wants it: the page sees it over the real server. */
import { createHash, randomUUID } from 'node:crypto'
import { digestedText } from '../../src/published/digested-text.ts'
import type { OutsideCall, OutsideReply } from '../../src/published/outside-call.ts'
import type { ServedQuestion } from '../../src/published/protocol.ts'
import type { Hub, HubStreamRequest } from '../../src/serve/hub/hub.ts'
import type { PageConversation, PageLine, PageStatus, PlacedBlock } from '../../src/serve/page-lines.ts'

type Unnumbered<Line> = Line extends unknown ? Omit<Line, 'n'> : never
type Client = { request: HubStreamRequest; lines: PageLine[]; wake: () => void }

/** Blocks that a page gets at first. */
const FIRST = 60

export class PageHub implements Hub {
  readonly epoch = randomUUID()
  readonly calls: { device: string; conversation: string; call: OutsideCall }[] = []
  readonly asked: { from: number; to: number }[] = []
  /** What each request gets. */
  reply: (call: OutsideCall) => OutsideReply | Promise<OutsideReply> = () => ({ ok: true, how: 'done' })
  rest: (block: string, piece: number) => { html: string; next: number | null } | null = () => null
  readonly streams: HubStreamRequest[] = []
  readonly #clients = new Set<Client>()
  readonly #questions = new Map<string, readonly ServedQuestion[]>()
  readonly #statuses = new Map<string, PageStatus>()
  readonly #blocks = new Map<string, PlacedBlock[]>()
  #rows: readonly PageConversation[] = []
  #n = 0

  async *stream(request: HubStreamRequest): AsyncGenerator<PageLine> {
    const { device, signal, watch, epoch, since = 0 } = request
    this.streams.push(request)
    const client: Client = { request, lines: [], wake: () => undefined }
    this.#clients.add(client)
    signal.addEventListener('abort', () => client.wake(), { once: true })
    try {
      yield { n: this.#n, type: 'hello', epoch: this.epoch, device, now: Date.now() }
      yield { n: this.#n, type: 'conversations', conversations: this.#rows }
      for (const [conversation, questions] of this.#questions)
        yield { n: this.#n, type: 'questions', conversation, questions }
      if (watch !== null) yield* this.#beginning(watch, epoch === this.epoch ? since : 0)
      while (!signal.aborted) {
        yield* client.lines.splice(0)
        const { promise, resolve } = Promise.withResolvers<void>()
        client.wake = resolve
        if (client.lines.length === 0 && !signal.aborted) await promise
      }
      const message: unknown = signal.reason
      if (typeof message === 'string' && message !== '') yield { n: this.#n, type: 'end', message }
    } finally {
      this.#clients.delete(client)
    }
  }

  /** What a page gets that looks at a conversation from now on. */
  *#beginning(conversation: string, since: number): Generator<PageLine> {
    const all = this.#blocks.get(conversation) ?? []
    const from =
      since > 0
        ? Math.max(
            0,
            all.findIndex(({ version }) => version > since),
          )
        : Math.max(0, all.length - FIRST)
    const blocks = since > 0 && !all.some(({ version }) => version > since) ? [] : all.slice(from)
    yield { n: this.#n, type: 'blocks', conversation, total: all.length, from, blocks, isAnew: since === 0 }
    const status = this.#statuses.get(conversation)
    if (status) yield { n: this.#n, type: 'status', conversation, status }
  }

  conversations(): readonly PageConversation[] {
    return this.#rows
  }

  async call(device: { name: string }, conversation: string, call: OutsideCall): Promise<OutsideReply> {
    this.calls.push({ device: device.name, conversation, call })
    return this.reply(call)
  }

  async blocks(_reader: unknown, conversation: string, { from, to }: { from: number; to: number }) {
    this.asked.push({ from, to })
    const all = this.#blocks.get(conversation) ?? []
    return { n: this.#n, total: all.length, blocks: all.slice(from, to) }
  }

  async inside(_reader: unknown, _conversation: string, { block, piece }: { block: string; piece: number }) {
    return this.rest(block, piece)
  }

  publishers(): [] {
    return []
  }

  waiting(): [] {
    return []
  }

  onWaiting(): () => void {
    return () => undefined
  }

  onChange(): () => void {
    return () => undefined
  }

  close(): void {
    // Nothing is open.
  }

  setRows(rows: readonly PageConversation[]): void {
    this.#rows = rows
    this.#say({ type: 'conversations', conversations: rows })
  }

  setQuestions(conversation: string, questions: readonly ServedQuestion[]): void {
    this.#questions.set(conversation, questions)
    this.#say({ type: 'questions', conversation, questions })
    this.setRows(this.#rows.map(row => (row.id === conversation ? { ...row, questions: questions.length } : row)))
  }

  setStatus(conversation: string, status: PageStatus): void {
    this.#statuses.set(conversation, status)
    this.#say({ type: 'status', conversation, status })
  }

  /** Puts these blocks from this place on, and forgets what came after them. */
  setBlocks(conversation: string, from: number, html: readonly string[]): void {
    const all = this.#blocks.get(conversation) ?? []
    const version = this.#n + 1
    const blocks = html.map((each, at) => ({ id: `b${from + at}`, version, html: each, index: from + at }))
    this.#blocks.set(conversation, [...all.slice(0, from), ...blocks])
    this.#say({ type: 'blocks', conversation, total: from + html.length, from, blocks, isAnew: false })
  }

  add(conversation: string, html: string): void {
    this.setBlocks(conversation, this.#blocks.get(conversation)?.length ?? 0, [html])
  }

  #say(line: Unnumbered<PageLine>): void {
    this.#n += 1
    const numbered: PageLine = { ...line, n: this.#n }
    for (const client of this.#clients) {
      const isOfOther =
        line.type === 'blocks' || line.type === 'status' ? line.conversation !== client.request.watch : false
      if (isOfOther) continue
      client.lines.push(numbered)
      client.wake()
    }
  }
}

/** A question as a conversation would publish it. */
export function servedQuestion(question: Partial<ServedQuestion> & { html: string }): ServedQuestion {
  return {
    id: 'q1',
    kind: 'call',
    title: 'Run npm test?',
    digest: createHash('sha256')
      .update(digestedText({ fields: [], ...question }))
      .digest('hex'),
    answers: ['allow', 'refuse'],
    note: '',
    fields: [],
    text: '',
    textDigest: '',
    ...question,
  }
}

export function pageStatus(status: Partial<PageStatus> = {}): PageStatus {
  return {
    isWorking: false,
    activity: '',
    since: null,
    model: 'sonnet',
    models: [],
    mode: 'ask',
    costUsd: null,
    tokens: { input: 0, output: 0 },
    queue: { entries: [], paused: false },
    watchers: ['Pixel 8'],
    ...status,
  }
}
