import type { AgentEvent } from '../../agent/event.ts'
import type { Judge, ToolRequest, Verdict } from '../../agent/permission.ts'

/**
 * The verdict of a judge. By its contract, one that fails asks. What a command in the sandbox wants beyond it is never allowed unasked. Never
 * throws, never rejects.
 */
export function verdictOf(judge: Judge, request: ToolRequest): Verdict | Promise<Verdict> {
  const checked = (verdict: Verdict): Verdict =>
    request.wants && verdict.verdict === 'allow' ? { verdict: 'ask', because: '' } : verdict
  try {
    const verdict = judge(request)
    return verdict instanceof Promise ? verdict.then(checked).catch(() => FAILED) : checked(verdict)
  } catch {
    return FAILED
  }
}

const FAILED: Verdict = { verdict: 'ask', because: 'the rules could not be applied' }

/** The call as the user is asked about it. */
export function askedCall(request: ToolRequest, { outside }: Extract<Verdict, { verdict: 'ask' }>): ToolRequest {
  return outside ? { ...request, outside } : request
}

/** Reports that a call was refused without asking the user. */
export function callRefused(
  { callId, tool, wants }: Pick<ToolRequest, 'callId' | 'tool' | 'wants'>,
  because: string,
  at: number,
): AgentEvent {
  return { type: 'call_refused', at, callId, tool, because, ...(wants && { wants }) }
}
