/** Questions as devices see them, and their answers. A yes counts only for what was shown, and only the first answer counts. */
import { callInBrief } from '../../conversation/calls/call-in-brief.ts'
import { addEntry } from '../../composer/history.ts'
import type { AnsweredQuestions } from '../../published/answers/answered-questions.ts'
import { isDigestOf } from '../../published/digested-text.ts'
import { formProblem } from '../../published/answers/form-values.ts'
import type { Origins } from '../../published/answers/origins.ts'
import { answerFromOutside, servedQuestions, type QuestionSource } from '../../published/answers/questions.ts'
import type { OutsideCall, OutsideReply } from '../../published/outside-call.ts'
import type { ServedQuestion } from '../../published/protocol.ts'
import { entryFrom } from './prompts.ts'
import { done, refused } from './replies.ts'
import type { OutsideParts } from './parts.ts'

type AnswersParts = Pick<OutsideParts, 'context' | 'permissions' | 'composing'> & {
  origins: Origins
  answered: AnsweredQuestions
}

type CallOf<Do extends OutsideCall['do']> = Extract<OutsideCall, { do: Do }>
type SourceOf<Kind extends QuestionSource['kind']> = Extract<QuestionSource, { kind: Kind }>
/** The question that a request is about, or the reply that there is none like it. */
type FoundQuestion<Kind extends QuestionSource['kind']> =
  | { served: ServedQuestion; source: SourceOf<Kind> }
  | { reply: OutsideReply }

/** Characters of a call in a hint. */
const LONGEST_BRIEF = 80

export class OutsideAnswers {
  readonly #parts: AnswersParts

  constructor(parts: AnswersParts) {
    this.#parts = parts
  }

  served(): readonly ServedQuestion[] {
    return this.#waiting().map(({ served }) => served)
  }

  answerCall({ question, digest, allow, words = '' }: CallOf<'answer_call'>, from: string): OutsideReply {
    const found = this.#find('call', question, digest)
    if ('reply' in found) return found.reply
    const { call } = found.source
    const { permissions, origins, context } = this.#parts
    const answer = answerFromOutside(call, allow, allow ? '' : words.trim())
    if (!answer) return refused('forbidden', found.served.note || 'This question does not take that answer.')
    const keepTyped = this.#typedFor(call.id)
    origins.answered('call', call.id, from)
    if (!permissions.calls.answerBeside(call.id, () => answer)) {
      origins.forget('call', call.id)
      return refused('failed', 'This question came only a moment ago. Read it, and answer again.')
    }
    context.hint(`${allow ? 'Allowed' : 'Refused'} from ${from}: ${callInBrief(call).slice(0, LONGEST_BRIEF)}`)
    keepTyped()
    return done('done')
  }

  answerForm({ question, digest, values }: CallOf<'answer_form'>, from: string): OutsideReply {
    const found = this.#find('form', question, digest)
    if ('reply' in found) return found.reply
    const { form } = found.source
    const { permissions, origins, context } = this.#parts
    const problem = values === null ? null : formProblem(form.fields, values)
    if (problem !== null) return refused('failed', problem)
    const keepTyped = this.#typedFor(`form ${form.id}`)
    origins.answered('form', form.id, from)
    if (!permissions.forms.answerBeside(form.id, values)) {
      origins.forget('form', form.id)
      return this.#missing(question)
    }
    context.hint(`${values === null ? 'Declined' : 'Answered'} from ${from}.`)
    keepTyped()
    return done('done')
  }

  changePlan({ question, digest, words }: CallOf<'change_plan'>, from: string): OutsideReply {
    const found = this.#find('plan', question, digest)
    if ('reply' in found) return found.reply
    const entry = entryFrom(words, from)
    if (!entry) return refused('failed', 'Say what to change.')
    const keepTyped = this.#typedFor('plan')
    if (!this.#parts.permissions.plan.changeBeside(entry, from)) return this.#missing(question)
    this.#parts.context.hint(`Another plan was asked for from ${from}.`)
    keepTyped()
    return done('done')
  }

  #waiting(): ReturnType<typeof servedQuestions> {
    const { context, permissions } = this.#parts
    const { calls, forms, plan, judge } = permissions
    const { folder = '', home = '' } = context.host ?? {}
    const { tasks } = context.state().chat
    const waiting = { calls: calls.waiting(), forms: forms.waiting(), plan: plan.waiting(), tasks, folder, home }
    return servedQuestions(waiting, judge)
  }

  #find<Kind extends QuestionSource['kind']>(kind: Kind, question: string, digest: string): FoundQuestion<Kind> {
    const found = this.#waiting().find(({ served }) => served.id === question)
    if (!found || found.source.kind !== kind) return { reply: this.#missing(question) }
    if (!isDigestOf(found.served, digest))
      return { reply: refused('changed', 'The question has changed. Read it again.') }
    return found as Extract<FoundQuestion<Kind>, { source: unknown }>
  }

  #missing(question: string): OutsideReply {
    const words = this.#parts.answered.words(question)
    return words === null ? refused('gone', 'This question is no longer there.') : refused('answered', words)
  }

  /** What is typed at the terminal as the answer to this question. The result keeps it, once the question is gone. */
  #typedFor(id: string): () => void {
    const { question } = this.#parts.context.state()
    const typed = question?.id === id ? (question.typed?.editor.text ?? '') : ''
    const { content } = question ?? {}
    const own = content?.kind === 'call' ? (content.changed ?? content.request.command) : undefined
    return () => {
      if (typed.trim() !== '' && typed !== own) this.#keep(typed)
    }
  }

  /** It is in the composer, or in the history if something else is written there. */
  #keep(text: string): void {
    const { context, composing } = this.#parts
    const { editor, edited, history } = context.state()
    if (editor.text !== '' || edited) {
      context.drafts.remember(text)
      context.dispatch({ type: 'history_moved', editor, history: addEntry(history, text) })
    }
    composing.giveBack(text)
  }
}
