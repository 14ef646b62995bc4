/** The conversations of another machine, as its own zotui lists them over ssh. A machine that is down, hangs or lies ends alone. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { createLineSplitter } from '../../agents/transport/lines.ts'
import type { OutsideReply } from '../../published/outside-call.ts'
import { createMachine, WITH_MORE_PATHS } from '../../platform/remote/machine.ts'
import { OWN } from '../../platform/remote/helper-path.ts'
import { endSession } from '../../platform/remote/lane.ts'
import { readOn, type Target } from '../../platform/remote/target.ts'
import { troubleOf } from '../../platform/remote/trouble.ts'
import type { Timers } from '../../platform/timers.ts'
import { parseJson } from '../../text/json.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { sentence } from '../../text/sentence.ts'
import { BOARD_PROTOCOL, boardLineSchema, type BoardAction, type BoardLine, type BoardRequest } from '../board-lines.ts'
import { SILENT, type BoardHost, type BoardSource } from '../board-source.ts'
import { HostRows } from './host-rows.ts'

export type HostSourceOptions = {
  /** A name of ssh, such as `build` or `me@build`. */
  host: string
  env: NodeJS.ProcessEnv
  /** Milliseconds until it connects: to start many programs at once would stop the keys. */
  delay?: number
  /** Milliseconds since the Unix epoch, and those that have passed. */
  now: () => number
  elapsed: () => number
  after: Timers['after']
}

/** Milliseconds for the first line, between two lines, and for an answer. */
const [FIRST_LINE, SILENCE, PATIENCE] = [30_000, 45_000, 30_000]
/** Milliseconds for one that moves to the background there. */
const MOVE_PATIENCE = 75_000
/** Milliseconds until the next try: they double with each that fails. */
const [FIRST_WAIT, LAST_WAIT] = [1000, 60_000]
/** Bytes of a line, lines in a second, and bytes of what the connection says beside them. */
const [LONGEST_LINE, MOST_LINES, MOST_WORDS] = [4 * 1024 * 1024, 5000, 16 * 1024]
/** Requests without an answer. */
const MOST_REQUESTS = 64

/** The exit codes of the script for a machine without zotui, and of a zotui that does not know the flags. */
const [NO_ZOTUI, NO_SUCH_FLAG] = [44, 2]
/** ssh asks nothing, and notices a machine that is gone. */
const SSH_OPTIONS = ['BatchMode=yes', 'ConnectTimeout=15', 'ServerAliveInterval=15', 'ServerAliveCountMax=2'].flatMap(
  option => ['-o', option],
)
const INSTALL = 'npm install -g zotui'
const FIND_ZOTUI = `PATH=\${${OWN}:-$PATH}\n${WITH_MORE_PATHS}`
const BOARD_SCRIPT = [
  FIND_ZOTUI,
  `command -v zotui >/dev/null || exit ${NO_ZOTUI}`,
  'exec zotui board --json --follow --requests --here',
].join('\n')

const LOST: OutsideReply = {
  ok: false,
  why: 'failed',
  message: 'The connection was lost. Whether it was carried out is not known.',
}

/** Null for what is no name of a host. */
export function createHostSource(options: HostSourceOptions): BoardSource | null {
  const read = readOn(`ssh:${options.host.includes(':') ? `[${options.host}]` : options.host}`)
  return read.ok ? new HostConversations(options, read.target) : null
}

class HostConversations implements BoardSource {
  readonly name: string
  readonly #options: HostSourceOptions
  readonly #target: Target
  readonly #rows: HostRows
  readonly #waiting = new Map<number, (reply: OutsideReply) => void>()
  #state: BoardHost['state'] = 'connecting'
  #problem = ''
  #child: ChildProcessWithoutNullStreams | null = null
  #onChange: () => void = () => undefined
  #cancelRetry: (() => void) | null = null
  #cancelSilence: (() => void) | null = null
  #wait = FIRST_WAIT
  #last = 0
  #isClosed = false

