/** The conversations of this person on this machine: first those that wait for an answer. */
import type { PageConversation } from '../page-lines.ts'
import { element, KeyedElements, setAttribute, setText } from './dom.ts'
import { agoWords, costWords, stateWords } from './words.ts'

export type ListView = {
  conversations: readonly PageConversation[]
  /** False until the server has said what there is. */
  isListed: boolean
  open: string | null
  /** The title of the question that waits first. */
  asks: (id: string) => string | undefined
  /** By the server's clock. */
  now: number
}

type Group = { name: string; has: (conversation: PageConversation) => boolean }

const groups: readonly Group[] = [
  { name: 'Waits for you', has: ({ questions, isThere }) => questions > 0 && isThere },
  {
    name: 'At work',
    has: ({ state, isThere }) => isThere && ['starting', 'working', 'waiting', 'asks'].includes(state),
  },
  { name: 'Quiet', has: () => true },
]

/** In the order of the page. */
export function inOrder(conversations: readonly PageConversation[]): PageConversation[] {
  return grouped(conversations).flatMap(({ members }) => members)
}

function grouped(conversations: readonly PageConversation[]): { name: string; members: PageConversation[] }[] {
  const place = (each: PageConversation): number => groups.findIndex(({ has }) => has(each))
  return groups.map(({ name }, at) => ({
    name,
    members: conversations
      .filter(each => place(each) === at)
      .toSorted((one, other) => (other.since ?? 0) - (one.since ?? 0)),
  }))
}

export class ConversationList {
  readonly node = element('nav', { class: 'conversations', 'aria-label': 'Conversations' })
  readonly #sections = groups.map(({ name }) => new ListSection(name))
  readonly #empty = element('div', { class: 'empty' })

  constructor() {
    this.node.append(...this.#sections.map(({ node }) => node), this.#empty)
  }

  show({ conversations, isListed, open, asks, now }: ListView): void {
    for (const [at, { members }] of grouped(conversations).entries()) {
      this.#sections[at]?.show(
        members.map(conversation => ({
          conversation,
          isOpen: conversation.id === open,
          asks: asks(conversation.id),
          now,
        })),
      )
    }
    this.#empty.hidden = conversations.length > 0
    setText(
      this.#empty,
      isListed
        ? 'No conversation is running. Start zotui in a terminal of this machine, and it is listed here.'
        : 'Looking for conversations…',
    )
  }

  /** Puts the focus on a row. */
  focus(id: string | null): void {
    const rows = [...this.node.querySelectorAll<HTMLElement>('a.conversation')]
    const row = rows.find(each => each.dataset['id'] === id) ?? rows[0]
    row?.focus()
  }

  /** Moves the focus by so many rows. False if no row has it. */
  move(by: number): boolean {
    const rows = [...this.node.querySelectorAll<HTMLElement>('a.conversation')]
    const at = rows.findIndex(each => each === document.activeElement)
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))]
    next?.focus()
    return next !== undefined
  }
}

type ListedRow = { conversation: PageConversation; isOpen: boolean; asks: string | undefined; now: number }

class ListSection {
  readonly node: HTMLElement
  readonly #rows: KeyedElements<ListedRow, ConversationElement>
  readonly #count = element('span', { class: 'count' })

  constructor(name: string) {
    const list = element('ul', {})
    const heading = element('h2', {}, name, ' ', this.#count)
    this.node = element('section', { 'data-group': name }, heading, list)
    this.#rows = new KeyedElements(
      list,
      ({ conversation }) => conversation.id,
      () => new ConversationElement(),
    )
  }

  show(rows: readonly ListedRow[]): void {
    this.node.hidden = rows.length === 0
    setText(this.#count, String(rows.length))
    this.#rows.show(rows)
  }
}

class ConversationElement {
  readonly #state = element('span', { class: 'state' })
  readonly #title = element('span', { class: 'title' })
  readonly #when = element('span', { class: 'when' })
  readonly #where = element('span', { class: 'where' })
  readonly #last = element('span', { class: 'last' })
  readonly #link = element(
    'a',
    { class: 'conversation' },
    element('span', { class: 'top' }, this.#title, this.#when),
    this.#last,
    element('span', { class: 'meta' }, this.#state, this.#where),
  )
  readonly node = element('li', {}, this.#link)

  show({ conversation, isOpen, asks, now }: ListedRow): void {
    const { id, title, folder, branch, agent, model, state, since, lastLine, questions, isThere, costUsd } =
      conversation
    setAttribute(this.#link, 'href', conversationHash(id))
    setAttribute(this.#link, 'data-id', id)
    setAttribute(this.#link, 'aria-current', isOpen ? 'page' : null)
    setAttribute(this.#link, 'data-state', isThere ? (questions > 0 ? 'asks' : state) : 'gone')
    setText(this.#title, title === '' ? 'A new conversation' : title)
    setText(this.#when, since === null ? '' : agoWords(now - since))
    setText(
      this.#where,
      [folder, branch ?? '', agent, model, costWords(costUsd)].filter(each => each !== '').join(' · '),
    )
    const line = asks ?? lastLine
    setText(this.#last, line)
    this.#last.hidden = line === ''
    setText(this.#state, stateText(conversation))
  }
}

export function stateText({ isThere, questions, state }: PageConversation): string {
  if (!isThere) return 'ended'
  return questions > 1 ? `${questions} questions` : questions === 1 ? 'asks you' : stateWords[state]
}

export function conversationHash(id: string): string {
  return `#/c/${encodeURIComponent(id)}`
}
