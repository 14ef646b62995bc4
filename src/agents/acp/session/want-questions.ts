/** Asks the user about what an agent in the sandbox wants: hosts, whose connections wait, and that what it has left stays. */
import { hostWithPort } from '../../../text/host.ts'
import type { AgentEvent } from '../../../agent/event.ts'
import type { Judge, ToolRequest } from '../../../agent/permission.ts'
import type { PermissionAnswer } from '../../../agent/requests.ts'
import type { AsksForMore } from '../../../sandbox/command-sandbox.ts'
import { wantAnswerOf } from '../../tool-host/held-by-sandbox.ts'
import { createOpenCalls } from '../../tool-host/open-calls.ts'
import { createQuestions, untilAborted } from '../../tool-host/questions.ts'
import { callRefused, verdictOf } from '../../tool-host/verdict.ts'

export type WantQuestions = {
  ask: AsksForMore
  has(id: string): boolean
  answer(id: string, answer: PermissionAnswer, by: 'user' | 'rule'): void
}

export type WantQuestionsOptions = {
  emit: (event: AgentEvent) => void
  now: () => number
  folder: string
  judge: () => Judge | undefined
}

export function createWantQuestions({ emit, now, folder, judge }: WantQuestionsOptions): WantQuestions {
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
    return wantAnswerOf(await untilAborted(questions.ask(request, verdict?.because ?? ''), signal))
  }

  return {
    async ask(wants, signal) {
      // An agent is not started again outside by a wish of its own.
      const leave = wants.kind === 'outside' ? null : calls.enter()
      if (wants.kind === 'outside' || !leave) return 'no'
      count += 1
      const request: ToolRequest = {
        id: `want-${count}`,
        callId: null,
        tool: wants.kind === 'host' ? 'network' : 'sandbox',
        kind: 'other',
        arguments: {},
        folder,
        title: wants.kind === 'host' ? hostWithPort(wants) : 'files that can run later',
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
