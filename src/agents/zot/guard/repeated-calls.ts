/** Calls that only zot can run, and that were deferred until the user allowed them: zot has to make them again. */
import type { ToolRequest } from '../../../agent/permission.ts'
import { failure, text, type ToolOutcome } from '../../../local-tools/tool.ts'
import type { CallDecision } from '../../tool-host/questions.ts'

export type RepeatedCalls = {
  /** The outcome of such a call: if it is allowed, zot may make it again. */
  outcomeOf(request: ToolRequest, decision: Promise<CallDecision>): Promise<ToolOutcome>
  /** Whether this call repeats one that was allowed while it was deferred. Only once. */
  redeem(request: ToolRequest): boolean
  clear(): void
}

const AGAIN = 'The user allowed this call. Make it again, with the same arguments.'

export function createRepeatedCalls(): RepeatedCalls {
  const allowed = new Set<string>()
  return {
    async outcomeOf(request, decision) {
      const made = await decision
      if (!made.allowed) return failure(made.words)
      allowed.add(keyOf(request))
      return text(AGAIN)
    },
    redeem: request => allowed.delete(keyOf(request)),
    clear: () => allowed.clear(),
  }
}

function keyOf({ tool, arguments: args }: ToolRequest): string {
  return JSON.stringify([tool, args])
}
