/** A conversation that somebody looks at: its events are folded and drawn. */
import type { AgentEvent } from '../../agent/event.ts'
import { reduce } from '../../conversation/reduce.ts'
import { initialChat, type ChatState } from '../../conversation/state.ts'
import type { PublisherLine, ServedModel, ServedQueue } from '../../published/protocol.ts'
import type { PlacedBlock } from '../page-lines.ts'
import type { RestPiece } from '../rendering/cuts.ts'
import { Rendering } from '../rendering/rendering.ts'
import { Stamps } from './stamps.ts'

export type FeedLine = Extract<PublisherLine, { type: 'past' | 'event' | 'caught_up' | 'queue' | 'models' }>
export type PastFile = NonNullable<Extract<PublisherLine, { type: 'past' }>['file']>

/** Reads the first bytes of a session's file, piece by piece. Rejects for a file that may not be read. */
export type ReadPast = (file: PastFile, take: (events: readonly AgentEvent[]) => void) => Promise<void>

export type FeedOptions = {
  readPast: ReadPast
  /** There is something to `flush`. */
  onNews: () => void
  log: (line: string) => void
}

/** Blocks at the end that keep their HTML: those that a new client gets. */
const KEPT = 400
/** Lines that are folded at a moment: the pages of other conversations need not wait for a very long one. */
const MOST_FOLDED = 5000
/** Versions of a block grow by the moments of the server. */
type Shown = { rendering: Rendering; stamps: Stamps; begun: number; file: string | null }

export class Feed {
  readonly #options: FeedOptions
  /** What is to be folded, in its order. */
  #waiting: FeedLine[] = []
  /** The conversation whose beginning is being read; null for none. */
  #coming: { chat: ChatState; file: string | null } | null = null
  #isReading = false
  #isEnded = false
  #chat: ChatState = initialChat
  #shown: Shown = { rendering: new Rendering(), stamps: new Stamps(), begun: 0, file: null }
  #forgotten = 0
  /** The moment at which the number of blocks last changed. */
  totalAt = 0
  queue: ServedQueue = { entries: [], paused: false }
  models: readonly ServedModel[] = []

  constructor(options: FeedOptions) {
    this.#options = options
  }

  get chat(): ChatState {
    return this.#chat
  }

  get total(): number {
    return this.#shown.stamps.length
  }

  /** The moment at which this conversation began to be shown; 0 while it is not. */
  get begun(): number {
    return this.#shown.begun
  }

  /** The path of the session's file of what is shown; null for none. */
  get file(): string | null {
    return this.#shown.file
  }

  take(line: FeedLine): void {
    this.#waiting.push(line)
    if (!this.#isReading) this.#options.onNews()
  }

  /** The moment is `n` now. */
  flush(n: number): void {
    const isAnother = this.#fold()
    if (isAnother) {
      this.#shown = { rendering: new Rendering(), stamps: new Stamps(), begun: n, file: isAnother.file }
      this.#forgotten = 0
    }
    const { rendering, stamps, begun } = this.#shown
    const before = isAnother ? -1 : stamps.length
    if (begun > 0) stamps.note(rendering.advance(this.#chat), n)
    if (stamps.length !== before) this.totalAt = n
    for (; this.#forgotten < stamps.length - KEPT; this.#forgotten += 1) rendering.at(this.#forgotten)?.forget()
    this.#forgotten = Math.min(this.#forgotten, stamps.length)
  }

  end(): void {
    this.#isEnded = true
    this.#waiting = []
  }

  /** The blocks at these places. */
  blocks(places: readonly number[]): PlacedBlock[] {
    return places.flatMap(index => {
      const block = this.#shown.rendering.at(index)
      if (!block) return []
      const { html, hasMore } = block.drawn()
      if (index < this.#forgotten) block.forget()
      return [{ index, id: block.id, version: this.#shown.stamps.at(index), html, ...(hasMore && { hasMore }) }]
    })
  }

  /** The places that changed after the moment `n`; null if there are more than `most`. */
  changedSince(n: number, most: number): readonly number[] | null {
    return this.#shown.stamps.since(n, most)
  }

  inside(id: string, piece: number): RestPiece | null {
    const { rendering } = this.#shown
    for (let at = rendering.total - 1; at >= 0; at -= 1) {
      const block = rendering.at(at)
      if (block?.id === id) return block.rest(piece)
    }
    return null
  }

  /** Returns the conversation that is shown from now on in the place of the former; null if it goes on. */
  #fold(): { file: string | null } | null {
    let another: { file: string | null } | null = null
    let folded = 0
    for (const line of this.#waiting) {
      if (this.#isReading || folded === MOST_FOLDED) break
      folded += 1
      if (line.type === 'past') this.#begin(line.file)
      else if (line.type === 'queue') this.queue = line.queue
      else if (line.type === 'models') this.models = line.models
      else if (line.type === 'event') this.#add([line.event])
      else if (this.#coming) {
        another = { file: this.#coming.file }
        this.#chat = this.#coming.chat
        this.#coming = null
      }
    }
    this.#waiting = this.#waiting.slice(folded)
    if (this.#waiting.length > 0 && !this.#isReading) this.#options.onNews()
    return another
  }

  #add(events: readonly AgentEvent[]): void {
    const coming = this.#coming
    if (coming) this.#coming = { ...coming, chat: events.reduce(reduce, coming.chat) }
    else this.#chat = events.reduce(reduce, this.#chat)
  }

  #begin(file: PastFile | null): void {
    this.#coming = { chat: initialChat, file: file?.path ?? null }
    if (file) void this.#read(file)
  }

  async #read(file: PastFile): Promise<void> {
    this.#isReading = true
    try {
      await this.#options.readPast(file, events => {
        if (!this.#isEnded) this.#add(events)
      })
    } catch (error) {
      this.#options.log(`serve: a session cannot be read: ${String(error)}`)
    }
    this.#isReading = false
    if (!this.#isEnded) this.#options.onNews()
  }
}
