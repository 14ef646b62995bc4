/** What a prompt and a compaction have in common. */
import type { DemoFrame } from './frame.ts'
import type { Spent } from './meter.ts'
import type { DemoTimers } from './timers.ts'
import type { DemoTranscript } from './transcript.ts'

/** Something the agent is busy with. */
export interface DemoOperation {
  start(): void
  /** Stops it as an `abort` command does. */
  abort(): void
  /** Stops it without a word: the agent is gone. */
  stop(): void
}

/** What an operation needs of the agent around it. */
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
  aside: (input: number, output: number) => Spent & { cumulative: Spent }
  /** It is over; its last frame has yet to be told. */
  ended: () => void
  crash: (code: number, lastWord: string) => void
}
