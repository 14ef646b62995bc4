/** The steps of a question about a call: their titles, their answers, and what "always" means. */
import type { EventOf } from '../../agent/event.ts'
import { loadedSkill, type PermissionAnswer, type PermissionOption, type ToolRequest } from '../../agent/permission.ts'
import type { Grant } from '../../permissions/grants.ts'
import type { QuestionMove } from '../../state/question.ts'
import { counted } from '../../text/counted.ts'
import { offeredAnswers } from './agent-options.ts'
import type { CallJudge, GrantScope } from './judge.ts'
import type { AskedQuestion } from './panel.ts'

export type AskedCall = EventOf<'permission_requested'>
type Answer = AskedQuestion['answers'][number]

/** The step of the question that is open. */
export type QuestionStep =
  | { step: 'answer' }
  | { step: 'grants' }
  | { step: 'lasts'; grant: Grant }
  | { step: 'words' }
  | { step: 'change' }

/** The shown call, all waiting calls, the step, and the command that the user wrote instead; null for none. */
type ShownCall = {
  call: AskedCall
  /** Its paths as shown. */
  paths: readonly string[]
  calls: readonly AskedCall[]
  step: QuestionStep
  changed: string | null
}
type CallStep = Pick<AskedQuestion, 'step' | 'title' | 'answers' | 'selected' | 'typed' | 'leave'>

/** The effects of the answers. */
export type CallActs = {
  judge: CallJudge
  /** The call as it would run if it were allowed. */
  requestOf: (call: AskedCall) => ToolRequest
  go: (step: QuestionStep) => void
  yes: (call: AskedCall) => void
  answer: (call: AskedCall, given: PermissionAnswer) => void
  answerAll: (calls: readonly AskedCall[], isAllowed: boolean) => void
  allow: (call: AskedCall, grant: Grant, scope: GrantScope) => Promise<void>
  /** Sets the command to run instead. */
  change: (call: AskedCall, command: string) => void
}

