/**
 * Drives the real program as a user does: types, presses keys, looks at the screen.
 *
 *     const zotui = await open({ args: ['--demo'] })
 *     await zotui.see('Enter sends')
 *     await zotui.type('hello')
 *     await zotui.press('enter')
 *     await zotui.see(/hello/)
 *
 * A look falls only on whole frames, when everything received has been parsed. A wait ends when the text is there, and
 * fails with the whole screen at its deadline or when the program ends first. After each test every program still open is
 * ended, and what no program may do to a terminal is asserted of all of them: see `Screen.close`.
 */
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { spawn } from '@lydell/node-pty'
import { afterAll, afterEach } from 'vitest'
import { commonTerminal, Emulator, type Drawn, type TerminalTraits } from './emulator.ts'
import { environment, makeHome, type Home } from './home.ts'
import { encode } from './keys.ts'
import { opened } from './opened.ts'
import { alive, descendants, type Process } from './processes.ts'

type Variables = Record<string, string | undefined>

export type OpenOptions = {
  /** Arguments of zotui. */
  args?: readonly string[]
  columns?: number
  rows?: number
  /** Added to a clean environment, maybe by what its home is; undefined takes a variable out. */
  env?: Variables | ((home: Home) => Variables)
  /** The folder in which it is started; a fresh empty one by default. */
  cwd?: string
  /** A home made by `makeHome`, to come back to; a fresh one, removed at the end, unless said. */
  home?: Home
  /** The kind of terminal in which it runs. */
  terminal?: Partial<TerminalTraits>
  /** The way in which keys are sent; by default the one that the program asked for and the terminal knows. */
  keys?: 'legacy' | 'kitty'
  /** Lines of the shell that stand on the screen before. */
  shell?: readonly string[]
  /** Arguments of Node instead of the built program: for tests of this helper. */
  program?: readonly string[]
  /**
   * Started by a shell with job control, as by a user: it says `stopped`, and goes on at Enter, or `ended with CODE`, and
   * whether the terminal is set `as it was`. `below` stands for a program between the two, such as npm.
   */
  job?: 'of the shell' | 'below another'
  /** The words of a shell before it, and how it begins it: `ulimit -n 20; exec "$@"`. */
  under?: string
}

export type Exit = { code: number | null; signal: string | null }

export type SeeOptions = {
  /** Milliseconds until it fails. */
  timeout?: number
  /** `screen` is what is visible; `history` is that and all that scrolled away above it. */
  where?: 'screen' | 'history'
}

const shipped = fileURLToPath(new URL('../../dist/zotui.js', import.meta.url))

/** Generous, since it is only ever waited for by a test that fails. */
const patience = 20_000
/** No hand is faster; an Enter sooner than this after text is part of a paste, and a key sooner after Esc makes it Alt. */
const handMilliseconds = { afterText: 45, afterEscape: 80 }

/** Looks in a row at which nothing new has come, after which nothing is on its way. */
const QUIET_LOOKS = 5

/** Starts zotui in a terminal. */
export async function open(options: OpenOptions = {}): Promise<Screen> {
  if (!options.program && !existsSync(shipped)) throw new Error('dist/zotui.js is not there: run `npm run build` first')
  const screen = new Screen(options)
  opened.add(screen)
  if (options.job) await screen.findProgram()
  return screen
}

/**
 * One program for several tests, for where its start is not what is tested. It is opened by the first that asks for it, and brought back
 * by `renew` for each later one. A test that fails ends it, so that none inherits its trouble. What must hold of every run is asserted
 * after the last.
 */
export function share(begin: () => Promise<Screen>, renew: (screen: Screen) => Promise<void>): () => Promise<Screen> {
  let shared: Screen | null = null
  const end = async () => {
    const ending = shared
    shared = null
    await ending?.close()
  }
  afterEach(({ task }) => (task.result?.state === 'fail' ? end() : undefined))
  afterAll(end)
  return async () => {
    if (shared) await renew(shared)
    shared ??= await begin()
    opened.delete(shared)
    return shared
  }
}

/** The user's shell: `stty` is asked again for a while, since the watchdog is no faster than that. */
const jobShell = `
set -m
before=$(stty -g)
state() {
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    [ "$(stty -g)" = "$before" ] && echo "$1, as it was" && return
    sleep 0.1
  done
  echo "$1, changed: $(stty -a | tr -s ' \\n' ' ')"
}
"$@"
code=$?
while [ $code -ge 147 ] && [ $code -le 150 ]; do
  state stopped
  read -r _
  fg >/dev/null
  code=$?
done
state "ended with $code"
exit $code
`

export class Screen {
  readonly home: Home
  /** The pid of the program; of the shell that is about to start it until `open` has resolved. */
  pid: number
  /** The folder in which the program was started. */
  readonly cwd: string