  constructor(options: HostSourceOptions, target: Target) {
    this.#options = options
    this.#target = { ...target, args: [...SSH_OPTIONS, ...target.args] }
    this.#rows = new HostRows(options.now)
    this.name = target.name
  }

  start(onChange: () => void): void {
    this.#onChange = onChange
    const { after, delay = 0 } = this.#options
    this.#cancelRetry = after(delay, () => this.#connect())
  }

  host(): BoardHost {
    return { name: this.name, state: this.#state, problem: this.#problem, rows: this.#rows.all() }
  }

  async act(row: string, action: BoardAction): Promise<OutsideReply> {
    const child = this.#child
    if (this.#state !== 'connected' || !child?.stdin.writable)
      return failed(`${this.name} cannot be reached now: nothing was sent.`)
    if (this.#waiting.size >= MOST_REQUESTS) return failed('Too many requests wait for an answer.')
    this.#last += 1
    const id = this.#last
    const { promise, resolve } = Promise.withResolvers<OutsideReply>()
    const cancel = this.#options.after(action.do === 'background' ? MOVE_PATIENCE : PATIENCE, () => resolve(SILENT))
    this.#waiting.set(id, resolve)
    child.stdin.write(`${JSON.stringify({ id, row, action } satisfies BoardRequest)}\n`)
    const reply = await promise
    cancel()
    this.#waiting.delete(id)
    return reply
  }

  opens(row: string): ReturnType<BoardSource['opens']> {
    const attach = this.#rows.find(row)?.attach ?? ''
    if (!/^[\w-]+$/.test(attach)) return null
    const script = `${WITH_MORE_PATHS.replaceAll('\n', '; ')}; exec zotui attach ${attach}`
    return createMachine(this.#target, this.#options.env).terminal(script)
  }

  close(): void {
    this.#isClosed = true
    this.#cancelRetry?.()
    this.#end()
  }

  #connect(): void {
    const { env } = this.#options
    const { file, args, firstLine, env: own } = createMachine(this.#target, env).program(BOARD_SCRIPT)
    // A session of its own: it cannot ask anything at the terminal, and no key reaches it.
    const child = spawn(file, args, { env: own, stdio: 'pipe', detached: true, windowsHide: true })
    const said: HostWords = {
      words: '',
      spawnError: null,
      isRefused: false,
      isSilent: false,
      hasBegun: false,
      second: { at: 0, lines: 0 },
    }
    const lines = createLineSplitter({
      maxBytes: LONGEST_LINE,
      onLine: text => this.#take(text, said),
      onDropped: () => this.#lies(said),
    })
    this.#child = child
    child.stdin.on('error', () => undefined)
    child.stdout.on('data', (chunk: Buffer) => lines.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => (said.words = (said.words + chunk.toString()).slice(-MOST_WORDS)))
    child.on('error', (error: NodeJS.ErrnoException) => (said.spawnError = error.code ?? 'UNKNOWN'))
    child.on('close', code => this.#closed(child, code, said))
    child.stdin.write(firstLine)
    child.unref()
    for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref?(): void }).unref?.()
    this.#watch(FIRST_LINE, said)
  }

  /** Ends a connection that is silent for so long. */
  #watch(milliseconds: number, said: HostWords): void {
    this.#cancelSilence?.()
    this.#cancelSilence = this.#options.after(milliseconds, () => {
      said.isSilent = true
      this.#end()
    })
  }

