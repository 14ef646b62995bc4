/** The questions about waiting calls: chooses the one that is shown, and carries out its answer. */
import type { ToolRequest, Verdict } from '../../agent/permission.ts'
import type { PermissionAnswer } from '../../agent/requests.ts'
import type { Grant } from '../../permissions/grants.ts'
import { callInBrief } from '../../conversation/calls/call-in-brief.ts'
import { shortAnswer } from '../../conversation/queries/short-answer.ts'
import type { AppContext } from '../context/context.ts'
import { createAges } from '../../platform/ages.ts'
import { messageOf } from '../../platform/errors.ts'
import { sentence } from '../../text/sentence.ts'
import { createCallSteps, type AskedCall, type QuestionStep } from './call-steps.ts'
import { changeStartsOf, shownPath } from './call-places.ts'
import type { CallJudge, GrantScope } from './judge.ts'
import { QUIET, type AskedQuestion } from './panel.ts'

export type CallQuestions = {
  /** The question to ask now; null if no call waits. */
  asked: () => AskedQuestion | null
  /** The first waiting call about which the mode or a rule asks, in a few words; null if none waits. An agent's own question needs no mode. */
  undecided: () => string | null
  /** Judges the waiting calls again: the mode or the rules have changed. */
  judgeAgain: () => void
  /** Answers a waiting call from outside the panel, once; false if it does not wait, or came only a moment ago. */
  answerCall: (id: string, isAllowed: boolean) => boolean
}

export type CallQuestionsParts = {
  context: AppContext
  judge: CallJudge
  /** Updates the question. */
  refresh: () => void
  /** Switches to the next mode. */
  nextMode: () => void
}

