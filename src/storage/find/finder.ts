/** The search in all sessions, for the rest of the program. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { messageOf } from '../../platform/errors.ts'
import type { FindReply, FindRequest, FindSetup } from './messages.ts'
import type { FindAnswer, SessionFinder } from './passage.ts'

export type SessionFinderOptions = {
  /** Whether the user waits for the index, so that it is built without rests. */
  isEager?: boolean
  /** The file of the thread; ours by default. */
  thread?: string
}

/** Where the thread's program is: beside the shipped files, or in the sources. */
const THREADS = ['../zotui-find.js', './zotui-find.js', './thread.ts']

/** Opening starts nothing. The first question starts a thread. */
export function openSessionFinder(stateFolder: string, options: SessionFinderOptions = {}): SessionFinder {
  return new ThreadedFinder({ stateFolder, isEager: options.isEager ?? false }, options.thread ?? ownThread())
}

class ThreadedFinder implements SessionFinder {
  readonly #setup: FindSetup
  readonly #file: string
  #thread: Worker | null = null
  #count = 0
  #isClosed = false
  /** Those that are not answered yet. */
  #questions = 0
  /** What waits for the thread. Each gets a reply, or the reason why there is none. */
  readonly #waiting = new Map<number, (reply: FindReply | string) => void>()

  constructor(setup: FindSetup, file: string) {
    this.#setup = setup
    this.#file = file
  }

  async find(query: Parameters<SessionFinder['find']>[0], most: number): Promise<FindAnswer> {
    this.#questions += 1
    const reply = await this.#ask(id => ({ type: 'find', id, query, most }))
    this.#questions -= 1
    if (typeof reply === 'string') return { ok: false, why: reply }
    return reply.type === 'found' ? reply.answer : { ok: false, why: LOST }
  }

  async catchUp(): Promise<string | null> {
    const reply = await this.#ask(id => ({ type: 'catch-up', id }))
    if (typeof reply === 'string') return reply === CLOSED ? null : reply
    return reply.type === 'caught-up' ? reply.problem : null
  }

  pause(): void {
    if (this.#questions === 0) this.#end()
  }

  close(): void {
    this.#isClosed = true
    this.#end()
  }

  #end(): void {
    // It ends what it writes first: a thread that is cut off keeps the lock of the database.
    this.#thread?.postMessage({ type: 'close' } satisfies FindRequest, [])
    this.#thread = null
    this.#settleAll(CLOSED)
  }

  #ask(make: (id: number) => FindRequest): Promise<FindReply | string> {
    if (this.#isClosed) return Promise.resolve(CLOSED)
    this.#count += 1
    const id = this.#count
    return new Promise(resolve => {
      this.#waiting.set(id, resolve)
      try {
        this.#thread ??= this.#started()
        this.#thread.ref()
        this.#thread.postMessage(make(id), [])
      } catch (error) {
        this.#settleAll(messageOf(error))
      }
    })
  }

  #started(): Worker {
    const thread = new Worker(this.#file, {
      workerData: this.#setup,
      env: {},
      // Node calls SQLite experimental, which is nothing for the screen.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdout: true,
      stderr: true,
    })
    thread.on('message', (reply: FindReply) => {
      const resolve = this.#waiting.get(reply.id)
      this.#waiting.delete(reply.id)
      if (this.#waiting.size === 0) thread.unref()
      resolve?.(reply)
    })
    const end = (words: string): void => {
      // What is asked now may wait for the next one.
      if (this.#thread !== thread) return
      this.#thread = null
      this.#settleAll(words)
    }
    thread.on('error', error => end(`${LOST} ${messageOf(error)}`))
    thread.on('exit', () => end(LOST))
    return thread
  }

  #settleAll(words: string): void {
    const all = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const resolve of all) resolve(words)
  }
}

const CLOSED = 'The search was closed.'
const LOST = 'The search ended unexpectedly.'

function ownThread(): string {
  const files = THREADS.map(name => fileURLToPath(new URL(name, import.meta.url)))
  return files.find(file => existsSync(file)) ?? files[0] ?? ''
}
