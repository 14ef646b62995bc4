import { createMemoryPair } from '../transport/memory-pair.ts'
import type { Transport } from '../transport/transport.ts'
import { startAgent } from './agent.ts'
import type { DemoGate } from './gate.ts'
import { realTimers, type DemoTimers } from './timers.ts'

export type DemoOptions = {
  /** 1, the default, is natural; 2 is twice as fast; 0 leaves only the pauses that are there to be interrupted. */
  speed?: number
  timers?: DemoTimers
  /** The folder that `get_state` reports; the demo does not use it. */
  cwd?: string
  /** Holds its calls until they are allowed. */
  gate?: DemoGate
}

/** Starts a new demo agent in memory, without a process, files or network. */
export function createDemoTransport({ speed = 1, timers = realTimers, cwd = '.', gate }: DemoOptions = {}): Transport {
  const { near, far } = createMemoryPair()
  startAgent(far, { speed, timers, cwd, gate })
  return near
}