export function createCallQuestions({ context, judge, refresh, nextMode }: CallQuestionsParts): CallQuestions {
  const { backend, state, hint, keyed, addNotice, elapsed } = context
  /** The call that is shown, the step of its question, and the command that the user wrote for it. */
  let current: string | null = null
  let step: QuestionStep = { step: 'answer' }
  let changed: string | null = null
  /** Counts the answers: a question of a new round waits until no key comes. */
  let round = 0
  /** Answered here, and not yet decided by the agent. */
  const answered = new Set<string>()
  const ages = createAges(elapsed)
  const stepOf = createCallSteps({ judge, requestOf, go, yes, answer, answerAll, allow, change })

  return { asked, undecided, judgeAgain, answerCall }

  function waiting(): readonly AskedCall[] {
    const { questions } = state().chat
    ages.see(questions.map(({ id }) => id))
    return questions.filter(({ id }) => !answered.has(id))
  }

  function asked(): AskedQuestion | null {
    const calls = waiting()
    const found = calls.findIndex(({ id }) => id === current)
    const call = calls[Math.max(0, found)]
    if (!call) return null
    if (found < 0) show(call.id)
    const { folder, home } = context.host ?? { folder: call.folder, home: '' }
    const request = requestOf(call)
    // The mode, the rules or the command may have changed since the call came.
    const verdict = judge.judge(request)
    const content = {
      kind: 'call' as const,
      // An agent that offers its own answers does not ask because of our mode or rules.
      request: { ...call, because: call.options ? '' : reasonToShow(verdict) },
      changed,
      dangers: judge.dangers(request),
      starts: changeStartsOf(call, state().chat),
      paths: (call.paths ?? []).map(path => shownPath(path, folder, home)),
      folder: call.folder === folder ? null : call.folder,
      others: calls.filter(other => other !== call).map(callInBrief),
      at: calls.indexOf(call) + 1,
    }
    return {
      id: call.id,
      round: `calls ${round}`,
      content,
      moves: {
        next_mode: nextMode,
        previous: () => turn(-1),
        next: () => turn(1),
        leave: () => answer(call, { answer: 'stop' }),
      },
      ...stepOf({ call, paths: content.paths, calls, step, changed }),
    }
  }

  function undecided(): string | null {
    const call = waiting().find(each => {
      const verdict = each.options ? null : judge.judge(requestOf(each))
      return verdict?.verdict === 'ask' && verdict.isProvisional !== true
    })
    return call ? callInBrief(call) : null
  }

  async function allow(call: AskedCall, grant: Grant, scope: GrantScope): Promise<void> {
    answer(call, { answer: 'allow' })
    const stored = judge.grant(grant, scope)
    judgeAgain()
    try {
      await stored
    } catch (problem) {
      addNotice('warn', `Allowed for this session only: ${sentence(messageOf(problem))}`)
    }
  }

  function yes(call: AskedCall): void {
    answer(call, allowing(changeOf(call)))
  }

  /** The command that the user wrote instead of this call's; null for none. */
  function changeOf({ id }: AskedCall): string | null {
    return id === current ? changed : null
  }

  /** Asks again, with the command that the user wrote. */
  function change(call: AskedCall, text: string): void {
    const command = text.trim()
    if (command === '') return hint(`An empty command cannot run.${keyed(' {typed.question_leave} cancels.')}`)
    const verdict = judge.judge({ ...requestOf(call), command })
    if (verdict.verdict === 'refuse') return hint(`That would be refused: ${verdict.because}.`)
    changed = command === call.command ? null : command
    go({ step: 'answer' })
  }

  /** A user who answers all has not yet seen a call that came a moment ago. */
  function answerAll(calls: readonly AskedCall[], isAllowed: boolean): void {
    for (const call of calls.filter(({ id }) => ages.of(id) >= QUIET)) {
      answered.add(call.id)
      backend.answerPermission(call.id, isAllowed ? allowing(changeOf(call)) : { answer: 'refuse', words: '' })
    }
    show(null)
    refresh()
  }

  function answer(call: AskedCall, reply: PermissionAnswer): void {
    answered.add(call.id)
    const next = waiting()[0]?.id ?? null
    if (reply.answer === 'stop') for (const each of waiting()) answered.add(each.id)
    backend.answerPermission(call.id, reply)
    show(next)
    refresh()
  }

  function answerCall(id: string, isAllowed: boolean): boolean {
    const call = waiting().find(each => each.id === id)
    if (!call || ages.of(id) < QUIET) return false
    const reply = shortAnswer(call, isAllowed)
    if (reply) answer(call, reply)
    return reply !== null
  }

  function judgeAgain(): void {
    for (const call of waiting()) {
      const verdict = judge.judge(requestOf(call))
      if (verdict.verdict === 'ask') continue
      const change = changeOf(call)
      if (verdict.verdict === 'allow') {
        // An agent that offers its own answers may ask for more than it shows.
        if (call.options) continue
        // git was not asked again; and the answer with another command has no place for how that is held to reading.
        if (verdict.reading && (verdict.reading.git || change !== null)) continue
      }
      answered.add(call.id)
      const reply: PermissionAnswer =
        verdict.verdict === 'allow'
          ? { ...allowing(change), ...(verdict.reading && { reading: verdict.reading }) }
          : { answer: 'refuse', words: verdict.words, because: verdict.because }
      backend.answerPermission(call.id, reply, 'rule')
    }
    refresh()
  }

  /** Shows the call before or after this one. */
  function turn(by: 1 | -1): void {
    const calls = waiting()
    const at = calls.findIndex(({ id }) => id === current)
    view(calls[(at + by + calls.length) % calls.length]?.id ?? null)
    refresh()
  }

  function go(next: QuestionStep): void {
    step = next
    refresh()
  }

  /** Shows the next question, after the last one was answered or closed. */
  function show(id: string | null): void {
    round += 1
    view(id)
  }

  function view(id: string | null): void {
    current = id
    step = { step: 'answer' }
    changed = null
    const { questions } = state().chat
    for (const each of answered) if (!questions.some(question => question.id === each)) answered.delete(each)
  }

  /** The request as it would run if it were allowed. */
  function requestOf(call: AskedCall): ToolRequest {
    const { type: _type, at: _at, because: _because, ...request } = call
    return { ...request, command: changeOf(call) ?? request.command }
  }
}

/** The reason why the user is asked; '' for one that says nothing about this call. */
function reasonToShow(verdict: Verdict): string {
  return verdict.verdict === 'ask' && verdict.isUsual !== true ? verdict.because : ''
}

function allowing(command: string | null): PermissionAnswer {
  return command === null ? { answer: 'allow' } : { answer: 'allow_changed', command }
}
