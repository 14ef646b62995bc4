/** Shows conversations to the servers that have connected, and passes on what their devices ask for. It knows no socket. */
import { roleFor, roles, type OutsideReply } from '../outside-call.ts'
import type { PublishedConversation } from '../conversation.ts'
import {
  calledSchema,
  type Called,
  type PublisherLine,
  type ServedPurpose,
  type ServedQuestion,
  type ServerLine,
  type ServerTrust,
} from '../protocol.ts'
import { RepliesOnce } from './once.ts'
import { Watchers } from './watchers.ts'

/** The conversations of a process. */
export type PublishedSource = {
  /** By the keys of their rows. */
  all: () => ReadonlyMap<string, PublishedConversation>
  /** Calls the listener when one comes or goes. Returns its end. */
  onChange: (listener: () => void) => () => void
}

/** What decides whether a server may pass on what devices ask for. */
export type TrustGate = {
  /** The secret of the server that this UI has started; null without one. */
  secret: () => string | null
  /** Asks the person. `decide` is called at most once. Returns a function that withdraws the question; null if nobody is asked any more. */
  ask: (
    server: { pid: number; code: string; purpose: ServedPurpose },
    decide: (isYes: boolean) => void,
  ) => (() => void) | null
}

export type ServedParts = {
  source: PublishedSource
  /** The text of a line, or undefined for one that is not JSON. */
  parse: (text: string) => unknown
  /** Runs `run` once after a time in milliseconds. Returns a function that cancels it. */
  after: (ms: number, run: () => void) => () => void
  /** Milliseconds that have passed. */
  elapsed: () => number
}

export type ServerLink = {
  purpose: ServedPurpose
  write: (line: PublisherLine) => void
  /** Ends the connection to a server that breaks the protocol. */
  drop: () => void
  /** Whether a request comes from the server itself. */
  isAuthentic: (body: string, mac: string) => boolean
  /** A request has come that nobody has said yes to. Returns the sentence for whoever sent it, and whether a yes may follow. */
  untrusted: () => { message: string; isAsked: boolean }
}

/** One of the servers that are connected. */
export type ServedServer = {
  /** What the person lets it do from now on. The first call begins. */
  trust: (trust: ServerTrust, isAsked: boolean) => void
  take: (line: ServerLine) => void
  ended: () => void
}

const inLines = (question: ServedQuestion): ServedQuestion => ({ ...question, html: '' })
const asHtml = (question: ServedQuestion): ServedQuestion => ({ ...question, text: '' })

/** What all servers have in common. */
export function createServed(parts: ServedParts): (link: ServerLink) => ServedServer {
  const common = { ...parts, replies: new RepliesOnce(), watchers: new Watchers() }
  return link => new Served(common, link)
}

/** Milliseconds in which changes are gathered. */
const GATHER = 100
/** Requests of a server that may be in progress. */
const MOST_CALLS = 64

type Common = ServedParts & { replies: RepliesOnce; watchers: Watchers }

/** A conversation that this server looks at. */
type WatchedHere = { end: () => void; queue: string; model: string }

class Served implements ServedServer {
  readonly #common: Common
  readonly #link: ServerLink
  readonly #watched = new Map<string, WatchedHere>()
  /** The end of each subscription, by the key of its conversation. */
  readonly #followed = new Map<string, () => void>()
  readonly #sentQuestions = new Map<string, string>()
  #leaveSource: (() => void) | null = null
  #cancel: (() => void) | null = null
  #sentAt = -Infinity
  #sentRows = ''
  #trust: ServerTrust = 'show'
  #last = -Infinity
  #calls = 0
  #isOver = false

  constructor(common: Common, link: ServerLink) {
    this.#common = common
    this.#link = link
  }

