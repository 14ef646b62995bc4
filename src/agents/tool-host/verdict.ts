import type { AgentEvent } from '../../agent/event.ts'
import type { Judge, ToolRequest, Verdict } from '../../agent/permission.ts'

/** The verdict of a judge. By its contract, one that fails asks. Never throws, never rejects. */
export function verdictOf(judge: Judge, request: ToolRequest): Verdict | Promise<Verdict> {
  try {
    const verdict = judge(request)
    return verdict instanceof Promise ? verdict.catch(() => FAILED) : verdict
  } catch {
    return FAILED
  }
}

const FAILED: Verdict = { verdict: 'ask', because: 'the rules could not be applied' }

/** Reports that a call was refused without asking the user. */
export function callRefused(
  { callId, tool }: Pick<ToolRequest, 'callId' | 'tool'>,
  because: string,
  at: number,
): AgentEvent {
  return { type: 'call_refused', at, callId, tool, because }
}
