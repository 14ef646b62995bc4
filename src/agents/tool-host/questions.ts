/** The calls that wait for an answer. */
import type { AgentEvent } from '../../agent/event.ts'
import { requestFacts, type OnlyReads, type ToolRequest } from '../../agent/permission.ts'
import type { PermissionAnswer } from '../../agent/requests.ts'
import { refusal } from '../../agent/refusal.ts'
import { ENDED, STOPPED } from './model-messages.ts'

/** `reading`: it is allowed because it only reads, and must be held to that. */
type AllowedCall = { allowed: true; command?: string; reading?: OnlyReads }

/** `words` go to the model. */
export type CallDecision = AllowedCall | { allowed: false; words: string }

type CallAnswer = Exclude<PermissionAnswer, { answer: 'stop' }>
const NO: CallAnswer = { answer: 'refuse', words: '' }

export type DecidedBy = 'user' | 'rule' | 'end'

/** A call that waits. Its decision is handed on within the call that makes it, so that a refusal is sent before an abort. */
export type OpenQuestion = {
  readonly request: ToolRequest
  /** Calls `then` with the decision, now or later. Only the last `then` counts. */
  decided(then: (decision: CallDecision) => void): void
}

type Waiting = OpenQuestion & { settle: (decision: CallDecision) => void }

export type Questions = {
  ask(request: ToolRequest, because: string): OpenQuestion
  /** Answers one; an unknown or answered id does nothing. */
  answer(id: string, answer: CallAnswer, by: DecidedBy): void
  has(id: string): boolean
  /** Refuses all that wait. */
  refuseAll(by: DecidedBy): void
  /** The call has ended and needs no decision. */
  end(callId: string): void
  readonly waiting: readonly ToolRequest[]
}

/** The call with the user's own version of its command. */
export function withCommand(request: ToolRequest, command: string | undefined): ToolRequest {
  if (command === undefined) return request
  return { ...request, command, arguments: { ...(request.arguments as object), command } }
}

export function createQuestions(emit: (event: AgentEvent) => void, now: () => number): Questions {
  const open = new Map<string, Waiting>()

  /** `words` go to the model if the answer is no. */
  function decide(question: Waiting, answer: CallAnswer, by: DecidedBy, words: string): void {
    const { id, kind } = question.request
    open.delete(id)
    const event = { type: 'permission_decided', at: now(), id, by } as const
    if (answer.answer === 'allow') {
      emit({ ...event, allowed: true })
      return question.settle({ allowed: true, ...(answer.reading && { reading: answer.reading }) })
    }
    if (answer.answer === 'allow_changed' && kind === 'command') {
      emit({ ...event, allowed: true, command: answer.command })
      const { command, reading } = answer
      return question.settle({ allowed: true, command, ...(reading && { reading }) })
    }
    const because = answer.answer === 'refuse' ? answer.because : undefined
    emit({ ...event, allowed: false, ...(words !== '' && { words }), ...(because !== undefined && { because }) })
    question.settle({ allowed: false, words })
  }

  return {
    ask(request, because) {
      let decision: CallDecision | undefined
      let then: ((decision: CallDecision) => void) | undefined
      const question: Waiting = {
        request,
        decided(next) {
          then = next
          if (decision) next(decision)
        },
        settle(made) {
          decision = made
          then?.(made)
        },
      }
      open.set(request.id, question)
      emit({ type: 'permission_requested', at: now(), ...requestFacts(request), because })
      return question
    },
    answer(id, answer, by) {
      const question = open.get(id)
      const said = answer.answer === 'refuse' ? answer.words : ''
      if (question) decide(question, answer, by, by === 'user' ? refusal(said) : said)
    },
    has: id => open.has(id),
    refuseAll(by) {
      for (const question of open.values()) decide(question, NO, by, by === 'end' ? ENDED : STOPPED)
    },
    end(callId) {
      for (const question of open.values()) if (question.request.callId === callId) decide(question, NO, 'end', ENDED)
    },
    get waiting() {
      return [...open.values()].map(({ request }) => request)
    },
  }
}