export function createCallSteps(acts: CallActs): (shown: ShownCall) => CallStep {
  const { judge, requestOf, go, yes, answer, answerAll, allow, change } = acts
  return stepOf

  function stepOf({ call, paths, calls, step, changed }: ShownCall): CallStep {
    const title = titleOf(call, paths)
    if (call.options) return { title, ...offered(call, call.options, calls) }
    switch (step.step) {
      case 'answer':
        return {
          step: 'answer',
          title,
          answers: answersTo(call, calls, changed),
          leave: () => answer(call, { answer: 'stop' }),
        }
      case 'grants':
        return {
          step: 'grants',
          title: 'Always allow what?',
          answers: grantAnswers(call),
          leave: () => go({ step: 'answer' }),
        }
      case 'lasts': {
        const { grant } = step
        return {
          step: 'lasts',
          title: `Allow ${grant.words}`,
          answers: scopeAnswers(call, grant),
          leave: () => go({ step: onlyGrant(call) ? 'answer' : 'grants' }),
        }
      }
      case 'words':
        return {
          step: 'words',
          title,
          answers: [],
          typed: {
            label: 'No, and tell the agent:',
            text: '',
            run: words => answer(call, { answer: 'refuse', words: words.trim() }),
          },
          leave: () => go({ step: 'answer' }),
        }
      case 'change':
        return {
          step: 'change',
          title,
          answers: [],
          typed: { label: 'Run this instead:', text: changed ?? call.command ?? '', run: text => change(call, text) },
          leave: () => go({ step: 'answer' }),
        }
    }
  }

  /** The agent's own answers. The agent also decides what "always" means. */
  function offered(call: AskedCall, options: readonly PermissionOption[], calls: readonly AskedCall[]) {
    const { answers, selected } = offeredAnswers(options)
    const stop = (): void => answer(call, { answer: 'stop' })
    const rows = answers.map(({ id, label, detail, move }) => ({
      label,
      detail,
      move,
      run: () => answer(call, { answer: 'option', option: id }),
    }))
    const refuseAll = minor(`No to all ${calls.length}`, 'no_all', `no to all ${calls.length}`, () =>
      answerAll(calls, false),
    )
    return {
      step: 'answer',
      answers: [
        ...rows,
        ...(calls.length < 2 ? [] : [refuseAll]),
        minor('No, and stop the turn', 'leave', 'no, and stop', stop),
      ],
      selected,
      leave: stop,
    }
  }

  function answersTo(call: AskedCall, calls: readonly AskedCall[], changed: string | null): Answer[] {
    const yesLabel = changed === null ? 'Yes' : 'Yes, run what you wrote'
    return [
      row(yesLabel, 'yes', () => yes(call)),
      ...(changed === null ? alwaysAnswer(call) : []),
      row('No', 'no', () => answer(call, { answer: 'refuse', words: '' })),
      row('No, and say what to do', 'instead', () => go({ step: 'words' })),
      ...(call.command === undefined
        ? []
        : [minor('Edit the command first', 'edit_command', 'edit first', () => go({ step: 'change' }))]),
      ...(calls.length < 2 ? [] : answersToAll(calls)),
      minor('No, and stop the turn', 'leave', 'no, and stop', () => answer(call, { answer: 'stop' })),
    ]
  }

  function alwaysAnswer(call: AskedCall): Answer[] {
    const only = onlyGrant(call)
    if (only)
      return [
        row(
          `Yes, and always allow ${only.words}`,
          'always',
          () => go({ step: 'lasts', grant: only }),
          'then for how long',
        ),
      ]
    if (judge.grants(requestOf(call)).length === 0) return []
    return [row('Yes, and always', 'always', () => go({ step: 'grants' }), 'asks what for, and for how long')]
  }

  /** The grant that can stand in the first list of answers: there is no other, and nothing to warn of. */
  function onlyGrant(call: AskedCall): Grant | null {
    const [first, ...others] = judge.grants(requestOf(call))
    return first && others.length === 0 && first.warning === null ? first : null
  }

  function answersToAll(calls: readonly AskedCall[]): Answer[] {
    return [
      minor(`Yes to all ${calls.length}`, 'yes_all', `yes to all ${calls.length}`, () => answerAll(calls, true)),
      minor(`No to all ${calls.length}`, 'no_all', `no to all ${calls.length}`, () => answerAll(calls, false)),
    ]
  }

  function grantAnswers(call: AskedCall): Answer[] {
    return judge.grants(requestOf(call)).map(grant => ({
      label: capital(grant.words),
      detail: '',
      warning: grant.warning,
      move: null,
      run: () => go({ step: 'lasts', grant }),
    }))
  }

  function scopeAnswers(call: AskedCall, grant: Grant): Answer[] {
    const rows: Record<GrantScope, [label: string, detail: string]> = {
      session: ['For this session', 'until zotui exits'],
      folder: ['In this folder', `stores ${grant.rule}`],
      user: ['Everywhere', `stores ${grant.rule}`],
    }
    return judge.scopes.map(scope => ({
      label: rows[scope][0],
      detail: rows[scope][1],
      warning: grant.warning,
      move: null,
      run: () => void allow(call, grant, scope),
    }))
  }
}

function row(label: string, move: QuestionMove, run: () => void, detail = ''): Answer {
  return { label, detail, move, run }
}

function minor(label: string, move: QuestionMove, hint: string, run: () => void): Answer {
  return { ...row(label, move, run), hint }
}

/** It names the file, so that it is enough where there is room for little else. */
function titleOf(call: AskedCall, [path, ...others]: readonly string[]): string {
  const { kind, tool, diff } = call
  const skill = loadedSkill(call)
  if (skill !== null) return `Load skill ${skill}?`
  if (kind === 'command') return 'Run this command?'
  if (kind === 'other') return `Let the agent use ${tool}?`
  const files = `${path ?? 'this'}${others.length === 0 ? '' : ` and ${counted(others.length, 'more file')}`}`
  if (kind === 'read') return `Read ${files}?`
  if (path === undefined) return 'Make this edit?'
  return `${diff?.startsWith('--- /dev/null') === true ? 'Create' : 'Edit'} ${files}?`
}

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)
