/**
 * Calls that take longer than their agent waits. The model gets that as the result, and the agent's turn ends; the outcome is its next
 * prompt. The user sees one turn.
 */
import type { AgentEvent } from '../../agent/event.ts'
import type { ToolOutcome } from '../../local-tools/tool.ts'
import { outcomes } from './model-messages.ts'
import { toContents, toText } from './outcomes.ts'

export type DeferredCall = {
  /** As in `tool_called`; null if it was not reported. */
  id: string | null
  /** The id that the model knows. */
  modelId: string | null
  tool: string
  /** Never rejects. */
  outcome: Promise<ToolOutcome>
}

export type DeferredCalls = {
  readonly isAny: boolean
  has(id: string): boolean
  add(call: DeferredCall): void
  /** The outcome, or `deferred` if it takes more than `limit` milliseconds. */
  wait(call: DeferredCall, limit: number): Promise<ToolOutcome | 'deferred'>
  /** Waits for all, emits their results, and resolves with the prompt for the model. */
  outcomes(): Promise<string>
  clear(): void
}

export function createDeferredCalls(emit: (event: AgentEvent) => void, now: () => number): DeferredCalls {
  let calls: DeferredCall[] = []

  return {
    get isAny() {
      return calls.length > 0
    },
    has: id => calls.some(call => call.id === id),
    add: call => void calls.push(call),
    async wait(call, limit) {
      const { promise: overdue, resolve } = Promise.withResolvers<'deferred'>()
      const timer = setTimeout(() => {
        calls.push(call)
        resolve('deferred')
      }, limit)
      const first = await Promise.race([call.outcome, overdue])
      clearTimeout(timer)
      return first
    },
    async outcomes() {
      const waited = calls
      const parts = await Promise.all(
        waited.map(async ({ id, modelId, tool, outcome }) => {
          const settled = await outcome
          const content = toContents(settled)
          if (id !== null) emit({ type: 'tool_finished', at: now(), id, failed: settled.isError, content })
          return { tool, id: modelId, text: toText(settled) }
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