  trust(trust: ServerTrust, isAsked: boolean): void {
    if (this.#isOver) return
    this.#trust = trust
    this.#link.write({ type: 'trust', trust, isAsked })
    if (this.#leaveSource) return
    this.#leaveSource = this.#common.source.onChange(() => this.#changed())
    this.#send()
  }

  take(line: ServerLine): void {
    switch (line.type) {
      case 'watch':
        return this.#watch(line.conversation)
      case 'unwatch':
        return this.#unwatch(line.conversation)
      case 'watchers':
        this.#common.watchers.set(this, line.conversation, line.names)
        return this.#showWatchers(line.conversation)
      case 'call':
        return this.#called(line)
      case 'hello':
      case 'key':
        return this.#link.drop()
    }
  }

  ended(): void {
    this.#isOver = true
    this.#cancel?.()
    this.#leaveSource?.()
    for (const end of this.#followed.values()) end()
    for (const { end } of this.#watched.values()) end()
    for (const conversation of this.#common.watchers.remove(this)) this.#showWatchers(conversation)
  }

  /** The first change after a pause is sent at once, together with what follows in the same turn of the event loop. */
  #changed(): void {
    const { after, elapsed } = this.#common
    this.#cancel ??= after(Math.max(0, this.#sentAt + GATHER - elapsed()), () => this.#send())
  }

  #send(): void {
    this.#cancel?.()
    this.#cancel = null
    if (this.#isOver) return
    this.#sentAt = this.#common.elapsed()
    const all = this.#common.source.all()
    this.#follow(all)
    const rows = [...all.values()].map(each => each.row())
    const text = JSON.stringify(rows)
    if (text !== this.#sentRows) this.#link.write({ type: 'rows', rows })
    this.#sentRows = text
    for (const [key, each] of all) this.#sendQuestions(key, each)
    for (const [key, watched] of this.#watched) this.#sendQueue(key, watched)
  }

  /** Listens to those that are there, and no longer to those that are gone. */
  #follow(all: ReadonlyMap<string, PublishedConversation>): void {
    for (const [key, end] of this.#followed) {
      if (all.has(key)) continue
      end()
      this.#unwatch(key)
      this.#followed.delete(key)
      this.#sentQuestions.delete(key)
    }
    for (const [key, each] of all) {
      if (!this.#followed.has(key))
        this.#followed.set(
          key,
          each.onChange(() => this.#changed()),
        )
    }
  }

  #sendQuestions(conversation: string, published: PublishedConversation): void {
    const questions = published.questions()
    // The digests stand for what is shown, which may be long.
    const text = JSON.stringify(questions.map(question => ({ ...question, html: '', text: '' })))
    if (text === (this.#sentQuestions.get(conversation) ?? '[]')) return
    this.#sentQuestions.set(conversation, text)
    const own = this.#link.purpose === 'board' ? questions.map(inLines) : questions.map(asHtml)
    this.#link.write({ type: 'questions', conversation, questions: own })
  }

  #sendQueue(conversation: string, watched: WatchedHere): void {
    const published = this.#common.source.all().get(conversation)
    if (!published) return
    const queue = published.queue()
    const text = JSON.stringify(queue)
    if (text !== watched.queue) this.#link.write({ type: 'queue', conversation, queue })
    watched.queue = text
    const { model, agent } = published.row()
    const named = JSON.stringify([agent, model])
    if (named !== watched.model) void this.#sendModels(conversation, published)
    watched.model = named
  }

  async #sendModels(conversation: string, published: PublishedConversation): Promise<void> {
    const models = await published.models()
    if (this.#watched.has(conversation)) this.#link.write({ type: 'models', conversation, models })
  }

  #watch(conversation: string): void {
    const published = this.#common.source.all().get(conversation)
    if (!published) return
    this.#unwatch(conversation)
    const end = published.onEvents({
      added: events => {
        for (const event of events) this.#link.write({ type: 'event', conversation, event })
      },
      replaced: () => this.#sendPast(conversation, published),
    })
    this.#watched.set(conversation, { end, queue: '', model: '' })
    this.#sendPast(conversation, published)
    this.#send()
  }

  #unwatch(conversation: string): void {
    this.#watched.get(conversation)?.end()
    this.#watched.delete(conversation)
  }

  #sendPast(conversation: string, published: PublishedConversation): void {
    const { write } = this.#link
    const { file, events } = published.past()
    write({ type: 'past', conversation, file })
    for (const event of events) write({ type: 'event', conversation, event })
    write({ type: 'caught_up', conversation })
  }

  #showWatchers(conversation: string): void {
    const { source, watchers } = this.#common
    source.all().get(conversation)?.watched(watchers.of(conversation))
  }

  #called({ body, mac }: Extract<ServerLine, { type: 'call' }>): void {
    const called = calledSchema.safeParse(this.#common.parse(body))
    // One that was written down and sent again has an old number.
    if (!called.success || !this.#link.isAuthentic(body, mac) || called.data.id <= this.#last) return this.#link.drop()
    this.#last = called.data.id
    void this.#answer(called.data)
  }

  async #answer(called: Called): Promise<void> {
    this.#calls += 1
    const reply = await this.#carriedOut(called)
    this.#calls -= 1
    if (this.#isOver) return
    this.#link.write({ type: 'reply', id: called.id, reply })
    // The page needs what it was not shown.
    if (!reply.ok && reply.why === 'changed') this.#sentQuestions.delete(called.conversation)
    this.#changed()
  }

  async #carriedOut({ conversation, device, call, confirmed }: Called): Promise<OutsideReply> {
    if (this.#trust !== 'all') {
      const { message, isAsked } = this.#link.untrusted()
      return { ok: false, why: isAsked ? 'needs_yes' : 'forbidden', message }
    }
    const isMove = call.do === 'move_to_background'
    if (isMove && this.#link.purpose !== 'board')
      return { ok: false, why: 'forbidden', message: 'Only a board moves a conversation to the background.' }
    if (!isMove && roles.indexOf(device.role) < roles.indexOf(roleFor[call.do]))
      return { ok: false, why: 'forbidden', message: `This device may not do that: its role is ${device.role}.` }
    if (this.#calls > MOST_CALLS) return { ok: false, why: 'failed', message: 'Too many requests wait for an answer.' }
    const { source, replies } = this.#common
    const published = source.all().get(conversation)
    if (!published) return { ok: false, why: 'gone', message: 'This conversation has ended.' }
    try {
      return await replies.once(device, call, async () =>
        isMove ? published.toBackground() : published.carryOut(call, device, confirmed),
      )
    } catch (error) {
      return { ok: false, why: 'failed', message: error instanceof Error ? error.message : String(error) }
    }
  }
}
