/** Writes a board as lines: first all that is there, then what changes. What was written once is not written again. */
import type { OutsideReply } from '../published/outside-call.ts'
import { BOARD_PROTOCOL, type BoardLine } from './board-lines.ts'
import type { BoardHost } from './board-source.ts'

export type BoardWriterOptions = {
  hosts: () => readonly BoardHost[]
  write: (line: BoardLine) => void
  /** The version of this program. */
  version: string
  /** Milliseconds since the Unix epoch. */
  now: () => number
}

export class BoardWriter {
  readonly #options: BoardWriterOptions
  /** The JSON of each row, by its host and id, and of each host without its rows. */
  readonly #rows = new Map<string, { host: string; id: string; text: string }>()
  readonly #hosts = new Map<string, string>()

  constructor(options: BoardWriterOptions) {
    this.#options = options
    const { write, version, now } = options
    write({ type: 'board', protocol: BOARD_PROTOCOL, version, at: now() })
  }

  /** Writes what is new. */
  changed(): void {
    const there = new Set<string>()
    for (const host of this.#options.hosts()) {
      for (const row of host.rows) {
        const key = JSON.stringify([host.name, row.id])
        there.add(key)
        const text = JSON.stringify(row)
        if (this.#rows.get(key)?.text === text) continue
        this.#rows.set(key, { host: host.name, id: row.id, text })
        this.#options.write({ type: 'row', host: host.name, row })
      }
      this.#host(host)
    }
    for (const [key, { host, id }] of this.#rows) {
      if (there.has(key)) continue
      this.#rows.delete(key)
      this.#options.write({ type: 'gone', host, id })
    }
  }

  listed(): void {
    this.changed()
    this.#options.write({ type: 'listed' })
  }

  alive(): void {
    this.#options.write({ type: 'alive', at: this.#options.now() })
  }

  reply(id: number, reply: OutsideReply): void {
    this.#options.write({ type: 'reply', id, reply })
  }

  /** This machine has no state: it is always there. */
  #host({ name, state, problem }: BoardHost): void {
    const text = JSON.stringify([state, problem])
    if (name === '' || this.#hosts.get(name) === text) return
    this.#hosts.set(name, text)
    this.#options.write({ type: 'host', host: name, state, problem })
  }
}
