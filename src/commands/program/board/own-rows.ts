/** The board of a zotui with conversations of its own, which can also be renamed and ended from there, as in their list. */
import type { Conversations } from '../../../app/context/conversations.ts'
import type { ShownBoard } from '../../../app/pages/pages.ts'
import type { BoardAction } from '../../../fleet/board-lines.ts'
import type { BoardRow } from '../../../fleet/board-row.ts'
import type { BoardHost } from '../../../fleet/board-source.ts'
import type { OutsideReply } from '../../../published/outside-call.ts'

type OwnConversations = Pick<Conversations, 'numberOf' | 'rename' | 'end' | 'stop'>

/** What the list of conversations can do with its own, and the wire between processes cannot. */
const MORE = ['rename', 'end'] as const

export class OwnRows implements ShownBoard {
  readonly #board: ShownBoard
  readonly #conversations: OwnConversations | undefined
  /** The rows with what else can be done: the same object for the same row. */
  readonly #rows = new WeakMap<BoardRow, BoardRow>()

  constructor(board: ShownBoard, conversations: OwnConversations | undefined) {
    this.#board = board
    this.#conversations = conversations
  }

  hosts = (): readonly BoardHost[] => this.#board.hosts().map(host => (host.name === '' ? this.#here(host) : host))

  onChange = (listener: () => void): (() => void) => this.#board.onChange(listener)

  act = async (host: string, id: string, action: BoardAction): Promise<OutsideReply> => {
    const row = this.#board
      .hosts()
      .find(({ name }) => name === host)
      ?.rows.find(each => each.id === id)
    const number = row ? this.numberOf(host, row) : null
    if (number === null || (action.do !== 'rename' && action.do !== 'end')) return this.#board.act(host, id, action)
    if (action.do === 'rename') this.#conversations?.rename(number, action.title)
    else await this.#conversations?.end(number)
    return { ok: true, how: 'done' }
  }

  /** The number of a conversation of this zotui; null for any other. */
  numberOf(host: string, { id }: Pick<BoardRow, 'id'>): number | null {
    const key = host === '' ? /^own (.+)$/.exec(id)?.[1] : undefined
    return key === undefined ? null : (this.#conversations?.numberOf(key) ?? null)
  }

  #here(host: BoardHost): BoardHost {
    return { ...host, rows: host.rows.map(row => this.#withMore(row)) }
  }

  #withMore(row: BoardRow): BoardRow {
    const known = this.#rows.get(row)
    if (known) return known
    // Its own are shown as they are, and moved without a question.
    const can = row.can.filter(each => each !== 'background')
    const made = this.numberOf('', row) === null ? row : { ...row, can: [...new Set([...can, ...MORE])] }
    this.#rows.set(row, made)
    return made
  }
}
