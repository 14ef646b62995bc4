/**
 * Calls that exceeded zot's time limit. Their result says that they are held, or still run, and the next step is blocked, so that
 * zot's turn ends. Their outcomes are sent with the next prompt. The user sees one turn.
 */
import type { AgentEvent } from '../../../agent/event.ts'
import type { ToolRequest } from '../../../agent/permission.ts'
import { failure, text, type ToolOutcome } from '../../../local-tools/tool.ts'
import type { ZotEvent } from '../frame.ts'
import type { CallDecision } from '../../calls/questions.ts'
import { toContents, toText } from '../../calls/outcomes.ts'
import { HELD, outcomes } from '../../calls/model-messages.ts'

export type Parking = {
  /** `outcome` never rejects. */
  park(request: Pick<ToolRequest, 'callId' | 'tool'>, outcome: Promise<ToolOutcome>): void
  readonly isUsed: boolean
  /** Whether an event is an effect of parking, and so is hidden from the user. */
  hides(event: ZotEvent): boolean
  /** Waits for all outcomes, and resolves with the prompt for zot. */
  outcomes(): Promise<string>
  /** The outcome of a call that only zot can run: if it is allowed, zot may make it again. */
  allowedAgain(request: ToolRequest, decision: Promise<CallDecision>): Promise<ToolOutcome>
  /** Whether this call repeats one that was allowed while it was parked. Only once. */
  redeem(request: ToolRequest): boolean
  clear(): void
}

type Parked = Pick<ToolRequest, 'callId' | 'tool'> & { outcome: Promise<ToolOutcome> }

const AGAIN = 'The user allowed this call. Make it again, with the same arguments.'

export function createParking(emit: (event: AgentEvent) => void, now: () => number): Parking {
  let parked: Parked[] = []
  /** Allowed calls that zot may repeat. */
  const allowed = new Set<string>()

  return {
    park({ callId, tool }, outcome) {
      parked.push({ callId, tool, outcome })
    },
    get isUsed() {
      return parked.length > 0
    },
    hides(event) {
      if (parked.length === 0) return false
      if (event.type === 'tool_result') return parked.some(({ callId }) => callId === event.id)
      return event.type === 'turn_start' || (event.type === 'turn_end' && event.error === HELD)
    },
    async outcomes() {
      const parts = []
      for (const { callId, tool, outcome } of parked) {
        const settled = await outcome
        if (callId !== null)
          emit({ type: 'tool_finished', at: now(), id: callId, failed: settled.isError, content: toContents(settled) })
        parts.push({ tool, id: callId, text: toText(settled) })
      }
      parked = []
      return outcomes(parts)
    },
    async allowedAgain(request, decision) {
      const made = await decision
      if (!made.allowed) return failure(made.words)
      allowed.add(keyOf(request))
      return text(AGAIN)
    },
    redeem: request => allowed.delete(keyOf(request)),
    clear() {
      parked = []
      allowed.clear()
    },
  }
}

function keyOf({ tool, arguments: args }: ToolRequest): string {
  return JSON.stringify([tool, args])
}
