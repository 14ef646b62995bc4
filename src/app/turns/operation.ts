/** The operations of the agent: one prompt or compaction is in flight at a time. */
import { isBusy } from '../../state/state.ts'
import type { AppContext } from '../context/context.ts'
import type { EventBatcher } from '../events/batcher.ts'
import type { AgentLifecycle } from './agent/agent-lifecycle.ts'

export type Operation = {
  /** Waits for a request to the agent, without the steps that follow an operation. */
  perform: <Value>(request: Promise<Value> | undefined) => Promise<Value | undefined>
  /** Waits for an operation, and then for the steps that follow it. */
  operate: (operation: Promise<void>) => Promise<void>
  /** Adds a step that follows each operation, after the steps that were added before. */
  subscribe: (next: () => void | Promise<void>) => void
  /** Stops the operation, and shows that at once, so that a second press does nothing. */
  abort: () => void
  /** Nothing is sent until `work` is done. */
  alone: <Value>(work: Promise<Value>) => Promise<Value>
  isRunning: () => boolean
  /** True if a prompt can be sent now. */
  isFree: () => boolean
}

export function createOperation(
  { backend, state }: AppContext,
  batcher: EventBatcher,
  life: Pick<AgentLifecycle, 'isExchanged'>,
): Operation {
  const following: (() => void | Promise<void>)[] = []
  let running = false
  /** The number of calls of `alone` in progress. */
  let waits = 0

  return {
    perform,
    async operate(operation) {
      await perform(operation)
      for (const next of following) await next()
    },
    subscribe: next => void following.push(next),
    abort() {
      backend.abort()
      batcher.flush()
    },
    async alone(work) {
      waits += 1
      try {
        return await work
      } finally {
        waits -= 1
      }
    },
    isRunning: () => running,
    isFree: () => !isBusy(state()) && !running && waits === 0 && !life.isExchanged() && state().leaving === null,
  }

  async function perform<Value>(request: Promise<Value> | undefined): Promise<Value | undefined> {
    running = true
    // The state shows the operation at once, so that no second one begins.
    batcher.flush()
    const value = await request
    batcher.flush()
    running = false
    return value
  }
}
