/** Rows and sources for tests of the board. */
import type { BoardAction } from '../../src/fleet/board-lines.ts'
import type { BoardRow } from '../../src/fleet/board-row.ts'
import type { BoardHost, BoardSource } from '../../src/fleet/board-source.ts'
import type { OutsideReply } from '../../src/published/outside-call.ts'

export function boardRow(facts: Partial<BoardRow> = {}): BoardRow {
  return {
    id: 'one',
    kind: 'background',
    pid: 1,
    attach: 'one',
    session: null,
    folder: '/work',
    worktreeOf: null,
    branch: 'main',
    agent: 'zot',
    model: 'm',
    title: 'Fix the test',
    state: 'working',
    since: 1000,
    lastLine: '',
    costUsd: null,
    mode: 'ask',
    changes: null,
    questions: [],
    stays: '',
    can: ['attach', 'stop'],
    ...facts,
  }
}

export function boardQuestion(facts: Partial<BoardRow['questions'][number]> = {}): BoardRow['questions'][number] {
  const whole = {
    id: 'q1',
    kind: 'call',
    title: 'bash ls',
    text: 'Run this command?\nls',
    digest: 'a'.repeat(64),
  } as const
  return { ...whole, answers: ['allow', 'refuse', 'say'], note: '', ...facts }
}

/** A source that does what the test says. */
export class MadeSource implements BoardSource {
  readonly name: string
  readonly done: (readonly [string, BoardAction])[] = []
  reply: Promise<OutsideReply> = Promise.resolve({ ok: true, how: 'done' })
  isClosed = false
  #host: BoardHost
  #changed: () => void = () => undefined

  constructor(host: Partial<BoardHost> = {}) {
    this.#host = { name: '', state: 'connected', problem: '', rows: [], ...host }
    this.name = this.#host.name
  }

  start(onChange: () => void): void {
    this.#changed = onChange
  }

  set(facts: Partial<BoardHost>): void {
    this.#host = { ...this.#host, ...facts }
    this.#changed()
  }

  host = (): BoardHost => this.#host
  opens = (row: string) => ({ file: 'open', args: [row] })

  act = async (row: string, action: BoardAction): Promise<OutsideReply> => {
    this.done.push([row, action])
    return this.reply
  }

  close(): void {
    this.isClosed = true
  }
}
