/** What one page has, and the lines that bring it up to date. It keeps no lines: who reads slowly gets the latest state. */
import type { Device } from '../../published/outside-call.ts'
import type { PageConversation, PageLine, PageStatus, PlacedBlock } from '../page-lines.ts'
import type { Feed } from './feed.ts'
import type { KnownConversation } from './known-conversation.ts'

export type ViewerRequest = {
  device: Device
  /** The session of the only conversation that it may see; null for all. */
  only: string | null
  watch: string | null
  /** The last moments that the client has: of the list, and of the watched conversation. 0 for none. */
  known: number
  since: number
}

/** What a viewer looks at. `n` is the present moment, `listAt` the one at which the list last changed. */
export type Viewed = {
  readonly n: number
  readonly listAt: number
  list: () => readonly PageConversation[]
  find: (id: string) => KnownConversation | undefined
}

type WithoutN<Line> = Line extends unknown ? Omit<Line, 'n'> : never
type Line = WithoutN<PageLine>

/** Blocks that a client gets unasked, and about their characters in one line. */
const MOST_BLOCKS = 200
const LONGEST_LINE = 256_000

export class Viewer {
  readonly device: Device
  readonly watch: string | null
  readonly #viewed: Viewed
  readonly #only: string | null
  readonly #onNews: () => void
  /** The last moments that the client has. */
  #known: number
  #since: number
  /** True while the client has something of a conversation. */
  #hasSome = false

  constructor(viewed: Viewed, request: ViewerRequest, onNews: () => void) {
    this.#viewed = viewed
    this.device = request.device
    this.watch = request.watch
    this.#only = request.only
    this.#known = request.known
    this.#since = request.since
    this.#hasSome = request.since > 0
    this.#onNews = onNews
  }

  /** True for a device, false for a reader of a share. */
  get isDevice(): boolean {
    return this.#only === null
  }

  /** There may be something to take. */
  wake(): void {
    this.#onNews()
  }

  /** What has changed since the last time. All lines but the last have the `n` of the former time: the client has the new one with the last. */
  take(): PageLine[] {
    const { n } = this.#viewed
    const before = this.n
    const lines = [...this.#listLines(), ...this.#watchedLines()]
    this.#known = n
    this.#since = n
    return lines.map((line, at) => Object.assign(line, { n: at === lines.length - 1 ? n : before }))
  }

  /** The last moment of which the client has everything that it looks at. */
  get n(): number {
    return Math.min(this.#known, this.#since)
  }

  #listLines(): Line[] {
    if (this.#viewed.listAt <= this.#known) return []
    const rows = this.#viewed.list()
    const conversations = this.#only === null ? rows : rows.filter(({ session }) => session === this.#only)
    return [{ type: 'conversations', conversations: conversations.map(row => this.#rowOf(row)) }]
  }

  #rowOf(row: PageConversation): PageConversation {
    return this.#only === null ? row : { ...row, questions: 0, takesAnswers: false }
  }

  #watchedLines(): Line[] {
    const known = this.watch === null ? undefined : this.#viewed.find(this.watch)
    if (!known) return []
    const conversation = known.id
    if (!maySee({ only: this.#only }, known)) {
      const isLeft = this.#hasSome
      this.#hasSome = false
      return isLeft ? [{ type: 'blocks', conversation, total: 0, from: 0, blocks: [], isAnew: true }] : []
    }
    const { feed, questions, status } = known
    const isNew = (at: number): boolean => at > this.#since
    return [
      ...(isNew(known.questionsAt) && this.#only === null
        ? [{ type: 'questions', conversation, questions } as const]
        : []),
      ...(feed && feed.begun > 0 ? this.#blockLines(conversation, feed) : []),
      ...(status && isNew(known.statusAt)
        ? [{ type: 'status', conversation, status: this.#statusOf(status) } as const]
        : []),
    ]
  }

  #statusOf(status: PageStatus): PageStatus {
    return this.#only === null ? status : { ...status, queue: { entries: [], paused: false }, watchers: [], models: [] }
  }

  #blockLines(conversation: string, feed: Feed): Line[] {
    const { total } = feed
    const changed = this.#since < feed.begun || !this.#hasSome ? null : feed.changedSince(this.#since, MOST_BLOCKS)
    if (changed === null) {
      this.#hasSome = true
      const blocks = lastBlocks(feed)
      return [{ type: 'blocks', conversation, total, from: blocks[0]?.index ?? total, blocks, isAnew: true }]
    }
    if (changed.length === 0 && feed.totalAt <= this.#since) return []
    return inLines(feed.blocks(changed)).map(blocks => {
      const from = blocks[0]?.index ?? total
      return { type: 'blocks', conversation, total, from, blocks, isAnew: false }
    })
  }
}

/** A reader of a share sees only what is shown of that session, and nothing of one that came after it. */
export function maySee({ only }: { only: string | null }, { row, feed }: KnownConversation): boolean {
  return only === null || (row.session === only && isFileOf(feed, only))
}

/** Whether what is shown of a conversation is of this session. */
function isFileOf(feed: Feed | null, session: string): boolean {
  const name = feed?.file?.split('/').at(-1) ?? ''
  return name === `${session}.jsonl`
}

/** The blocks at the end: as many as a line should have. */
function lastBlocks(feed: Feed): PlacedBlock[] {
  const found: PlacedBlock[] = []
  let room = LONGEST_LINE
  for (let at = feed.total - 1; at >= 0 && found.length < MOST_BLOCKS && room > 0; at -= 1) {
    const [block] = feed.blocks([at])
    if (!block) break
    room -= block.html.length
    found.push(block)
  }
  return found.toReversed()
}

/** Cut so that no line is much too long. At least one. */
function inLines(blocks: readonly PlacedBlock[]): PlacedBlock[][] {
  const lines: PlacedBlock[][] = [[]]
  let room = LONGEST_LINE
  for (const block of blocks) {
    if (room <= 0) {
      lines.push([])
      room = LONGEST_LINE
    }
    lines.at(-1)?.push(block)
    room -= block.html.length
  }
  return lines
}
