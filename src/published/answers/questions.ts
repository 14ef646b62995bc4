/** The questions of a conversation that wait, as they are shown outside of the terminal, and the answers that they take from there. */
import { createHash } from 'node:crypto'
import type { PermissionOption, ToolRequest, Verdict } from '../../agent/permission.ts'
import type { PermissionAnswer } from '../../agent/requests.ts'
import { callInBrief } from '../../conversation/calls/call-in-brief.ts'
import { askerOf } from '../../conversation/queries/task-words.ts'
import type { ChatState } from '../../conversation/state.ts'
import { questionHtml, type ShownQuestion } from '../../export/question.ts'
import { questionText } from '../../export/question-text.ts'
import { folderLabel } from '../../platform/project.ts'
import { pathWithin } from '../../platform/within.ts'
import { digestedText } from '../digested-text.ts'
import type { ServedQuestion } from '../protocol.ts'

type ServedCall = ChatState['questions'][number]
type ServedForm = ChatState['forms'][number]

/** What waits. Those that were answered, and whose agent has not confirmed it yet, do not. */
export type WaitingQuestions = {
  calls: readonly ServedCall[]
  forms: readonly ServedForm[]
  /** A proposed plan, as long as it can be answered; null for none. */
  plan: string | null
  tasks: ChatState['tasks']
  /** The folder of the conversation, absolute, and the home folder; '' if unknown. */
  folder: string
  home: string
}

/** The part of the judge (`CallJudge`) that says why a call is asked, and what is dangerous about it. Its rules must be loaded. */
export type QuestionJudge = {
  judge: (request: ToolRequest) => Verdict
  dangers: (request: ToolRequest) => readonly string[]
}

/** What a question is about. */
export type QuestionSource =
  | { kind: 'call'; call: ServedCall }
  | { kind: 'form'; form: ServedForm }
  | { kind: 'plan'; text: string }

/** Characters of HTML. A longer question is read at the terminal. */
const LONGEST_HTML = 1_000_000

const TOO_LONG = 'This question is too long to be shown here in full. It takes a yes at the terminal only.'

/** The questions, the first to answer first, each with what it is about. A call whose rules are not known yet is left out. */
export function servedQuestions(
  waiting: WaitingQuestions,
  judge: QuestionJudge,
): { served: ServedQuestion; source: QuestionSource }[] {
  const { calls, forms, plan, tasks } = waiting
  return [
    ...calls.flatMap(call => servedCall(call, waiting, judge)),
    ...forms.map(form => ({
      served: servedForm(form, askerOf({ tasks }, form.task)),
      source: { kind: 'form' as const, form },
    })),
    ...(plan === null ? [] : [{ served: servedPlan(plan), source: { kind: 'plan' as const, text: plan } }]),
  ]
}

/**
 * The answer to a call, for this call alone. Null for a yes that would last, loosen something, or let a command out of the sandbox, for what
 * the agent does not offer, and for a call that was not shown in full.
 */
export function answerFromOutside(call: ServedCall, isAllowed: boolean, words = ''): PermissionAnswer | null {
  const needed = isAllowed ? 'allow' : words === '' ? 'refuse' : 'say'
  if (made.get(call)?.served.answers.includes(needed) !== true) return null
  if (!call.options) return isAllowed ? { answer: 'allow' } : { answer: 'refuse', words }
  const option = isAllowed ? onlyOnce(call.options) : refusing(call.options)
  return option && { answer: 'option', option: option.id }
}

/** Kept, since the questions are looked at whenever anything changes, and a diff can be long. */
const made = new WeakMap<ServedCall, { key: string; served: ServedQuestion }>()

