/** Goes through the lines of a session once, also in several runs, and says which passages they have. */
import * as z from 'zod'
import type { EventOf, PlainEvent } from '../../agent/event.ts'
import { decodeLine, isEvent, type SessionLine } from '../sessions/session-format.ts'
import type { PassageKind } from './passage.ts'
import { piecesOf, type TextPiece } from './texts.ts'

/** What the later lines of a session need of the earlier ones. */
export const scanStateSchema = z.object({
  folder: z.string(),
  agent: z.string(),
  /** The titles that the user and the agent gave, and the beginning of the first prompt. */
  titles: z.tuple([z.string(), z.string(), z.string()]),
  /** The time of the last event. */
  at: z.number(),
  /** The bytes of the file with an answer that may go on or be replaced. */
  open: z.tuple([z.number(), z.number()]).nullable(),
  /** The passages of this turn that count as failed if it fails. */
  turn: z.array(z.number()),
  isFailing: z.boolean(),
  /** The calls that have not ended, with their passages. */
  calls: z.array(z.object({ id: z.string(), isChange: z.boolean(), rows: z.array(z.number()) })),
})
export type ScanState = z.infer<typeof scanStateSchema>

export const newScan: ScanState = {
  folder: '',
  agent: '',
  titles: ['', '', ''],
  at: 0,
  open: null,
  turn: [],
  isFailing: false,
  calls: [],
}

/** A passage, and the bytes of the session's file that it is read from. */
export type ScannedPassage = {
  piece: TextPiece
  kind: PassageKind
  agent: string
  failed: boolean
  from: number
  to: number
}

export type PassageSink = {
  /** Returns a number for the passage. */
  add: (passage: ScannedPassage) => number
  /** They belong to something that has failed. */
  fail: (rows: readonly number[]) => void
  /** The text of these bytes of the file. */
  read: (from: number, to: number) => string
}

/** Of an answer in pieces, in bytes of its lines. A longer one is several passages. */
const LONGEST_ANSWER = 256 * 1024
/** Calls that are open at a time, and passages of a turn: more are not marked when they fail. */
const MOST_CALLS = 100
const MOST_OF_TURN = 500
const SHOWN = 200

/** The types of lines that change something here. The others need not be decoded. */
const types: ReadonlySet<string> = new Set<SessionLine['type']>([
  'session',
  'session_titled',
  'title_changed',
  'agent_starting',
  'agent_ended',
  'prompt_sent',
  'prompt_refused',
  'steer_delivered',
  'turn_begun',
  'permission_decided',
  'plan_proposed',
  'text_received',
  'answer_finished',
  'answer_withdrawn',
  'text_withdrawn',
  'compaction_finished',
  'remark_made',
  'side_ended',
  'question_asked',
  'question_answered',
  'error_reported',
  'step_ended',
  'turn_ended',
  'tool_called',
  'tool_described',
  'tool_finished',
  'shell_started',
  'shell_ended',
  'commands_changed',
  'task_event',
])

/** What follows is no more of the same answer. */
const endsAnswer: ReadonlySet<string> = new Set<PlainEvent['type']>([
  'agent_ended',
  'prompt_sent',
  'prompt_refused',
  'steer_delivered',
  'turn_begun',
  'turn_ended',
  'tool_called',
])

/** The title of a session: that of the user, of the agent, or its first words. */
export function titleOf({ titles }: ScanState): string {
  return titles.find(title => title !== '') ?? ''
}

export class SessionScan {
  readonly #sink: PassageSink
  #state: ScanState
  /** The files of this turn: a file that is read ten times is found once. */
  readonly #files = new Set<string>()

  constructor(state: ScanState, sink: PassageSink) {
    this.#state = structuredClone(state)
    this.#sink = sink
  }

  state(): ScanState {
    return this.#state
  }

  /** Whether a line of this type says anything. */
  static isOf(type: string): boolean {
    return types.has(type)
  }

  /** A line, and its bytes in the file. */
  take(text: string, from: number, to: number): void {
    const line = decodeLine(text)
    if (line === null) return
    if (!isEvent(line)) return this.#own(line, from, to)
    this.#state.at = Math.max(this.#state.at, line.at)
    if (line.type === 'text_received') return this.#receive(from, to)
    if (line.type === 'task_event') return this.#add(piecesOf([line]), from, to)
    this.#event(line, from, to)
  }

  /** Nothing more comes soon. */
  end(): void {
    this.#settle()
  }

