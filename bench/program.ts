/** A program on a measuring terminal. */
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'
import { now } from './clock.ts'
import { usageOf, type Usage } from './process-usage.ts'
import { Terminal } from './terminal.ts'

export type ProgramOptions = {
  /** Arguments of Node. */
  args: readonly string[]
  env: Record<string, string>
  cwd: string
  columns?: number
  rows?: number
  /** The Node that runs it; that of the bench by default. */
  node?: string | undefined
}

/** The longest wait, in milliseconds. Only a failure waits that long. */
const PATIENCE = 60_000
const LETTERS = 'abcdefghij'

export class Program {
  readonly terminal: Terminal
  readonly pid: number
  readonly startedAt = now()
  /** The time at which it ended. */
  readonly ended: Promise<number>
  readonly #pty: ReturnType<typeof spawn>
  #over = false
  #typed = 0

  constructor({ args, env, cwd, columns = 120, rows = 40, node = process.execPath }: ProgramOptions) {
    this.terminal = new Terminal(columns, rows)
    this.#pty = spawn(node, [...args], {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd,
      env,
      encoding: null,
    })
    this.pid = this.#pty.pid
    this.terminal.onReply = text => this.write(text)
    // Without an encoding it gives bytes, whatever its type says.
    this.#pty.onData(data => this.terminal.receive(data as unknown as Buffer))
    this.ended = new Promise(resolve => {
      this.#pty.onExit(() => {
        this.#over = true
        resolve(now())
      })
    })
  }

  write(text: string): void {
    if (!this.#over) this.#pty.write(text)
  }

  usage(): Usage {
    return usageOf(this.pid)
  }

  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows)
    this.#pty.resize(columns, rows)
  }

  /** Waits for a frame after which `check` holds; resolves with its time. */
  async shown(what: string, check: () => boolean, patience = PATIENCE): Promise<number> {
    return new Promise((resolve, reject) => {
      const unwatch = this.terminal.watch(at => {
        if (!check()) return
        finish()
        resolve(at)
      })
      const deadline = setTimeout(() => {
        finish()
        reject(this.#failure(what))
      }, patience)
      const finish = (): void => {
        clearTimeout(deadline)
        unwatch()
      }
    })
  }

  /** Types the next letter; resolves with the time at which it appeared on the screen. */
  async keyShown(): Promise<number> {
    const key = LETTERS[this.#typed % LETTERS.length] ?? 'a'
    this.#typed += 1
    const shown = this.shown(`the key ${key}`, () => this.terminal.beforeCursor() === key)
    this.write(key)
    return shown
  }

  /** Types the next letter; resolves with the milliseconds until it appeared on the screen. */
  async echo(): Promise<number> {
    const at = now()
    return (await this.keyShown()) - at
  }

  /** Waits until `check` holds, which need not be visible on the screen. It usually takes `takes` milliseconds. */
  async until(what: string, check: () => boolean, takes = 0): Promise<void> {
    const deadline = now() + takes + PATIENCE
    while (!check()) {
      if (this.#over || now() > deadline) throw this.#failure(what)
      await pause(10)
    }
  }

  /** Waits until all that was written has been drawn. */
  async settled(): Promise<void> {
    await pause(50)
    while (!this.terminal.settled) await pause(10)
  }

  /** Ends the program normally. */
  async end(): Promise<void> {
    if (this.#over) return
    process.kill(this.pid, 'SIGTERM')
    const hard = setTimeout(() => process.kill(this.pid, 'SIGKILL'), 10_000)
    await this.ended
    clearTimeout(hard)
  }

  #failure(what: string): Error {
    const state = this.#over ? 'the program has ended' : 'not in time'
    return new Error(`waited for ${what}: ${state}\n${this.terminal.screen().join('\n')}`)
  }
}
