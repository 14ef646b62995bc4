/** Two made-up machines for the board of the demo: one works, asks and fails, the other is out of reach. Nothing is connected to. */
import { createHash } from 'node:crypto'
import type { OutsideReply } from '../../published/outside-call.ts'
import type { Timers } from '../../platform/timers.ts'
import type { BoardAction } from '../board-lines.ts'
import type { BoardRow } from '../board-row.ts'
import { GONE, type BoardHost, type BoardSource } from '../board-source.ts'

type DemoClocks = { now: () => number; after: Timers['after'] }

const MINUTE = 60_000
/** Milliseconds that a made-up turn goes on after an answer. */
const TURN = 3000

const RELEASE = `Run this command in /srv/app?

  set -e
  npm ci
  npm test
  npm version minor
  git push --follow-tags origin main

It reaches the network, and pushes to a repository of others.`

export function demoHosts(clocks: DemoClocks): BoardSource[] {
  const { now } = clocks
  const lost = {
    name: 'ssh:arm',
    state: 'lost',
    problem: 'No route to host. The next try is in 16 s.',
    rows: [
      row({
        id: 'arm',
        title: 'Measure the start on ARM',
        agent: 'codex',
        folder: '/home/ci/bench',
        state: 'working',
        since: now() - 4 * MINUTE,
      }),
    ],
  } as const
  return [new DemoHost('ssh:build', buildRows(now()), clocks), new LostDemoHost(lost)]
}

function buildRows(at: number): BoardRow[] {
  const digest = createHash('sha256').update(RELEASE).digest('hex')
  const question = {
    id: 'release',
    kind: 'call',
    title: 'bash: npm ci and 4 more lines',
    text: RELEASE,
    digest,
  } as const
  return [
    row({
      id: 'release',
      title: 'Release the next version',
      agent: 'claude',
      folder: '/srv/app',
      state: 'asks',
      since: at - 2 * MINUTE,
      costUsd: 0.31,
      questions: [{ ...question, answers: ['allow', 'refuse', 'say'], note: '' }],
      can: ['answer', 'stop', 'rename', 'end', 'archive'],
    }),
    row({
      id: 'parser',
      title: 'Split the parser into passes',
      agent: 'zot',
      folder: '/srv/worktrees/app-parser',
      worktreeOf: '/srv/app',
      branch: 'zotui/split-the-parser',
      state: 'working',
      since: at - 12 * MINUTE,
      lastLine: 'Running the tests of the second pass.',
      costUsd: 1.24,
      changes: { files: 9, added: 310, removed: 122 },
    }),
    row({
      id: 'flaky',
      title: 'Find out why the upload test is flaky',
      agent: 'gemini',
      folder: '/srv/web',
      state: 'failed',
      since: at - 30 * MINUTE,
      lastLine: 'The model refused the request (http 529).',
      costUsd: 0.08,
      can: ['rename', 'end', 'archive'],
    }),
  ]
}

function row(
  facts: Pick<BoardRow, 'id' | 'title' | 'agent' | 'folder' | 'state' | 'since'> & Partial<BoardRow>,
): BoardRow {
  return {
    kind: 'background',
    pid: null,
    attach: null,
    session: null,
    worktreeOf: null,
    branch: 'main',
    model: 'demo-large',
    lastLine: '',
    costUsd: null,
    mode: 'ask',
    changes: null,
    questions: [],
    stays: '',
    can: ['stop', 'rename', 'end', 'archive'],
    ...facts,
  }
}

const DONE: OutsideReply = { ok: true, how: 'done' }

/** Its conversations take what is asked for, and nothing runs. */
class DemoHost implements BoardSource {
  readonly #clocks: DemoClocks
  readonly #cancels = new Set<() => void>()
  #rows: readonly BoardRow[]
  #onChange: () => void = () => undefined
  readonly name: string

  constructor(name: string, rows: readonly BoardRow[], clocks: DemoClocks) {
    this.name = name
    this.#rows = rows
    this.#clocks = clocks
  }

  start(onChange: () => void): void {
    this.#onChange = onChange
  }

  host(): BoardHost {
    return { name: this.name, state: 'connected', problem: '', rows: this.#rows }
  }

  async act(id: string, action: BoardAction): Promise<OutsideReply> {
    const found = this.#rows.find(each => each.id === id)
    if (!found) return GONE
    if (action.do === 'answer') return this.#answer(found, action)
    if (action.do === 'rename') this.#change(id, { title: action.title })
    else if (action.do === 'stop') this.#change(id, { ...this.#over(found), state: 'done' })
    else this.#set(this.#rows.filter(each => each.id !== id))
    return DONE
  }

  opens(): null {
    return null
  }

  close(): void {
    for (const cancel of this.#cancels) cancel()
  }

  #answer(found: BoardRow, { digest, allow }: Extract<BoardAction, { do: 'answer' }>): OutsideReply {
    const [question] = found.questions
    if (!question) return { ok: false, why: 'answered', message: 'Somebody was faster: it is answered.' }
    if (question.digest !== digest) return { ok: false, why: 'changed', message: 'The question has changed.' }
    const lastLine = allow ? 'npm ci' : 'The command was refused.'
    this.#change(found.id, { questions: [], state: 'working', since: this.#clocks.now(), lastLine })
    const cancel = this.#clocks.after(TURN, () => {
      this.#cancels.delete(cancel)
      this.#change(found.id, { ...this.#over(found), lastLine: allow ? 'Version 1.5.0 is pushed.' : lastLine })
    })
    this.#cancels.add(cancel)
    return DONE
  }

  #over({ can }: BoardRow): Partial<BoardRow> {
    const left = can.filter(each => each !== 'stop' && each !== 'answer')
    return { state: 'done', questions: [], since: this.#clocks.now(), can: left }
  }

  #change(id: string, facts: Partial<BoardRow>): void {
    this.#set(this.#rows.map(each => (each.id === id ? { ...each, ...facts } : each)))
  }

  #set(rows: readonly BoardRow[]): void {
    this.#rows = rows
    this.#onChange()
  }
}

/** Nobody hears of it. */
class LostDemoHost implements BoardSource {
  readonly #host: BoardHost
  readonly name: string

  constructor(host: BoardHost) {
    this.#host = host
    this.name = host.name
  }

  start(): void {}

  host = (): BoardHost => this.#host

  async act(): Promise<OutsideReply> {
    return { ok: false, why: 'failed', message: `${this.name} is out of reach.` }
  }

  opens(): null {
    return null
  }

  close(): void {}
}
