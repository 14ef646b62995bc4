/** The requests to the replay agent and the raw writer, and their reports. */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { now } from './clock.ts'
import { usageOf } from './process-usage.ts'

const KINDS = ['answer', 'commands', 'subagents', 'flood'] as const

export type Play = {
  /**
   * `answer`: text deltas; `commands`: the same, with three lists of commands if the agent speaks ACP; `subagents`: the
   * same, while subagents of an agent of ACP say as much beside it; `flood`: one tool
   * that prints until it is aborted.
   */
  kind: (typeof KINDS)[number]
  /** The number of deltas or events. */
  count: number
  /** Deltas or events per second; Infinity for as fast as possible. */
  rate: number
  /** The number of a conversation's turn: no two have a mark in common. */
  turn: number
}

/** The parts of an answer after which an agent of ACP lists its commands. */
export const LISTED_AT = [0.25, 0.5, 0.75]

/** As a prompt: `answer 2000 200 0`. */
export function playText({ kind, count, rate, turn }: Play): string {
  return [kind, count, rate, turn].join(' ')
}

export function parsePlay(text: string): Play {
  const [first, count, rate, turn] = text.split(' ')
  const kind = KINDS.find(each => each === first) ?? 'answer'
  return { kind, count: Number(count), rate: Number(rate), turn: Number(turn) }
}

/** All times are in milliseconds, of the clock `now`. */
export type Report = {
  began: number
  /** When each delta or event was written, as milliseconds since `began`. */
  sent: number[]
  /** The total time of the writes in milliseconds: a full pipe blocks them. */
  blocked: number
  longestWrite: number
  abortedAt: number | null
  ended: number
  /** Seconds, from `began` to `ended`. */
  cpu: number
  /** The most so far, in bytes. */
  peakMemory: number
}

/** The variable that names the folder for reports, which are numbered from 0. */
export const REPORTS = 'ZOTUI_BENCH_REPORTS'

/** Keeps the times of what is played and writes the report. */
export class Recorder {
  static #number = 0
  readonly #began = now()
  readonly #cpu = process.cpuUsage()
  readonly #sent: number[] = []
  #blocked = 0
  #longest = 0
  abortedAt: number | null = null

  /** Does a write, and notes when and how long. */
  time(write: () => void): void {
    const before = now()
    this.#sent.push(Math.round((before - this.#began) * 100) / 100)
    write()
    const took = now() - before
    this.#blocked += took
    this.#longest = Math.max(this.#longest, took)
  }

  finish(): void {
    const { user, system } = process.cpuUsage(this.#cpu)
    const report: Report = {
      began: this.#began,
      sent: this.#sent,
      blocked: this.#blocked,
      longestWrite: this.#longest,
      abortedAt: this.abortedAt,
      ended: now(),
      cpu: (user + system) / 1e6,
      // Not `maxRSS` of the resource usage: that begins with what the parent held.
      peakMemory: usageOf(process.pid).peakMemory,
    }
    const path = join(process.env[REPORTS] ?? '.', `${Recorder.#number}.json`)
    Recorder.#number += 1
    writeFileSync(`${path}.part`, JSON.stringify(report))
    // A waiting reader finds it whole.
    renameSync(`${path}.part`, path)
  }
}
