/** The thread that has the index, so that the screen never waits for it: a program of its own (`scripts/build.ts`). */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../platform/errors.ts'
import { createPace, type Pace } from '../../platform/pace.ts'
import { catchUp } from './catch-up.ts'
import { FindDatabase, isDamaged, isFull, type OpenDatabase } from './database.ts'
import type { FindReply, FindRequest, FindSetup } from './messages.ts'
import type { FindAnswer } from './passage.ts'
import { search } from './search.ts'
import { searchNeeds } from './support.ts'

/** Milliseconds of work, and of the rest after it, while the user may do something else. */
const STEP = 10
const REST = 6
/** The longest work before a newer question is read. */
const SEARCH_STEP = 15

/** Milliseconds after which a phrase of frequent words is given up. */
const PATIENCE = 1000

class FindThread {
  readonly #setup: FindSetup
  readonly #owner = randomUUID()
  #database: FindDatabase | null = null
  #isClosed = false
  /** The newest question: an older one ends. */
  #newest = 0
  #catchingUp: Promise<string | null> | null = null
  #sqlite: Promise<OpenDatabase | null> | null = null

  constructor(setup: FindSetup) {
    this.#setup = setup
  }

  async take(request: FindRequest): Promise<void> {
    switch (request.type) {
      case 'find':
        this.#newest = request.id
        return reply({ type: 'found', id: request.id, answer: await this.#find(request) })
      case 'catch-up':
        this.#catchingUp ??= this.#caughtUp()
        return reply({ type: 'caught-up', id: request.id, problem: await this.#catchingUp })
      case 'close':
        this.#isClosed = true
        await this.#catchingUp
        this.#database?.close()
        parentPort?.close()
    }
  }

  async #find({ id, query, most }: Extract<FindRequest, { type: 'find' }>): Promise<FindAnswer> {
    const opened = await this.#opened()
    if (typeof opened === 'string') return { ok: false, why: opened }
    const options = {
      root: this.#root(),
      now: Date.now,
      pace: createPace(SEARCH_STEP),
      patience: PATIENCE,
      isOver: () => this.#isClosed || this.#newest !== id,
    }
    try {
      return await search(query, most, { ...options, database: opened })
    } catch (error) {
      if (!isDamaged(error)) return { ok: false, why: explained(error) }
    }
    // It is built again by the next catch-up.
    const problem = this.#rebuild(opened)
    return problem === null ? { ok: true, found: [], share: 0, isCut: false } : { ok: false, why: problem }
  }

  async #caughtUp(): Promise<string | null> {
    try {
      for (let tries = 1; ; tries += 1) {
        const opened = await this.#opened()
        if (typeof opened === 'string') return opened
        try {
          await catchUp({
            database: opened,
            root: this.#root(),
            owner: this.#owner,
            pace: this.#setup.isEager ? createPace(STEP) : restfulPace(),
            now: Date.now,
            isClosed: () => this.#isClosed,
          })
          return null
        } catch (error) {
          if (!isDamaged(error) || tries > 1) return explained(error)
          const problem = this.#rebuild(opened)
          if (problem !== null) return problem
        }
      }
    } finally {
      this.#catchingUp = null
    }
  }

  /** The index, or why there is none, in one line. */
  async #opened(): Promise<FindDatabase | string> {
    if (this.#database) return this.#database
    const open = await (this.#sqlite ??= sqlite())
    // Another question may have opened it meanwhile.
    if (this.#database) return this.#database
    if (open === null) return searchNeeds(process.versions.node)
    try {
      this.#database = new FindDatabase(join(this.#setup.stateFolder, 'find.db'), open)
      return this.#database
    } catch (error) {
      return explained(error)
    }
  }

  #rebuild(database: FindDatabase): string | null {
    try {
      database.rebuild()
      return null
    } catch (error) {
      this.#database = null
      return explained(error)
    }
  }

  #root(): string {
    return join(this.#setup.stateFolder, 'sessions')
  }
}

/** Null if this Node has no SQLite, or one without its full-text search. */
async function sqlite(): Promise<OpenDatabase | null> {
  try {
    const { DatabaseSync } = await import('node:sqlite')
    const memory = new DatabaseSync(':memory:')
    memory.exec(`create virtual table words using fts5(text, content='', contentless_delete=1)`)
    memory.close()
    return path => new DatabaseSync(path)
  } catch {
    return null
  }
}

function explained(error: unknown): string {
  if (isFull(error)) return 'The disk is full: what you said since then is not found.'
  return `The index of your sessions cannot be used: ${messageOf(error)}.`
}

function restfulPace(): Pace {
  const pace = createPace(STEP)
  return {
    isDue: pace.isDue,
    async rest() {
      await pause(REST)
      await pace.rest()
    },
  }
}

function reply(message: FindReply): void {
  parentPort?.postMessage(message, [])
}

const thread = new FindThread(workerData as FindSetup)
parentPort?.on('message', (request: FindRequest) => void thread.take(request))