function servedCall(
  call: ServedCall,
  { tasks, folder, home }: WaitingQuestions,
  judge: QuestionJudge,
): { served: ServedQuestion; source: QuestionSource }[] {
  const { type: _type, at: _at, because: _because, ...request } = call
  const verdict = judge.judge(request)
  if (verdict.verdict === 'refuse' || (verdict.verdict === 'ask' && verdict.isProvisional)) return []
  const isReason = verdict.verdict === 'ask' && verdict.isUsual !== true && !call.options
  const { options = [] } = call
  const around = {
    because: isReason ? verdict.because : '',
    dangers: judge.dangers(request),
    paths: (call.paths ?? []).map(path => (folder === '' ? '' : pathWithin(folder, path)) || folderLabel(path, home)),
    folder: folderLabel(call.folder, home),
    asker: askerOf({ tasks }, call.task),
  }
  const key = JSON.stringify(around)
  const before = made.get(call)
  if (before?.key === key) return [{ served: before.served, source: { kind: 'call', call } }]
  const { because, dangers, paths } = around
  const question: ShownQuestion = {
    kind: 'call',
    facts: { request: { ...call, because }, changed: null, dangers, starts: null, paths, folder: null },
    folder: around.folder,
    asker: around.asker,
    answers: { allow: onlyOnce(options)?.name ?? null, refuse: refusing(options)?.name ?? null },
  }
  const facts = shown('call', call.id, callInBrief(call), question)
  const note = facts.isTooLong ? TOO_LONG : whyNotAllowed(call)
  const refuses: ServedQuestion['answers'] = !call.options ? ['refuse', 'say'] : refusing(options) ? ['refuse'] : []
  const served: ServedQuestion = {
    ...facts.shown,
    answers: note === '' ? ['allow', ...refuses] : refuses,
    note,
  }
  made.set(call, { key, served })
  return [{ served, source: { kind: 'call', call } }]
}

/** Why a yes does not count from outside, as a sentence; '' if it does. */
function whyNotAllowed({ wants, outside, options, switchesMode }: ServedCall): string {
  if (wants?.kind === 'left') return 'What it has left is kept or removed at the terminal. A no decides later.'
  if (wants || outside) return 'What leaves the sandbox takes a yes at the terminal only.'
  if (switchesMode) return 'This switches the mode of the agent, which takes a yes at the terminal only.'
  if (options && !onlyOnce(options))
    return 'The agent offers no single yes to this call alone, so it takes a yes at the terminal only.'
  return ''
}

/** The option that allows this call alone. An agent with several of them grants more with one than with the other. */
function onlyOnce(options: readonly PermissionOption[]): PermissionOption | null {
  const [first, ...others] = options.filter(({ kind }) => kind === 'allow_once')
  return first && others.length === 0 ? first : null
}

function refusing(options: readonly PermissionOption[]): PermissionOption | null {
  return options.find(({ kind }) => kind === 'reject_once') ?? null
}

function servedForm(form: ServedForm, asker: string | null): ServedQuestion {
  const fields = form.fields.map(({ name, label, about = '', kind, required, choices = [], initial = null }) => ({
    name,
    label,
    about,
    kind,
    required,
    choices: choices.map(({ value, label: words, about: more = '' }) => ({ value, label: words, about: more })),
    initial,
  }))
  return {
    ...shown('form', form.id, form.message, { kind: 'form', form, asker }, fields).shown,
    answers: ['fill_in', 'decline'],
    note: '',
  }
}

function servedPlan(text: string): ServedQuestion {
  return {
    ...shown('plan', text, 'Continue with this plan?', { kind: 'plan', text }).shown,
    answers: ['change'],
    note: 'To accept a plan switches the mode, which is done at the terminal only.',
  }
}

/** Characters of a title. */
const LONGEST_TITLE = 300

/** An agent's id may have any length and any characters, and ids of calls and forms may be the same. */
function shown(
  kind: ServedQuestion['kind'],
  id: string,
  title: string,
  question: ShownQuestion,
  fields: ServedQuestion['fields'] = [],
) {
  const made = questionHtml(question)
  const isTooLong = made.length > LONGEST_HTML
  const html = isTooLong ? `<div class="question"><p class="note">${TOO_LONG}</p></div>` : made
  const text = isTooLong ? TOO_LONG : questionText(question)
  return {
    isTooLong,
    shown: {
      id: questionId(kind, id),
      kind,
      title: title.slice(0, LONGEST_TITLE),
      html,
      fields,
      digest: sha256(digestedText({ html, fields })),
      text,
      textDigest: sha256(text),
    },
  }
}

/** `id` is the agent's, or the text of a plan. */
export function questionId(kind: ServedQuestion['kind'], id: string): string {
  return `${kind}-${sha256(id).slice(0, 32)}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
