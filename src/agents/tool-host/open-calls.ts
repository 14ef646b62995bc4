/** Counts the calls of an agent that are open: that are judged, wait for the user, or run. One bound holds for all agents. */
import type { Verdict } from '../../agent/permission.ts'

/** No user answers more questions, and no machine should start more commands of an agent. */
export const MOST_OPEN = 100

/** Why a call beyond the bound does not run, for the user. */
export const TOO_MANY = `more than ${MOST_OPEN} calls are open`

/** Stands for the verdict on such a call. */
export const tooMany: Extract<Verdict, { verdict: 'refuse' }> = {
  verdict: 'refuse',
  because: TOO_MANY,
  words: `Not run: ${TOO_MANY}. Wait for their results, and make fewer at a time.`,
}

export type OpenCalls = {
  /** Opens one more, and returns what ends it; null if there are too many. */
  enter: () => (() => void) | null
}

export function createOpenCalls(): OpenCalls {
  const open = new Set<object>()
  return {
    enter() {
      if (open.size >= MOST_OPEN) return null
      const call = {}
      open.add(call)
      return () => void open.delete(call)
    },
  }
}