  readonly #emulator: Emulator
  readonly #pty: ReturnType<typeof spawn>
  readonly #ownsHome: boolean
  readonly #keys: 'legacy' | 'kitty' | undefined
  readonly #lookers = new Set<() => void>()
  readonly #ended: Promise<Exit>
  #exit: Exit | undefined
  #handFree = 0
  #hungUp = false
  #closed = false

  constructor(options: OpenOptions) {
    const { columns = 80, rows = 24, shell: above = ['$ zotui'], env = {} } = options
    this.home = options.home ?? makeHome()
    this.#ownsHome = options.home === undefined
    this.cwd = options.cwd ?? this.home.project
    this.#keys = options.keys

    this.#emulator = new Emulator(columns, rows, { ...commonTerminal, ...options.terminal })
    this.#emulator.preload(above)
    const command = [process.execPath, ...(options.program ?? [shipped]), ...(options.args ?? [])]
    const between = options.job === 'below another' ? ['/bin/sh', '-c', '"$@"; exit $?', 'between'] : []
    const shell = options.job ? ['/bin/sh', '-c', jobShell, 'shell', ...between] : []
    const under = options.under === undefined ? [] : ['/bin/sh', '-c', options.under, 'under']
    const [file = '', ...args] = [...shell, ...under, ...command]
    this.#pty = spawn(file, args, {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd: this.cwd,
      env: environment(this.home.path, typeof env === 'function' ? env(this.home) : env),
      encoding: null,
    })
    this.pid = this.#pty.pid
    this.#emulator.onSettled = () => this.#look()
    this.#emulator.onReply = text => this.#send(text)
    // With no encoding asked for it gives bytes, whatever its type says.
    this.#pty.onData(data => this.#emulator.receive(data as unknown as Buffer))
    this.#ended = new Promise(resolve => {
      this.#pty.onExit(({ exitCode, signal }) => {
        this.#exit = signal ? { code: null, signal: signalName(signal) } : { code: exitCode, signal: null }
        this.#emulator.finish()
        resolve(this.#exit)
      })
    })
  }

  /** The program is not the first process if a shell starts it; one that is up calls itself zotui. */
  async findProgram(): Promise<void> {
    const find = () =>
      descendants(this.#pty.pid).find(({ command }) => command.startsWith(process.execPath) || /^zotui\b/.test(command))
    await this.until('the shell to start it', { check: () => find() !== undefined })
    this.pid = find()?.pid ?? this.pid
  }

  /** Ends the shell that started the program, or what stands between the two, as the system would. */
  killParent(): void {
    const parent = descendants(this.#pty.pid).find(({ pid }) => pid === this.pid)?.parent ?? this.#pty.pid
    // Without the shell nothing is read of the terminal for long.
    if (parent === this.#pty.pid) this.#hungUp = true
    signalTo(parent, 'SIGKILL')
  }

  /** The program as a process. */
  itself(): Process {
    const found = descendants(process.pid).find(({ pid }) => pid === this.pid)
    if (!found) throw new Error('the program has ended')
    return found
  }

  /** Closes the terminal, as a user closes a window. */
  hangUp(): void {
    this.#hungUp = true
    // Its type does not tell of it.
    ;(this.#pty as unknown as { destroy: () => void }).destroy()
  }

  /** Reads nothing more of what the program writes, as a terminal that is held up. */
  stopReading(): void {
    this.#pty.pause()
  }

  readOn(): void {
    this.#pty.resume()
  }

  /** Types text as a keyboard would send it: one line. */
  async type(text: string): Promise<void> {
    if (/[\r\n\x1b]/.test(text)) throw new Error('type() is for text; use press() for keys and paste() for lines')
    await this.#handsFree()
    this.#send(text)
    this.#handFree = performance.now() + handMilliseconds.afterText
  }

  /** Presses keys, one after the other: `enter`, `esc`, `ctrl+c`, `shift+tab`, `alt+p`, `up`, `x`. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.#handsFree()
      const bytes = encode(key, {
        applicationCursor: this.#emulator.applicationCursor,
        kitty: this.#keys === 'legacy' ? 0 : this.#keys === 'kitty' ? 1 : this.#emulator.kittyFlags,
      })
      this.#send(bytes)
      if (bytes === '\x1b') this.#handFree = performance.now() + handMilliseconds.afterEscape
    }
  }

  /** Pastes text: between marks where the program asked for them, as a terminal does. */
  async paste(text: string): Promise<void> {
    await this.#handsFree()
    // A terminal sends pasted line ends as Enter sends them.
    const pasted = text.replaceAll('\n', '\r')
    this.#send(this.#emulator.mode(2004) ? `\x1b[200~${pasted}\x1b[201~` : pasted)
    this.#handFree = performance.now() + handMilliseconds.afterText
  }

  /** Sends bytes as they are: odd encodings, late replies of a terminal. */
  async raw(bytes: string): Promise<void> {
    await this.#handsFree()
    this.#send(bytes)
  }

  /** Waits until `text` is on the screen. */
  async see(text: string | RegExp, { timeout = patience, where = 'screen' }: SeeOptions = {}): Promise<void> {
    const rows = () => (where === 'screen' ? this.screen() : this.history())
    const place = where === 'screen' ? 'on the screen' : 'in the history'
    await this.#wait(`${String(text)} ${place}`, () => contains(rows(), text), timeout)
  }

  /** Waits until `text` is on the screen or has scrolled away above it. */
  async seeInHistory(text: string | RegExp, options: { timeout?: number } = {}): Promise<void> {
    await this.see(text, { ...options, where: 'history' })
  }

  /** Waits until `text` is not on the screen. */
  async gone(text: string | RegExp, { timeout = patience }: { timeout?: number } = {}): Promise<void> {
    await this.#wait(`${String(text)} gone from the screen`, () => !contains(this.screen(), text), timeout)
  }

  /** Waits until `check` holds; asked again often, since what is not on the screen announces nothing. */
  async until(what: string, { check, timeout = patience }: { check: () => boolean; timeout?: number }): Promise<void> {
    const again = setInterval(() => this.#look(), 25)
    await this.#wait(what, check, timeout).finally(() => clearInterval(again))
  }

  /** Asks `check` whenever the screen may have changed. */
  async #wait(what: string, check: () => boolean, timeout: number): Promise<void> {
    const failure = new Error(`waited for ${what}`)
    await new Promise<void>((resolve, reject) => {
      const finish = (problem: string | null) => {
        clearTimeout(deadline)
        this.#lookers.delete(look)
        if (problem === null) return resolve()
        const shown = `waited for ${what}: ${problem}\n${this.describe()}`
        // The stack repeats the message as it was, and reports print the stack.
        failure.stack = failure.stack?.replace(failure.message, () => shown) ?? shown
        failure.message = shown
        return reject(failure)
      }
      const look = () => {
        if (!this.#emulator.settled) return
        if (check()) finish(null)
        else if (this.#exit) finish(`the program ended first, ${describeExit(this.#exit)}`)
      }
      const deadline = setTimeout(() => finish(`not within ${timeout} ms`), timeout)
      this.#lookers.add(look)
      look()
    })
  }

  /** Looks no more at what stands above the cursor and so many rows before it: for a program that several tests share. */
  forget(kept = 0): void {
    this.#emulator.forget(kept)
  }

  /** The visible rows, without trailing blanks. */
  screen(): string[] {
    return this.#emulator.screen()
  }

  /** The rows that scrolled away, oldest first. */
  scrollback(): string[] {
    return this.#emulator.scrollback()
  }

  /** Scrollback and screen together. */
  history(): string[] {
    return [...this.scrollback(), ...this.screen()]
  }

  /** The place of the cursor, from 0, and whether it is shown. */
  cursor(): { row: number; column: number; shown: boolean } {
    return this.#emulator.cursor()
  }

  /** The look of the first occurrence of `text` on the screen. */
  drawn(text: string): Drawn | undefined {
    return this.#emulator.drawn(text)
  }

  /** Whether the alternate screen is shown. */
  get alternate(): boolean {
    return this.#emulator.alternate
  }

  /** Whether the program has a private mode on, such as 2004 for bracketed paste. */
  mode(number: number): boolean {
    return this.#emulator.mode(number)
  }

  /** The surroundings that the terminal shows: the title, progress, notifications, and where prompts begin. */
  get around(): Pick<Emulator, 'title' | 'titles' | 'progress' | 'notifications' | 'prompts'> {
    return this.#emulator
  }

  /** Tells the program that the terminal got or lost the focus, if it wants to know. */
  focus(on: boolean): void {
    if (this.mode(1004)) this.#send(on ? '\x1b[I' : '\x1b[O')
  }

  /** Every byte that the program wrote. */
  bytes(): Buffer {
    return this.#emulator.bytes()
  }

  /** The tallest live zone so far, in rows. */
  get tallest(): number {
    return this.#emulator.tallest
  }

  /** The processes of the program, and their own: the agent, its shells. */
  children(): Process[] {
    return descendants(this.pid).filter(({ command }) => !isWatchdog(command) && !isGuard(command))
  }

  /** The processes that look after the program's death, with those that they run for a moment. */
  watchdogs(): Process[] {
    return descendants(this.pid).filter(({ command }) => isWatchdog(command))
  }

  /** The processes of the agent that ask zotui before a call. */
  guards(): Process[] {
    return descendants(this.pid).filter(({ command }) => isGuard(command))
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows, () => {
      if (!this.#exit) this.#pty.resize(columns, rows)
    })
  }

  /**
   * Resizes while no frame is on its way: a frame that was written for the old size and read at the new one comes out wrong in any
   * terminal, and a busy machine reads late. The program stands still meanwhile.
   */
  async resizeBetweenFrames(columns: number, rows: number): Promise<void> {
    this.kill('SIGSTOP')
    // All that was written before arrives within a few turns, also on a busy machine.
    for (let quiet = 0, read = -1; quiet < QUIET_LOOKS; quiet += 1) {
      await pause(1)
      const { received, settled } = this.#emulator
      if (received !== read || !settled) quiet = 0
      read = received
    }
    this.resize(columns, rows)
    this.kill('SIGCONT')
  }

  /** Asserts that each of `lines` stands exactly once in scrollback and screen together. */
  committedOnce(lines: readonly string[]): void {
    const history = this.history().join('\n')
    const wrong = lines
      .map(line => ({ line, times: history.split(line).length - 1 }))
      .filter(({ times }) => times !== 1)
      .map(({ line, times }) => `${JSON.stringify(line)} stands there ${times} times`)
    if (wrong.length > 0) throw new Error(`committed lines:\n${wrong.slice(0, 20).join('\n')}\n${this.describe()}`)
  }

  /** Waits until the program has ended by itself. */
  async exit({ timeout = patience }: { timeout?: number } = {}): Promise<Exit> {
    await this.#wait('the program to end', () => this.#exit !== undefined, timeout)
    return this.#ended
  }

  /** Sends a signal to the program. */
  kill(signal: NodeJS.Signals): void {
    if (this.#exit) return
    signalTo(this.pid, signal)
  }

  /**
   * Ends the program if it still runs (SIGTERM, which must restore the terminal too) and asserts what holds of every run:
   * the screen was never wiped, the live zone never was taller than the screen less a row, nothing was drawn above where
   * the program began, every terminal mode is as it was, and no child is left.
   */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    opened.delete(this)
    const children = this.#exit ? [] : descendants(this.pid)
    const wrong: string[] = []
    this.kill('SIGTERM')
    await this.exit({ timeout: 10_000 }).catch(async () => {
      wrong.push('did not end within 10 s of SIGTERM')
      this.kill('SIGKILL')
      await this.#ended
    })
    wrong.push(...(await survivors(children)).map(child => `left running: ${child.command}`))
    // Nobody sees what is written to a terminal that is closed.
    if (!this.#hungUp) wrong.push(...this.#emulator.unbalanced())
    for (const child of children.filter(alive)) signalTo(child.pid, 'SIGKILL')
    wrong.push(...this.#emulator.violations)
    if (this.#ownsHome) this.home.remove()
    if (wrong.length > 0) throw new Error(`the program misbehaved:\n- ${wrong.join('\n- ')}\n${this.describe()}`)
  }

  /** The screen as it stands, for a user reading a failure. */
  describe(): string {
    const rule = '-'.repeat(40)
    const { held, rows } = this.#emulator
    const facts = [
      this.#exit ? describeExit(this.#exit) : 'running',
      `${rows} rows`,
      `${this.scrollback().length} rows in the scrollback`,
      ...(held > 0 ? [`${held} bytes of an unfinished frame not shown`] : []),
    ]
    return [`${rule} screen`, ...this.screen(), `${rule} ${facts.join(', ')}`].join('\n')
  }

  #send(text: string): void {
    if (!this.#exit) this.#pty.write(text)
  }

  async #handsFree(): Promise<void> {
    const wait = this.#handFree - performance.now()
    if (wait > 0) await pause(wait)
  }

  #look(): void {
    for (const look of this.#lookers) look()
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (failure) {
    // It may have ended a moment ago, before we were told.
    if (!(failure instanceof Error && 'code' in failure && failure.code === 'ESRCH')) throw failure
  }
}

/**
 * Those of `children` that have not ended a while after their parent did. The watchdog gives them a second, which it counts in naps: on a
 * machine at work it is several.
 */
async function survivors(children: readonly Process[]): Promise<Process[]> {
  const deadline = performance.now() + patience
  let left = children.filter(alive)
  while (left.length > 0 && performance.now() < deadline) {
    await pause(20)
    left = left.filter(alive)
  }
  return left
}

function isWatchdog(command: string): boolean {
  return command.endsWith('zotui-watchdog')
}

function isGuard(command: string): boolean {
  return command.includes('zotui-guard.')
}

function contains(rows: readonly string[], text: string | RegExp): boolean {
  const shown = rows.join('\n')
  return typeof text === 'string'
    ? shown.includes(text)
    : new RegExp(text.source, text.flags.replace('g', '')).test(shown)
}

function signalName(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? String(number)
}

function describeExit({ code, signal }: Exit): string {
  return signal ? `ended by ${signal}` : `exited with ${code}`
}
