/** zotui with the replay agent, driven as a person would. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { now } from './clock.ts'
import { playText, type Play, type Report } from './play.ts'
import { Program, type ProgramOptions } from './program.ts'

/** An Enter sooner than this after text counts as part of a paste. */
const BEFORE_ENTER = 80
const LETTERS = 'abcdefghij'
const CLEAR_LINE = '\x15'
/** What stands on the screen while the agent works, and only then. */
export const workingLine = /\ds {3}Esc stops/

export class Ui extends Program {
  readonly #reports: string
  #turns = 0
  #typed = 0

  constructor(options: ProgramOptions & { reports: string }) {
    super(options)
    this.#reports = options.reports
  }

  /** Resolves with the time of the first frame with a prompt. */
  async promptShown(): Promise<number> {
    return this.shown('the prompt', () => this.terminal.screen().some(line => line.startsWith('›')))
  }

  /** Resolves with the time of the first frame that names the agent's model: it can be talked to now. */
  async ready(): Promise<number> {
    return this.shown('the agent', () => this.terminal.screen().some(line => line.includes('bench-model')))
  }

  /** Types the next letter; resolves with the time at which it stood on the screen. */
  async keyShown(): Promise<number> {
    const key = LETTERS[this.#typed % LETTERS.length] ?? 'a'
    this.#typed += 1
    const shown = this.shown(`the key ${key}`, () => this.terminal.beforeCursor() === key)
    this.write(key)
    return shown
  }

  /** Types the next letter; resolves with the milliseconds until it stood on the screen. */
  async echo(): Promise<number> {
    const at = now()
    return (await this.keyShown()) - at
  }

  /** Empties the composer. */
  async clear(): Promise<void> {
    this.write(CLEAR_LINE)
    await this.until('an empty composer', () => this.terminal.screen().some(line => line.trimEnd() === '›'))
    this.#typed = 0
  }

  /** Asks the agent to play something. Resolves with the time of the Enter. */
  async send(play: Play): Promise<number> {
    this.write(playText(play))
    await this.until('the prompt in the composer', () =>
      this.terminal.screen().some(line => line.endsWith(playText(play))),
    )
    await pause(BEFORE_ENTER)
    this.write('\r')
    return now()
  }

  /** Waits until the agent has played and zotui has drawn the end of it. */
  async played(): Promise<Report> {
    const path = join(this.#reports, `${this.#turns}.json`)
    this.#turns += 1
    await this.until('the agent to have played', () => existsSync(path))
    const isIdle = (): boolean => !this.terminal.screen().some(line => workingLine.test(line))
    await this.until('zotui to be idle', isIdle)
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  }
}

/** Types a key about every 150 ms until `stop`, never in step with anything else; resolves with the times to their echo. */
export function typist(ui: Ui): { stop: () => Promise<number[]> } {
  const times: number[] = []
  const stop = new AbortController()
  const typing = (async () => {
    for (let index = 0; !stop.signal.aborted; index += 1) {
      times.push(await ui.echo())
      await pause(140 + ((index * 7) % 24))
    }
  })()
  return {
    async stop() {
      stop.abort()
      await typing
      return times
    },
  }
}
