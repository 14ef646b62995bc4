/** Joins the pieces of a growing text. Apart from `pieces.ts`, which the first frame needs. */
import type { AgentEvent } from './event.ts'
import { conversationOf, isAnyPiece, isPiece, type AnyPiece, type EventPiece } from './pieces.ts'

/** Whether the second of two neighbouring events continues the text of the first one. */
export function continues(first: AgentEvent, second: AgentEvent): second is AnyPiece {
  if (second.type === 'task_event')
    return first.type === 'task_event' && first.id === second.id && isContinued(first.event, second.event)
  return isContinued(first, second)
}

function isContinued(first: AgentEvent, second: AgentEvent): second is EventPiece {
  if (!isPiece(second) || first.type !== second.type) return false
  return !('id' in second) || ('id' in first && first.id === second.id)
}

/** The text of a piece. */
export function textIn(piece: AnyPiece): string {
  return piece.type === 'task_event' ? piece.event.text : piece.text
}

/** A piece with the texts of those that continue it, at its own time. Anything else stays as it is. */
export function withMore(piece: AgentEvent, texts: readonly string[]): AgentEvent {
  if (!isAnyPiece(piece)) return piece
  const text = textIn(piece) + texts.join('')
  return piece.type === 'task_event' ? { ...piece, event: { ...piece.event, text } } : { ...piece, text }
}

/** Joins two pieces of one text, at the time of the first. Returns null for anything else. */
export function joined(first: AgentEvent, second: AgentEvent): AgentEvent | null {
  return continues(first, second) ? withMore(first, [textIn(second)]) : null
}

/**
 * Knows the last event of the conversation and of each subagent's, by their places in a list: only that one may be continued. An event of
 * the conversation itself that is no piece may end a subagent, so nothing is continued across it.
 */
export class LastEvents {
  readonly #places = new Map<string | null, number>()

  /** The place of the last event of the same conversation; undefined if there is none. */
  before(event: AgentEvent): number | undefined {
    return this.#places.get(conversationOf(event))
  }

  note(event: AgentEvent, place: number): void {
    const of = conversationOf(event)
    if (of === null && !isPiece(event)) this.clear()
    else this.#places.set(of, place)
  }

  clear(): void {
    this.#places.clear()
  }
}

/**
 * Gathers events, and lines that are none, with the pieces of each text joined, also where those of several subagents alternate. A piece
 * comes where its text began, since conversations do not wait for each other. Texts are joined once, when they are taken.
 */
export class PieceGatherer<Other = never> {
  #lines: { line: AgentEvent | Other; more: string[] }[] = []
  readonly #last = new LastEvents()
  readonly #isEvent: (line: AgentEvent | Other) => line is AgentEvent

  constructor(isEvent: (line: AgentEvent | Other) => line is AgentEvent) {
    this.#isEvent = isEvent
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0
  }

  add(line: AgentEvent | Other): void {
    const before = this.#isEvent(line) ? this.#lines[this.#last.before(line) ?? -1] : undefined
    if (before && this.#isEvent(line) && this.#isEvent(before.line) && continues(before.line, line))
      return void before.more.push(textIn(line))
    this.#note(line, this.#lines.length)
    this.#lines.push({ line, more: [] })
  }

  /** Takes all lines, in order. */
  takeAll(): (AgentEvent | Other)[] {
    const lines = this.#lines
    this.#lines = []
    this.#last.clear()
    return lines.map(({ line, more }) => this.#joined(line, more))
  }

  /** Takes the lines that can no longer grow. */
  takeSettled(): (AgentEvent | Other)[] {
    const all = this.#lines
    const grows = all.map(({ line }, place) => this.#isGrowing(line, place))
    this.#lines = all.filter((_, place) => grows[place])
    this.#last.clear()
    for (const [place, { line }] of this.#lines.entries()) this.#note(line, place)
    return all.filter((_, place) => !grows[place]).map(({ line, more }) => this.#joined(line, more))
  }

  #isGrowing(line: AgentEvent | Other, place: number): boolean {
    return this.#isEvent(line) && isAnyPiece(line) && this.#last.before(line) === place
  }

  #note(line: AgentEvent | Other, place: number): void {
    if (this.#isEvent(line)) this.#last.note(line, place)
    else this.#last.clear()
  }

  #joined(line: AgentEvent | Other, more: readonly string[]): AgentEvent | Other {
    return this.#isEvent(line) && more.length > 0 ? withMore(line, more) : line
  }
}
