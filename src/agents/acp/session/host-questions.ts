/** Asks the user about the hosts that an agent in the sandbox wants to reach. The connections wait. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { Judge, ToolRequest } from '../../../agent/permission.ts'
import type { PermissionAnswer } from '../../../agent/requests.ts'
import type { AsksForMore } from '../../../local-tools/sandbox.ts'
import { createOpenCalls } from '../../tool-host/open-calls.ts'
import { createQuestions, untilAborted } from '../../tool-host/questions.ts'
import { callRefused, verdictOf } from '../../tool-host/verdict.ts'

export type HostQuestions = {
  ask: AsksForMore
  has(id: string): boolean
  answer(id: string, answer: PermissionAnswer, by: 'user' | 'rule'): void
}

export type HostQuestionsOptions = {
  emit: (event: AgentEvent) => void
  now: () => number
  folder: string
  judge: () => Judge | undefined
}

export function createHostQuestions({ emit, now, folder, judge }: HostQuestionsOptions): HostQuestions {
  const questions = createQuestions(emit, now)
  const calls = createOpenCalls()
  let count = 0

  async function decide(request: ToolRequest, signal: AbortSignal): ReturnType<AsksForMore> {
    const rules = judge()
    const verdict = rules && (await verdictOf(rules, request))
    if (signal.aborted) return 'no'
    if (verdict?.verdict === 'refuse') {
      emit(callRefused(request, verdict.because, now()))
      return 'no'
    }
    const decision = await untilAborted(questions.ask(request, verdict?.because ?? ''), signal)
    return decision.allowed ? (decision.isForSession ? 'session' : 'once') : 'no'
  }

  return {
    async ask(wants, signal) {
      // An agent is not started again outside by a wish of its own.
      const leave = wants.kind === 'host' ? calls.enter() : null
      if (wants.kind !== 'host' || !leave) return 'no'
      count += 1
      const target = `${wants.host}:${wants.port}`
      const request: ToolRequest = {
        id: `host-${count}`,
        callId: null,
        tool: 'network',
        kind: 'other',
        arguments: {},
        folder,
        title: target,
        wants,
      }
      try {
        return await decide(request, signal)
      } finally {
        leave()
      }
    },
    has: id => questions.has(id),
    answer(id, answer, by) {
      // A stop ends the turn, and the host is refused.
      questions.answer(id, answer.answer === 'stop' ? { answer: 'refuse', words: '' } : answer, by)
    },
  }
}
