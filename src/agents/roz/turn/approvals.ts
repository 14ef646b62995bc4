/** The server's permission requests for its own actions. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { Judge, ToolRequest, Verdict } from '../../../agent/permission.ts'
import type { PermissionAnswer } from '../../../agent/requests.ts'
import { MOST_OPEN, tooMany } from '../../tool-host/open-calls.ts'
import { createQuestions } from '../../tool-host/questions.ts'
import { callRefused, verdictOf } from '../../tool-host/verdict.ts'
import type { RozEventOf } from '../wire/messages.ts'

export type RozApprovals = {
  asked(event: RozEventOf<'approval_requested'>): void
  /** The server no longer waits for an answer. */
  resolved(approvalId: string): void
  judgeWith(judge: Judge): void
  /** Returns whether such a question waited. */
  answer(id: string, answer: PermissionAnswer, by: 'user' | 'rule'): boolean
  /** Refuses all pending ones. */
  endTurn(): void
  /** The user stops the turn: refuses pending requests, and further ones until another turn begins. */
  stop(): void
  begin(): void
}

export type ApprovalsOptions = {
  folder: string
  now: () => number
  emit: (event: AgentEvent) => void
  /** Sends the decision to the server. */
  decide: (approvalId: string, isApproved: boolean) => void
}

const askAlways: Judge = () => ({ verdict: 'ask', because: '' })

export function createRozApprovals({ folder, now, emit, decide }: ApprovalsOptions): RozApprovals {
  const questions = createQuestions(emit, now)
  /** The ids of our questions, by those of the server. */
  const open = new Map<string, string>()
  let judge: Judge = askAlways
  let count = 0
  let isStopped = false

  const approvals: RozApprovals = {
    asked({ approval_id: approvalId, action, reason }) {
      if (open.has(approvalId)) return
      if (isStopped) return decide(approvalId, false)
      count += 1
      const request: ToolRequest = {
        id: `approval-${count}`,
        callId: null,
        tool: action,
        kind: 'other',
        arguments: { action, reason },
        folder,
        title: reason === '' ? action : `${action}: ${reason}`,
      }
      const verdict = open.size < MOST_OPEN ? verdictOf(judge, request) : tooMany
      open.set(approvalId, request.id)
      if (verdict instanceof Promise) void verdict.then(made => follow(approvalId, request, made))
      else follow(approvalId, request, verdict)
    },
    resolved(approvalId) {
      const id = open.get(approvalId)
      open.delete(approvalId)
      if (id !== undefined) questions.answer(id, { answer: 'refuse', words: '' }, 'end')
    },
    judgeWith: next => void (judge = next),
    answer(id, answer, by) {
      if (!questions.has(id)) return false
      if (answer.answer === 'stop') questions.refuseAll('user')
      else questions.answer(id, answer, by)
      return true
    },
    endTurn: () => questions.refuseAll('end'),
    stop() {
      isStopped = true
      approvals.endTurn()
    },
    begin: () => void (isStopped = false),
  }
  return approvals

  function follow(approvalId: string, request: ToolRequest, verdict: Verdict): void {
    // The server may have stopped to wait meanwhile.
    if (!open.has(approvalId)) return
    if (verdict.verdict === 'refuse') emit(callRefused(request, verdict.because, now()))
    if (verdict.verdict !== 'ask' || isStopped) {
      open.delete(approvalId)
      return decide(approvalId, verdict.verdict === 'allow' && !isStopped)
    }
    questions.ask(request, verdict.because).decided(({ allowed }) => {
      if (open.delete(approvalId)) decide(approvalId, allowed)
    })
  }
}
