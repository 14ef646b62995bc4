import { createMemoryPair } from '../transport/memory.ts'
import type { Transport } from '../transport/transport.ts'
import { startAgent } from './agent.ts'
import { realTimers, type DemoTimers } from './timers.ts'

export type DemoOptions = {
  /** 1, the default, is natural; 2 is twice as fast; 0 leaves no pauses but those that are there to be interrupted. */
  speed?: number
  timers?: DemoTimers
  /** What `get_state` reports. The demo has no use for a folder. */
  cwd?: string
}

/** Starts a demo agent that remembers nothing yet. The pair of lines is all there is: no process, no files, no network. */
export function createDemoTransport({ speed = 1, timers = realTimers, cwd = '.' }: DemoOptions = {}): Transport {
  const { near, far } = createMemoryPair()
  startAgent(far, { speed, timers, cwd })
  return near
}
