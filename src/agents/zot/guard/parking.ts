/**
 * Calls that exceeded zot's time limit. Their result says that they are held, and the next step is blocked, so that zot's turn
 * ends. After the user's decision zotui runs the calls and sends their results with the next prompt. The user sees one turn.
 */
import type { AgentEvent } from '../../../agent/event.ts'
import type { ToolRequest } from '../../../agent/permission.ts'
import { failure, text, type FileState, type ToolOutcome } from '../../../local-tools/tool.ts'
import type { ZotEvent } from '../frame.ts'
import { withCommand, type CallDecision, type HeldQuestion } from '../../calls/questions.ts'
import { toContents, toText } from '../../calls/outcomes.ts'
import { HELD, outcomes } from '../../calls/model-messages.ts'

export type Parking = {
  /** `state` is handed to the tool that carries the call out. */
  park(question: HeldQuestion, state: FileState | null): void
  readonly isUsed: boolean
  /** Whether an event is an effect of parking, and so is hidden from the user. */
  hides(event: ZotEvent): boolean
  /** Waits for all decisions, runs the calls in order, and resolves with the prompt for zot. */
  outcomes(): Promise<string>
  /** Whether this call repeats one that was allowed while it was parked. Only once. */
  redeem(request: ToolRequest): boolean
  clear(): void
}

export type ParkingOptions = {
  emit: (event: AgentEvent) => void
  now: () => number
  /** Runs a call; null if only zot can run it. */
  run: (request: ToolRequest, state: FileState | null) => Promise<ToolOutcome> | null
}

type Parked = { request: ToolRequest; state: FileState | null; decision: Promise<CallDecision> }

const AGAIN = 'The user allowed this call. Make it again, with the same arguments.'

export function createParking({ emit, now, run }: ParkingOptions): Parking {
  let parked: Parked[] = []
  /** Allowed calls that zot may repeat. */
  const allowed = new Set<string>()

  async function carryOut({ request, state, decision }: Parked): Promise<ToolOutcome> {
    const made = await decision
    if (!made.allowed) return failure(made.words)
    // zot repeats the call, and it is judged again.
    if (made.git) return text(AGAIN)
    const changed = withCommand(request, made.command)
    const outcome = run(changed, state)
    if (outcome) return outcome
    allowed.add(keyOf(changed))
    return text(AGAIN)
  }

  return {
    park(question, state) {
      const { promise, resolve } = Promise.withResolvers<CallDecision>()
      question.decided(resolve)
      parked.push({ request: question.request, state, decision: promise })
    },
    get isUsed() {
      return parked.length > 0
    },
    hides(event) {
      if (parked.length === 0) return false
      if (event.type === 'tool_result') return parked.some(({ request }) => request.callId === event.id)
      return event.type === 'turn_start' || (event.type === 'turn_end' && event.error === HELD)
    },
    async outcomes() {
      const parts = []
      for (const call of parked) {
        const { callId, tool } = call.request
        const outcome = await carryOut(call)
        if (callId !== null)
          emit({ type: 'tool_finished', at: now(), id: callId, failed: outcome.isError, content: toContents(outcome) })
        parts.push({ tool, id: callId, text: toText(outcome) })
      }
      parked = []
      return outcomes(parts)
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
