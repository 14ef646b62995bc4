/**
 * Calls that exceed the agent's time limit. The model gets that as the result, with a request to end its turn; the outcome is the
 * next prompt. The user sees one turn.
 */
import type { AgentEvent } from '../../agent/event.ts'
import type { ToolOutcome } from '../../local-tools/tool.ts'
import { toContents, toText } from '../calls/outcomes.ts'
import { outcomes } from '../calls/model-messages.ts'

type LateCall = { id: string; toolUseId: string; tool: string; outcome: Promise<ToolOutcome> }

export type LateCalls = {
  add(call: LateCall): void
  readonly isAny: boolean
  /** Waits for all, emits their results, and resolves with the prompt for the model. */
  outcomes(): Promise<string>
  clear(): void
}

export function createLateCalls(emit: (event: AgentEvent) => void, now: () => number): LateCalls {
  let calls: LateCall[] = []

  return {
    add: call => void calls.push(call),
    get isAny() {
      return calls.length > 0
    },
    async outcomes() {
      const waited = calls
      const parts = await Promise.all(
        waited.map(async ({ id, toolUseId, tool, outcome }) => {
          const settled = await outcome
          emit({ type: 'tool_finished', at: now(), id, failed: settled.isError, content: toContents(settled) })
          return { tool, id: toolUseId, text: toText(settled) }
        }),
      )
      calls = calls.filter(call => !waited.includes(call))
      return outcomes(parts)
    },
    clear() {
      calls = []
    },
  }
}
