/** The calls that wait for an answer. */
import type { AgentEvent } from '../../agent/event.ts'
import { requestFacts, type BoxKind, type ToolRequest } from '../../agent/permission.ts'
import type { PermissionAnswer } from '../../agent/requests.ts'
import { refusal } from '../../agent/refusal.ts'
import { ENDED, STOPPED } from './model-messages.ts'

/**
 * `box`: it is allowed only in this box. `outside`: it runs outside the sandbox. `isForSession`: what it wants is granted for the rest of the
 * conversation.
 */
type AllowedCall = { allowed: true; command?: string; box?: BoxKind; outside?: true; isForSession?: true }

/** `words` go to the model. For what a command in the sandbox wants they are only what was said about it, and '' for nothing. */
export type CallDecision = AllowedCall | { allowed: false; words: string; by: DecidedBy; removes?: true }

type CallAnswer = Exclude<PermissionAnswer, { answer: 'stop' }>
const NO: CallAnswer = { answer: 'refuse', words: '' }

export type DecidedBy = 'user' | 'rule' | 'end'

/** A call that waits. Its decision is handed on within the call that makes it, so that a refusal is sent before an abort. */
export type OpenQuestion = {
  readonly request: ToolRequest
  /** Calls `then` with the decision, now or later. Only the last `then` counts. */
  decided(then: (decision: CallDecision) => void): void
  /** The answer is not needed any more: it is refused, unless it was decided. */
  withdraw(words: string): void
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

/** The decision of a question that an abort withdraws. Never rejects. */
export function untilAborted(question: OpenQuestion, signal: AbortSignal): Promise<CallDecision> {
  const { promise, resolve } = Promise.withResolvers<CallDecision>()
  const end = (): void => question.withdraw(STOPPED)
  question.decided(decision => {
    signal.removeEventListener('abort', end)
    resolve(decision)
  })
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  return promise
}

export function createQuestions(emit: (event: AgentEvent) => void, now: () => number): Questions {
  const open = new Map<string, Waiting>()

  /** `words` go to the model if the answer is no. */
  function decide(question: Waiting, answer: CallAnswer, by: DecidedBy, words: string): void {
    const { id, kind, wants, outside } = question.request
    // Only the user can grant what a command in the sandbox wants.
    if (wants && by === 'rule' && answer.answer !== 'refuse') return
    open.delete(id)
    const event = { type: 'permission_decided', at: now(), id, by } as const
    if (answer.answer === 'allow') {
      emit({ ...event, allowed: true })
      const { box, isForSession } = answer
      // A rule that allows it says nothing about the sandbox: then it runs there.
      const isLetOut = outside && by !== 'rule'
      return question.settle({
        allowed: true,
        ...(isLetOut ? { outside } : box && { box }),
        ...(isForSession && { isForSession }),
      })
    }
    if (answer.answer === 'allow_changed' && kind === 'command' && !wants) {
      emit({ ...event, allowed: true, command: answer.command })
      const { command, box } = answer
      return question.settle({ allowed: true, command, ...(box && { box }) })
    }
    const because = answer.answer === 'refuse' ? answer.because : undefined
    emit({ ...event, allowed: false, ...(words !== '' && { words }), ...(because !== undefined && { because }) })
    const removes = answer.answer === 'refuse' && by === 'user' && answer.removes
    question.settle({ allowed: false, words, by, ...(removes && { removes }) })
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
        withdraw(words) {
          if (open.get(request.id) === question) decide(question, NO, 'end', words)
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
      if (question) decide(question, answer, by, by === 'user' && !question.request.wants ? refusal(said) : said)
    },
    has: id => open.has(id),
    refuseAll(by) {
      for (const question of open.values()) {
        const words = by === 'end' ? ENDED : STOPPED
        decide(question, NO, by, question.request.wants ? '' : words)
      }
    },
    end(callId) {
      for (const question of open.values()) if (question.request.callId === callId) decide(question, NO, 'end', ENDED)
    },
    get waiting() {
      return [...open.values()].map(({ request }) => request)
    },
  }
}
