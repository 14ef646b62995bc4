/** zotui with the replay agent, driven as a user would. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { now } from './clock.ts'
import { playText, type Play, type Report } from './play.ts'
import { Program, type ProgramOptions } from './program.ts'

/** An Enter sooner than this after text counts as part of a paste. */
const BEFORE_ENTER = 80
const CLEAR_LINE = '\x15'
/** In milliseconds. No two frames of ongoing output are that far apart. */
const AFTER_FRAMES = 60
/** A text that is on the screen only while the agent works. */
export const workingLine = /\ds {3}Esc stops/

export class Ui extends Program {
  readonly #reports: string
  #turns = 0

  constructor(options: ProgramOptions & { reports: string }) {
    super(options)
    this.#reports = options.reports
  }

  /** Resolves with the time of the first frame with a prompt. */
  async promptShown(): Promise<number> {
    return this.shown('the prompt', () => this.terminal.screen().some(line => line.startsWith('▌')))
  }

  /** Resolves with the time of the first frame that names the agent's model: the agent is then ready. */
  async ready(): Promise<number> {
    return this.shown('the agent', () => this.terminal.screen().some(line => line.includes('bench-model')))
  }

  /** Empties the composer. */
  async clear(): Promise<void> {
    this.write(CLEAR_LINE)
    await this.until('an empty composer', () => this.terminal.screen().some(line => line.trimEnd() === '▌'))
  }

  /** Asks the agent to play something. Resolves with the time of the Enter. */
  async send(play: Play): Promise<number> {
    return this.enter(playText(play))
  }

  /** Types a line and presses Enter; resolves with the time of that. */
  async enter(line: string): Promise<number> {
    this.write(line)
    await this.until('the line in the composer', () => this.terminal.screen().some(row => row.endsWith(line)))
    await pause(BEFORE_ENTER)
    this.write('\r')
    return now()
  }

  /** Waits until the agent has played and zotui says so; the playing takes that many milliseconds. Returns its report's path. */
  async idle(takes = 0): Promise<string> {
    const path = join(this.#reports, `${this.#turns}.json`)
    this.#turns += 1
    await this.until('the agent to have played', () => existsSync(path), takes)
    const isIdle = (): boolean => !this.terminal.screen().some(line => workingLine.test(line))
    await this.until('zotui to be idle', isIdle)
    return path
  }

  /** Waits until the agent has played and zotui has drawn the end of it; the playing takes that many milliseconds. */
  async played(takes = 0): Promise<Report> {
    const path = await this.idle(takes)
    // The last part of much text at once is drawn after the turn has ended.
    for (let bytes = -1; bytes !== this.terminal.bytes;) {
      bytes = this.terminal.bytes
      await pause(AFTER_FRAMES)
    }
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  }
}
