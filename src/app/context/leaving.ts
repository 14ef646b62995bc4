/** Ends the program: in good order, or at once. */
import type { AppContext } from './context.ts'

export type Leaving = {
  /** Closes the agent in good order and exits. */
  leave: () => Promise<void>
  /** Kills the agent and its processes, and exits at once. */
  quit: () => Promise<void>
  /** Calls `part` first in both cases, so that it stops its work; `leave` waits for its promise. */
  subscribe: (part: () => void | Promise<void>) => void
}

/** Milliseconds that a killed agent may take to end: one that hangs in a system call cannot end. */
const KILL_WAIT = 1000

/** `onLeave` is called with the exit code when the agent is gone; `flush` delivers its last events. */
export function createLeaving(context: AppContext, flush: () => void, onLeave: (exitCode: number) => void): Leaving {
  const { backend, dispatch, drafts } = context
  const parts: (() => void | Promise<void>)[] = []
  let leaving: Promise<void> | null = null

  return {
    leave: () => (leaving ??= leave()),
    async quit() {
      void stopParts()
      drafts.flush()
      dispatch({ type: 'left', leaving: 'gone' })
      await Promise.race([backend.leave(), new Promise(resolve => setTimeout(resolve, KILL_WAIT))])
      onLeave(1)
    },
    subscribe: part => void parts.push(part),
  }

  async function leave(): Promise<void> {
    const stopped = stopParts()
    context.stop()
    drafts.flush()
    dispatch({ type: 'left', leaving: 'ending' })
    await Promise.all([backend.abilities.has('leave') ? backend.leave() : backend.close(), stopped])
    flush()
    context.endEvents()
    dispatch({ type: 'left', leaving: 'gone' })
    onLeave(0)
  }

  async function stopParts(): Promise<void> {
    await Promise.all(parts.map(async part => part()))
  }
}
