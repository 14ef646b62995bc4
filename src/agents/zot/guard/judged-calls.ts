/** Judges calls, and asks the user about those that need an answer. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { BoxKind, Judge, ToolRequest, Verdict } from '../../../agent/permission.ts'
import type { OpenQuestion, Questions } from '../../tool-host/questions.ts'
import { askedCall, callRefused, verdictOf } from '../../tool-host/verdict.ts'

export type JudgedCall =
  | { verdict: 'allow'; box?: BoxKind }
  /** `words` go to the model. */
  | { verdict: 'refuse'; words: string }
  | { verdict: 'ask'; question: OpenQuestion }

export type JudgedCalls = {
  verdictOf(request: ToolRequest): Verdict | Promise<Verdict>
  /** Carries out a verdict: asks the user, or keeps the refusal until the call has a result. */
  judged(request: ToolRequest, verdict: Verdict): JudgedCall
  /** The call has a result: reports that it was refused, if it was. */
  reportRefusal(callId: string): void
  /** Reports the refusals of calls that get no result. */
  reportAll(): void
}

/** Refusals that wait for the results of their calls. More are made by a zot that reports none of them. */
const MOST_WAITING = 200

export type JudgedCallsOptions = {
  judge: Judge
  questions: Questions
  emit: (event: AgentEvent) => void
  now: () => number
}

export function createJudgedCalls({ judge, questions, emit, now }: JudgedCallsOptions): JudgedCalls {
  /** Refusals by their call. Each is reported with the result: zot's own word of the call may come later than the guard's. */
  const refusals = new Map<string, AgentEvent>()

  function reportRefusal(callId: string): void {
    const refusal = refusals.get(callId)
    refusals.delete(callId)
    if (refusal) emit(refusal)
  }

  return {
    verdictOf: request => verdictOf(judge, request),
    judged(request, verdict) {
      if (verdict.verdict === 'allow') return verdict
      if (verdict.verdict === 'ask')
        return { verdict: 'ask', question: questions.ask(askedCall(request, verdict), verdict.because) }
      const refusal = callRefused(request, verdict.because, now())
      if (request.callId === null || request.wants) emit(refusal)
      else if (refusals.size < MOST_WAITING) refusals.set(request.callId, refusal)
      return { verdict: 'refuse', words: verdict.words }
    },
    reportRefusal,
    reportAll() {
      for (const callId of refusals.keys()) reportRefusal(callId)
    },
  }
}
