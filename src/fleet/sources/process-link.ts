/** The connection to one process of this machine, and what it has said. A process that lies or floods is left alone for a while. */
import type { BoardCall, OutsideCall, OutsideReply } from '../../published/outside-call.ts'
import type { PublishedRow, ServedQuestion } from '../../published/protocol.ts'
import type { PublishedLine, PublisherConnection } from '../../published/socket/connection.ts'
import { boardQuestionOf, boundedQuestion } from '../bounds.ts'
import type { BoardQuestion } from '../board-row.ts'
import { GONE } from '../board-source.ts'

/** A process with conversations. */
export type FoundProcess = {
  id: string
  kind: 'ui' | 'background'
  pid: number | null
  folder: string
  agent: string
  /** Milliseconds since the Unix epoch. */
  startedAt: number
  /** Resolves to the connection, or to why there is none, as a sentence. Never rejects. */
  connect: (onLine: (line: PublishedLine) => void) => Promise<ConnectedProcess>
}

type ConnectedProcess = { ok: true; connection: PublisherConnection } | { ok: false; message: string }

export type ProcessLinkOptions = {
  now: () => number
  /** Something that it shows has changed. */
  onChange: () => void
}

/** Conversations of one process. */
const MOST_ROWS = 100
/** Lines of a process in a second. One of ours gathers its changes. */
const MOST_LINES = 2000
/** Milliseconds until the next try: they double with each that fails. */
const [FIRST_WAIT, LAST_WAIT] = [1000, 30_000]

const LIES = 'It sends what no zotui sends.'

export class ProcessLink {
  readonly #options: ProcessLinkOptions
  readonly #questions = new Map<string, readonly BoardQuestion[]>()
  #process: FoundProcess
  #rows: readonly PublishedRow[] = []
  #connection: PublisherConnection | null = null
  #isConnecting = false
  #isClosed = false
  #nextAt = 0
  #wait = FIRST_WAIT
  #problem = ''
  #second = { at: 0, lines: 0 }

  constructor(process: FoundProcess, options: ProcessLinkOptions) {
    this.#process = process
    this.#options = options
  }

  get process(): FoundProcess {
    return this.#process
  }

  get rows(): readonly PublishedRow[] {
    return this.#rows
  }

  /** Why it shows nothing, as a sentence; '' if it does, or may in a moment. */
  get problem(): string {
    return this.#problem
  }

  get isConnected(): boolean {
    return this.#connection !== null
  }

  /** The number that both terminals show while its person is asked; '' for a process in the background. */
  get code(): string {
    return this.#connection?.code ?? ''
  }

  questions(key: string): readonly BoardQuestion[] {
    return this.#questions.get(key) ?? []
  }

  /** Connects, unless it is too early after the last time. To be called now and then. Resolves when it has been tried. */
  async look(found: FoundProcess): Promise<void> {
    this.#process = found
    if (this.#connection || this.#isConnecting || this.#isClosed || this.#options.now() < this.#nextAt) return
    this.#isConnecting = true
    // The first lines may come before the connection.
    const early: PublishedLine[] = []
    const { promise: shown, resolve: onShown } = Promise.withResolvers<void>()
    const take = (line: PublishedLine): void => {
      if (!this.#connection) return void early.push(line)
      this.#take(line)
      if (this.#isWhole()) onShown()
    }
    const connected = await found.connect(take)
    this.#isConnecting = false
    if (!connected.ok) return this.#left(connected.message)
    if (this.#isClosed) return connected.connection.end()
    this.#connection = connected.connection
    this.#problem = ''
    void this.#end(connected.connection, onShown)
    for (const line of early) take(line)
    await shown
  }

  async call(
    conversation: string,
    call: OutsideCall | BoardCall,
    device: { id: string; name: string },
  ): Promise<OutsideReply> {
    if (!this.#connection) return GONE
    return this.#connection.call({ conversation, device: { ...device, role: 'answer' }, call, confirmed: false })
  }

  close(): void {
    this.#isClosed = true
    this.#connection?.end()
  }

  async #end(connection: PublisherConnection, onShown: () => void): Promise<void> {
    await connection.ended
    onShown()
    this.#connection = null
    this.#rows = []
    this.#questions.clear()
    this.#left(this.#problem)
  }

  #left(problem: string): void {
    this.#problem = problem
    this.#nextAt = this.#options.now() + this.#wait
    this.#wait = Math.min(2 * this.#wait, LAST_WAIT)
    if (!this.#isClosed) this.#options.onChange()
  }

  #take(line: PublishedLine): void {
    if (this.#isFlooding()) return this.#drop()
    if (line.type === 'rows') {
      this.#wait = FIRST_WAIT
      this.#rows = line.rows.slice(0, MOST_ROWS)
      const keys = new Set(this.#rows.map(({ key }) => key))
      for (const key of this.#questions.keys()) if (!keys.has(key)) this.#questions.delete(key)
      return this.#options.onChange()
    }
    if (line.type === 'questions') this.#takeQuestions(line.conversation, line.questions)
  }

  #takeQuestions(key: string, served: readonly ServedQuestion[]): void {
    const questions = served.map(question => boundedQuestion(boardQuestionOf(question)))
    if (questions.includes(null) || this.#questions.size >= 2 * MOST_ROWS) return this.#drop()
    this.#questions.set(
      key,
      questions.filter(question => question !== null),
    )
    this.#options.onChange()
  }

  /** Whether its rows are there, and a question of each that asks: it comes a moment later. */
  #isWhole(): boolean {
    return this.#rows.length > 0 && this.#rows.every(({ key, state }) => state !== 'asks' || this.#questions.has(key))
  }

  #isFlooding(): boolean {
    const at = Math.floor(this.#options.now() / 1000)
    if (this.#second.at !== at) this.#second = { at, lines: 0 }
    this.#second.lines += 1
    return this.#second.lines > MOST_LINES
  }

  #drop(): void {
    this.#problem = LIES
    this.#wait = LAST_WAIT
    this.#connection?.drop()
  }
}
