/** The parts of an agent's protocol that playing a recording needs. */
import type { Backend } from '../../src/agent/backend.ts'
import type { FarEnd } from '../../src/agents/transport/memory-pair.ts'
import { wireLine, type RecordedLine } from '../../src/agents/recording/recording.ts'

/** The real backend of an agent over a pair in memory: it repeats the recorded requests and receives the recorded answers. */
export type Player = {
  readonly backend: Backend
  /** Whether a process of the agent begins with this line. */
  begins: (line: RecordedLine) => boolean
  /** Whether the recorded answers of the handshake are read ahead, so that opening needs no line. */
  readonly opensAtOnce: boolean
  /** A process of the agent is opened next, which began with this line. */
  begin: (line: RecordedLine) => void
  /** Passes on a line that the agent wrote. */
  hear: (line: RecordedLine) => void
  /** Does what the recorded client did. A function that it returns is an operation, which waits for the one before it. */
  perform: (line: RecordedLine) => (() => Promise<unknown>) | undefined
  /** Resolves when every line received so far has been processed. */
  quiet: () => Promise<void>
  /** The recording ends before the agent's operation does. */
  breakOff: () => void
}

/** A request of the backend, which the recording answers. */
export type OwnRequest = { id: number; method: string }

/** Sends a recorded line as the agent did. */
export function repeatLine(far: FarEnd | undefined, line: RecordedLine): void {
  if (line.dropped === undefined) far?.write(wireLine(line))
  else far?.writeDropped(line.dropped)
}

/** A limit that never expires: a recording is played as it comes. */
export const NEVER = 2 ** 31 - 1