  #take(text: string, said: HostWords): void {
    if (this.#isClosed || said.isRefused) return
    const read = boardLineSchema.safeParse(parseJson(text))
    // The files of a shell there may print something first.
    if (!read.success && !said.hasBegun) return
    if (!read.success || this.#isFlooding(said)) return this.#lies(said)
    this.#watch(SILENCE, said)
    const line = read.data
    if (!said.hasBegun && line.type !== 'board') return this.#lies(said)
    if (line.type === 'board') return this.#begin(line, said)
    if (line.type === 'reply') return this.#waiting.get(line.id)?.(line.reply)
    if (line.type === 'alive') this.#rows.heard(line.at)
    else if (line.type === 'listed') {
      this.#rows.listed()
      this.#wait = FIRST_WAIT
      this.#state = 'connected'
      this.#problem = ''
    } else if (line.type === 'gone' && line.host === '') this.#rows.remove(line.id)
    else if (line.type === 'row' && line.host === '' && !this.#rows.set(line.row, text.length)) return this.#lies(said)
    this.#changed()
  }

  #begin({ protocol, version, at }: Extract<BoardLine, { type: 'board' }>, said: HostWords): void {
    said.hasBegun = true
    if (protocol !== BOARD_PROTOCOL) {
      const theirs = `The zotui ${oneLine(sanitize(version.slice(0, 40)))} on ${this.#shown()}`
      said.isRefused = true
      this.#problem =
        protocol < BOARD_PROTOCOL
          ? `${theirs} is too old for this board. Update it there: ${INSTALL}`
          : `${theirs} is newer than this board. Update zotui here: ${INSTALL}`
      this.#wait = LAST_WAIT
      return this.#end()
    }
    this.#rows.begin(at)
  }

  #isFlooding({ second }: HostWords): boolean {
    const at = Math.floor(this.#options.elapsed() / 1000)
    if (second.at !== at) Object.assign(second, { at, lines: 0 })
    second.lines += 1
    return second.lines > MOST_LINES
  }

  #lies(said: HostWords): void {
    if (said.isRefused) return
    said.isRefused = true
    this.#problem = `${this.#shown()} sends what no zotui sends.`
    this.#wait = LAST_WAIT
    this.#end()
  }

  #end(): void {
    const child = this.#child
    this.#cancelSilence?.()
    if (!child) return
    child.stdin.end()
    endSession(child)
  }

  #closed(child: ChildProcessWithoutNullStreams, code: number | null, said: HostWords): void {
    if (this.#child !== child) return
    this.#child = null
    this.#cancelSilence?.()
    for (const settle of this.#waiting.values()) settle(LOST)
    if (this.#isClosed) return
    this.#problem = this.#whyEnded(code, said)
    this.#state = this.#state === 'connected' || this.#state === 'lost' ? 'lost' : 'failed'
    this.#cancelRetry = this.#options.after(this.#wait, () => this.#connect())
    this.#wait = Math.min(2 * this.#wait, LAST_WAIT)
    this.#changed()
  }

  /** Why the connection has ended, as a sentence. */
  #whyEnded(code: number | null, { words, spawnError, isRefused, isSilent, hasBegun }: HostWords): string {
    if (isRefused) return this.#problem
    const host = this.#shown()
    if (code === NO_ZOTUI) return `There is no zotui on ${host}. Install it there: ${INSTALL}`
    if (code === NO_SUCH_FLAG && !hasBegun) return `The zotui on ${host} knows no board. Update it there: ${INSTALL}`
    if (isSilent || code === 0 || (code === null && spawnError === null && words.trim() === ''))
      return hasBegun ? `The connection to ${host} was lost.` : `${host} does not answer.`
    const { reason, hint } = troubleOf(this.#target, { code, spawnError, words: words.split(/\r?\n/) })
    const full = hint === '' ? sentence(reason) : `${sentence(reason)} ${sentence(hint)}`
    return oneLine(sanitize(full))
  }

  #shown(): string {
    return oneLine(sanitize(this.name))
  }

  #changed(): void {
    if (!this.#isClosed) this.#onChange()
  }
}

/** What one connection has said. */
type HostWords = {
  words: string
  spawnError: string | null
  /** It is ended for what it says. */
  isRefused: boolean
  /** It is ended since it says nothing. */
  isSilent: boolean
  hasBegun: boolean
  second: { at: number; lines: number }
}

function failed(message: string): OutsideReply {
  return { ok: false, why: 'failed', message }
}
