/** What the page knows, folded from the lines of its stream. */
import type { Device } from '../../published/outside-call.ts'
import type { ServedQuestion } from '../../published/protocol.ts'
import type { PageConversation, PageLine, PageStatus, PlacedBlock } from '../page-lines.ts'

/** Blocks that are kept around those that are shown. */
const KEPT = 600

/** The conversation that is looked at. */
export class WatchedBlocks {
  readonly id: string
  /** The last `n` that came while it was watched. */
  since = 0
  total = 0
  status: PageStatus | null = null
  /** False until the first blocks are there. */
  isLoaded = false
  readonly #blocks = new Map<number, { block: PlacedBlock; n: number }>()

  constructor(id: string) {
    this.id = id
  }

  at(index: number): PlacedBlock | undefined {
    return this.#blocks.get(index)?.block
  }

  take(line: Extract<PageLine, { type: 'blocks' }>): void {
    if (line.isAnew) this.#blocks.clear()
    this.#setTotal(line.total)
    this.#put(line.blocks, line.n)
    this.isLoaded = true
  }

  /** Blocks that were asked for. What a line has said since is newer. */
  add(n: number, total: number, blocks: readonly PlacedBlock[]): void {
    if (n >= this.since) this.#setTotal(total)
    this.#put(
      blocks.filter(({ index }) => index < this.total && (this.#blocks.get(index)?.n ?? 0) <= n),
      n,
    )
  }

  /** Forgets what is far from these. */
  keepAround(first: number, last: number): void {
    if (this.#blocks.size < 3 * KEPT) return
    for (const index of this.#blocks.keys()) {
      if (index < first - KEPT || index > last + KEPT) this.#blocks.delete(index)
    }
  }

  /** The first of the blocks that are known without a gap down to this one (exclusive). */
  knownFrom(end: number, most: number): number {
    let first = end
    while (first > 0 && end - first < most && this.#blocks.has(first - 1)) first -= 1
    return first
  }

  /** The end (exclusive) of the blocks that are known without a gap from this one on. */
  knownTo(start: number, most: number): number {
    let last = start
    while (last < this.total && last - start < most && this.#blocks.has(last)) last += 1
    return last
  }

  #put(blocks: readonly PlacedBlock[], n: number): void {
    for (const block of blocks) this.#blocks.set(block.index, { block, n })
  }

  #setTotal(total: number): void {
    this.total = total
    for (const index of this.#blocks.keys()) if (index >= total) this.#blocks.delete(index)
  }
}

export class PageState {
  device: Device | null = null
  epoch = ''
  known = 0
  /** What the server's clock is ahead of this one, in milliseconds. */
  ahead = 0
  isListed = false
  conversations: readonly PageConversation[] = []
  readonly questions = new Map<string, readonly ServedQuestion[]>()
  watched: WatchedBlocks | null = null

  /** Looks at this conversation from now on. */
  watch(id: string | null): void {
    if (this.watched?.id !== id) this.watched = id === null ? null : new WatchedBlocks(id)
  }

  /** `now`: milliseconds since the Unix epoch. */
  take(line: PageLine, now: number): void {
    if (line.type === 'hello') this.#begin(line, now)
    this.known = Math.max(this.known, line.n)
    const { watched } = this
    if (watched) watched.since = Math.max(watched.since, line.n)
    if (line.type === 'conversations') {
      this.conversations = line.conversations
      this.isListed = true
      for (const id of this.questions.keys()) {
        if (!line.conversations.some(each => each.id === id)) this.questions.delete(id)
      }
    }
    if (line.type === 'questions') this.questions.set(line.conversation, line.questions)
    if (watched && 'conversation' in line && line.conversation === watched.id) {
      if (line.type === 'blocks') watched.take(line)
      if (line.type === 'status') watched.status = line.status
    }
  }

  #begin({ epoch, device, now: server }: Extract<PageLine, { type: 'hello' }>, now: number): void {
    this.device = device
    this.ahead = server - now
    if (epoch === this.epoch) return
    this.epoch = epoch
    this.known = 0
    this.questions.clear()
    if (this.watched) this.watched = new WatchedBlocks(this.watched.id)
  }

  conversation(id: string): PageConversation | null {
    return this.conversations.find(each => each.id === id) ?? null
  }

  questionsOf(id: string): readonly ServedQuestion[] {
    return this.questions.get(id) ?? []
  }
}
