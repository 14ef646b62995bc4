/** The common interface of a prompt and a compaction. */
import type { DemoGate } from './gate.ts'
import type { Spent } from './meter.ts'
import type { DemoTimers } from './timers.ts'
import type { DemoTranscript } from './transcript.ts'

/** One object of the output. */
export type DemoFrame = { readonly type: string; readonly [field: string]: unknown }

export interface DemoOperation {
  start(): void
  /** Stops it as an `abort` command does. */
  abort(): void
  /** Stops it without an event: the agent is gone. */
  stop(): void
  /** Ends its present pause. */
  endPause?(): void
}

/** The agent's services for an operation. */
export type Stage = {
  timers: DemoTimers
  /** 1 is natural, 2 twice as fast, 0 without pauses. */
  speed: number
  transcript: DemoTranscript
  emit: (frame: DemoFrame) => void
  /** The current time as zot writes it. */
  time: () => string
  /** The fields of `usage` for a call that wrote these tokens. */
  usage: (output: number) => Spent & { cumulative: Spent }
  auxiliaryUsage: (input: number, output: number) => Spent & { cumulative: Spent }
  /** Called when the operation is over, just before its last frame. */
  ended: () => void
  crash: (code: number, lastWord: string) => void
  /** Puts the model and reasoning level in use into a script's text. */
  fill: (text: string) => string
  /** Holds the calls; undefined if nothing can be asked. */
  gate: DemoGate | undefined
  /** Ends the present pause of the operation. */
  endPause: () => void
}
