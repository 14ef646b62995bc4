/** The questions about waiting calls: chooses the one that is shown, and carries out its answer. */
import type { ToolRequest, Verdict } from '../../agent/permission.ts'
import type { PermissionAnswer } from '../../agent/requests.ts'
import type { Grant } from '../../permissions/grants.ts'
import { askerOf } from '../../conversation/queries/task-words.ts'
import { callInBrief } from '../../conversation/calls/call-in-brief.ts'
import { shortAnswer } from '../../conversation/queries/short-answer.ts'
import type { AppContext } from '../context/context.ts'
import { createAges, type Ages } from '../../platform/ages.ts'
import { messageOf } from '../../platform/errors.ts'
import { sentence } from '../../text/sentence.ts'
import { CallSteps, type AskedCall, type QuestionStep } from './call-steps.ts'
import { changeStartsOf, shownPath } from './call-places.ts'
import type { CallJudge, GrantScope } from './judge.ts'
import { QUIET, type AskedQuestion } from './panel.ts'

export type CallQuestionsParts = {
  context: AppContext
  judge: CallJudge
  /** Updates the question. */
  refresh: () => void
  /** Switches to the next mode. */
  nextMode: () => void
}

export class CallQuestions {
  readonly #parts: CallQuestionsParts
  /** The call that is shown, the step of its question, and the command that the user wrote for it. */
  #current: string | null = null
  #step: QuestionStep = { step: 'answer' }
  #changed: string | null = null
  /** Counts the answers: a question of a new round waits until no key comes. */
  #round = 0
  /** Answered here, and not yet decided by the agent. */
  readonly #answered = new Set<string>()
  readonly #ages: Ages
  readonly #steps: CallSteps