  #own(line: Exclude<SessionLine, PlainEvent | EventOf<'task_event'>>, from: number, to: number): void {
    if (line.type === 'session') this.#state = { ...this.#state, folder: line.folder, agent: line.agent }
    if (line.type === 'session_titled') this.#title(0, line.title)
    if (line.type !== 'side_ended') return
    this.#state.at = Math.max(this.#state.at, line.at)
    const { agent } = this.#state
    // It is of no turn.
    for (const piece of piecesOf([line]))
      this.#sink.add({ piece, kind: piece.kind, agent, failed: line.outcome === 'failed', from, to })
  }

  #event(event: Exclude<PlainEvent, EventOf<'text_received'>>, from: number, to: number): void {
    if (event.type === 'title_changed') return this.#title(1, event.title)
    if (event.type === 'answer_finished') return this.#finish(event, from, to)
    if (event.type === 'agent_starting') this.#state.agent = event.agent
    if (event.type === 'answer_withdrawn' || event.type === 'text_withdrawn') this.#state.open = null
    if (endsAnswer.has(event.type)) this.#settle()
    if (event.type === 'prompt_sent' || event.type === 'turn_begun') this.#beginTurn(event)
    if (event.type === 'error_reported' || (event.type === 'step_ended' && event.stop === 'error'))
      this.#state.isFailing = true
    this.#add(piecesOf([event]), from, to, event)
    if (event.type === 'turn_ended' || event.type === 'prompt_refused') this.#endTurn(event)
  }

  #title(which: 0 | 1 | 2, title: string): void {
    this.#state.titles[which] = title
      .slice(0, 4 * SHOWN)
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, SHOWN)
  }

  #beginTurn(event: EventOf<'prompt_sent'> | EventOf<'turn_begun'>): void {
    this.#state.turn = []
    this.#state.isFailing = false
    this.#files.clear()
    if (event.type === 'prompt_sent' && event.by === undefined && this.#state.titles[2] === '')
      this.#title(2, event.typed ?? event.text)
  }

  #endTurn(event: EventOf<'turn_ended'> | EventOf<'prompt_refused'>): void {
    const { isFailing, turn } = this.#state
    if (isFailing || event.type === 'prompt_refused' || event.stop === 'error') this.#sink.fail(turn)
    this.#state.turn = []
    this.#state.isFailing = false
  }

  #receive(from: number, to: number): void {
    const { open } = this.#state
    this.#state.open = open ? [open[0], to] : [from, to]
    if (to - this.#state.open[0] > LONGEST_ANSWER) this.#settle()
  }

  /** It replaces what was received, unless it has no text. */
  #finish(event: EventOf<'answer_finished'>, from: number, to: number): void {
    const pieces = piecesOf([event])
    if (pieces.length === 0) return this.#settle()
    this.#state.open = null
    this.#add(pieces, from, to)
  }

  /** What was received stays. */
  #settle(): void {
    const { open } = this.#state
    this.#state.open = null
    if (open === null) return
    this.#add(piecesOf(answerIn(this.#sink.read(...open))), ...open)
  }

  #add(pieces: readonly TextPiece[], from: number, to: number, event?: PlainEvent): void {
    const { agent, turn } = this.#state
    const call = event?.type === 'tool_finished' ? this.#callOf(event.id) : undefined
    const failed = event !== undefined && hasFailed(event)
    const rows: number[] = []
    for (const piece of pieces) {
      if (piece.kind === 'file' && this.#files.has(piece.text)) continue
      if (piece.kind === 'file') this.#files.add(piece.text)
      const kind = call?.isChange && piece.kind === 'result' && !failed ? 'diff' : piece.kind
      const row = this.#sink.add({ piece, kind, agent, failed, from, to })
      rows.push(row)
      if ((kind === 'prompt' || kind === 'answer') && turn.length < MOST_OF_TURN) turn.push(row)
    }
    if (event?.type === 'tool_finished') this.#endCall(event, call)
    if (event?.type === 'tool_called' || event?.type === 'tool_described')
      this.#noteCall(
        event,
        rows,
        pieces.some(({ kind }) => kind === 'diff'),
      )
  }

  #callOf(id: string): ScanState['calls'][number] | undefined {
    return this.#state.calls.find(call => call.id === id)
  }

  #noteCall(
    event: EventOf<'tool_called'> | EventOf<'tool_described'>,
    rows: readonly number[],
    isChange: boolean,
  ): void {
    const { calls } = this.#state
    const known = this.#callOf(event.id)
    if (known) {
      known.rows = [...known.rows, ...rows].slice(0, MOST_OF_TURN)
      known.isChange ||= isChange
      return
    }
    // A call that is described after its end is no open one.
    if (event.type === 'tool_called') calls.push({ id: event.id, isChange, rows: rows.slice(0, MOST_OF_TURN) })
    if (calls.length > MOST_CALLS) calls.shift()
  }

  #endCall({ id, failed }: EventOf<'tool_finished'>, call: ScanState['calls'][number] | undefined): void {
    if (failed && call) this.#sink.fail(call.rows)
    this.#state.calls = this.#state.calls.filter(other => other.id !== id)
  }
}

/** The pieces of an answer among the lines of these bytes. */
export function answerIn(text: string): EventOf<'text_received'>[] {
  return text.split('\n').flatMap(line => {
    const read = line.includes('"text_received"') ? decodeLine(line) : null
    return read?.type === 'text_received' ? [read] : []
  })
}

function hasFailed(event: PlainEvent): boolean {
  if (event.type === 'tool_finished') return event.failed
  if (event.type === 'shell_ended') return !event.stopped && event.exitCode !== 0
  return event.type === 'error_reported' || event.type === 'step_ended'
}