  constructor(parts: CallQuestionsParts) {
    this.#parts = parts
    const { judge } = this.#parts
    const { elapsed, host } = this.#parts.context
    const { addHost } = judge
    this.#ages = createAges(elapsed)
    this.#steps = new CallSteps({
      judge,
      requestOf: this.#requestOf.bind(this),
      go: this.#go.bind(this),
      yes: this.#yes.bind(this),
      answer: this.#answer.bind(this),
      answerAll: this.#answerAll.bind(this),
      allow: this.#allow.bind(this),
      change: this.#change.bind(this),
      allowHost: addHost && ((call, rule) => this.#allowHost(call, () => addHost(rule))),
      shown: path => shownPath(path, host?.folder ?? '', host?.home ?? ''),
      home: () => host?.home ?? '',
    })
  }

  /** The question to ask now; null if no call waits. */
  asked(): AskedQuestion | null {
    const { context, judge, nextMode } = this.#parts
    const { state } = context
    const calls = this.#waiting()
    const found = calls.findIndex(({ id }) => id === this.#current)
    const call = calls[Math.max(0, found)]
    if (!call) return null
    if (found < 0) this.#show(call.id)
    const { folder, home } = context.host ?? { folder: call.folder, home: '' }
    const request = this.#requestOf(call)
    // The mode, the rules or the command may have changed since the call came.
    const verdict = judge.judge(request)
    const content = {
      kind: 'call' as const,
      // An agent that offers its own answers does not ask because of our mode or rules.
      request: { ...call, because: call.options ? '' : reasonToShow(verdict) },
      changed: this.#changed,
      dangers: judge.dangers(request),
      starts: changeStartsOf(call, state().chat),
      paths: (call.paths ?? []).map(path => shownPath(path, folder, home)),
      folder: call.folder === folder ? null : call.folder,
      others: calls.filter(other => other !== call).map(callInBrief),
      at: calls.indexOf(call) + 1,
    }
    return {
      id: call.id,
      round: `calls ${this.#round}`,
      content,
      moves: {
        next_mode: nextMode,
        previous: () => this.#turn(-1),
        next: () => this.#turn(1),
        leave: () => this.#answer(call, { answer: 'stop' }),
      },
      ...this.#steps.stepOf({
        call,
        paths: content.paths,
        calls,
        step: this.#step,
        changed: this.#changed,
        asker: askerOf(state().chat, call.task),
      }),
    }
  }

  /** The first waiting call about which the mode or a rule asks, in a few words; null if none waits. An agent's own question needs no mode. */
  undecided(): string | null {
    const { judge } = this.#parts
    const call = this.#waiting().find(each => {
      const verdict = each.options ? null : judge.judge(this.#requestOf(each))
      return verdict?.verdict === 'ask' && verdict.isProvisional !== true
    })
    return call ? callInBrief(call) : null
  }

  /** Judges the waiting calls again: the mode or the rules have changed. */
  judgeAgain(): void {
    const { judge, refresh } = this.#parts
    const { backend } = this.#parts.context
    for (const call of this.#waiting()) {
      const verdict = judge.judge(this.#requestOf(call))
      if (verdict.verdict === 'ask') continue
      const change = this.#changeOf(call)
      if (verdict.verdict === 'allow') {
        // An agent that offers its own answers may ask for more than it shows, and git was not asked again.
        if (call.options || (verdict.box?.kind === 'reading' && verdict.box.git)) continue
      }
      this.#answered.add(call.id)
      const reply: PermissionAnswer =
        verdict.verdict === 'allow'
          ? { ...allowing(change), ...(verdict.box && { box: verdict.box }) }
          : { answer: 'refuse', words: verdict.words, because: verdict.because }
      backend.answerPermission(call.id, reply, 'rule')
    }
    refresh()
  }

  /** Answers a waiting call from outside the panel, once; false if it does not wait, or came only a moment ago. */
  answerCall(id: string, isAllowed: boolean): boolean {
    return this.answerBeside(id, call => shortAnswer(call, isAllowed))
  }

  /** The same with any answer; null for none. What is open in the panel for another call stays as it is. */
  answerBeside(id: string, replyTo: (call: AskedCall) => PermissionAnswer | null): boolean {
    const call = this.#waiting().find(each => each.id === id)
    if (!call || this.#ages.of(id) < QUIET) return false
    const reply = replyTo(call)
    if (!reply) return false
    if (id === this.#current) this.#answer(call, reply)
    else {
      this.#answered.add(id)
      this.#parts.context.backend.answerPermission(id, reply)
      this.#parts.refresh()
    }
    return true
  }

  /** The calls that wait for an answer. */
  waiting(): readonly AskedCall[] {
    return this.#waiting()
  }

  #waiting(): readonly AskedCall[] {
    const { state } = this.#parts.context
    const { questions } = state().chat
    this.#ages.see(questions.map(({ id }) => id))
    return questions.filter(({ id }) => !this.#answered.has(id))
  }

  async #allow(call: AskedCall, grant: Grant, scope: GrantScope): Promise<void> {
    const { judge } = this.#parts
    const { addNotice } = this.#parts.context
    this.#answer(call, { answer: 'allow' })
    const stored = judge.grant(grant, scope)
    this.judgeAgain()
    try {
      await stored
    } catch (problem) {
      addNotice('warn', `Allowed for this session only: ${sentence(messageOf(problem))}`)
    }
  }

  async #allowHost(call: AskedCall, store: () => Promise<void>): Promise<void> {
    const { addNotice } = this.#parts.context
    this.#answer(call, { answer: 'allow', isForSession: true })
    try {
      await store()
    } catch (problem) {
      addNotice('warn', `Allowed for this session only: ${sentence(messageOf(problem))}`)
    }
  }

  #yes(call: AskedCall): void {
    this.#answer(call, allowing(this.#changeOf(call)))
  }

  /** The command that the user wrote instead of this call's; null for none. */
  #changeOf({ id }: AskedCall): string | null {
    return id === this.#current ? this.#changed : null
  }

  /** Asks again, with the command that the user wrote. */
  #change(call: AskedCall, text: string): void {
    const { judge } = this.#parts
    const { hint, keyed } = this.#parts.context
    const command = text.trim()
    if (command === '') return hint(`An empty command cannot run.${keyed(' {typed.question_leave} cancels.')}`)
    const verdict = judge.judge({ ...this.#requestOf(call), command })
    if (verdict.verdict === 'refuse') return hint(`That would be refused: ${verdict.because}.`)
    this.#changed = command === call.command ? null : command
    this.#go({ step: 'answer' })
  }

  /** A user who answers all has not yet seen a call that came a moment ago. */
  #answerAll(calls: readonly AskedCall[], isAllowed: boolean): void {
    const { refresh } = this.#parts
    const { backend } = this.#parts.context
    for (const call of calls.filter(({ id }) => this.#ages.of(id) >= QUIET)) {
      if (isAllowed && (call.wants || call.outside)) continue
      this.#answered.add(call.id)
      backend.answerPermission(call.id, isAllowed ? allowing(this.#changeOf(call)) : { answer: 'refuse', words: '' })
    }
    this.#show(null)
    refresh()
  }

  #answer(call: AskedCall, reply: PermissionAnswer): void {
    const { refresh } = this.#parts
    const { backend } = this.#parts.context
    this.#answered.add(call.id)
    const next = this.#waiting()[0]?.id ?? null
    if (reply.answer === 'stop') for (const each of this.#waiting()) this.#answered.add(each.id)
    backend.answerPermission(call.id, reply)
    this.#show(next)
    refresh()
  }

  /** Shows the call before or after this one. */
  #turn(by: 1 | -1): void {
    const { refresh } = this.#parts
    const calls = this.#waiting()
    const at = calls.findIndex(({ id }) => id === this.#current)
    this.#view(calls[(at + by + calls.length) % calls.length]?.id ?? null)
    refresh()
  }

  #go(next: QuestionStep): void {
    const { refresh } = this.#parts
    this.#step = next
    refresh()
  }

  /** Shows the next question, after the last one was answered or closed. */
  #show(id: string | null): void {
    this.#round += 1
    this.#view(id)
  }

  #view(id: string | null): void {
    const { state } = this.#parts.context
    this.#current = id
    this.#step = { step: 'answer' }
    this.#changed = null
    const { questions } = state().chat
    for (const each of this.#answered)
      if (!questions.some(question => question.id === each)) this.#answered.delete(each)
  }

  /** The request as it would run if it were allowed. */
  #requestOf(call: AskedCall): ToolRequest {
    const { type: _type, at: _at, because: _because, ...request } = call
    return { ...request, command: this.#changeOf(call) ?? request.command }
  }
}

/** The reason why the user is asked; '' for one that says nothing about this call. */
function reasonToShow(verdict: Verdict): string {
  return verdict.verdict === 'ask' && verdict.isUsual !== true ? verdict.because : ''
}

function allowing(command: string | null): PermissionAnswer {
  return command === null ? { answer: 'allow' } : { answer: 'allow_changed', command }
}
