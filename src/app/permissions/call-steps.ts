/** The steps of a question about a call: their titles, their answers, and the list of what is allowed for more or for longer. */
import type { EventOf } from '../../agent/event.ts'
import type { BoxWant, PermissionOption, ToolRequest } from '../../agent/permission.ts'
import { questionTitle } from '../../conversation/queries/question-title.ts'
import type { PermissionAnswer } from '../../agent/requests.ts'
import type { Grant } from '../../permissions/grants.ts'
import type { QuestionMove } from '../../state/question.ts'
import { offeredAnswers } from './agent-options.ts'
import { answersOf, hostRule, type LeavingActs } from './leaving.ts'
import type { CallJudge, GrantScope } from './judge.ts'
import type { AskedQuestion } from './panel.ts'

export type AskedCall = EventOf<'permission_requested'>
type Answer = AskedQuestion['answers'][number]

/** The step of the question that is open. */
export type QuestionStep = { step: 'answer' } | { step: 'more' } | { step: 'words' } | { step: 'change' }

/** The shown call, all waiting calls, the step, and the command that the user wrote instead; null for none. */
type ShownCall = {
  call: AskedCall
  /** Its paths as shown. */
  paths: readonly string[]
  calls: readonly AskedCall[]
  step: QuestionStep
  changed: string | null
  /** The subagent that asks; null for the agent itself. */
  asker: string | null
}
type CallStep = Pick<AskedQuestion, 'step' | 'title' | 'answers' | 'selected' | 'typed' | 'leave'>

/** The effects of the answers. */
export type CallActs = {
  judge: CallJudge
  /** The call as it would run if it were allowed. */
  requestOf: (call: AskedCall) => ToolRequest
  go: (step: QuestionStep) => void
  yes: (call: AskedCall) => void
  answer: (call: AskedCall, reply: PermissionAnswer) => void
  answerAll: (calls: readonly AskedCall[], isAllowed: boolean) => void
  allow: (call: AskedCall, grant: Grant, scope: GrantScope) => Promise<void>
  /** Sets the command to run instead. */
  change: (call: AskedCall, command: string) => void
  /** Allows the connection that a command waits for, and stores its host. Null where nothing is stored. */
  allowHost: ((call: AskedCall, rule: string) => Promise<void>) | null
  /** A path as it is shown. */
  shown: (path: string) => string
  home: () => string
}

export class CallSteps {
  readonly #acts: CallActs

  constructor(acts: CallActs) {
    this.#acts = acts
  }

  stepOf({ call, paths, calls, step, changed, asker }: ShownCall): CallStep {
    const { go, answer, change } = this.#acts
    const title = `${asker === null ? '' : `${asker}: `}${questionTitle(call, paths)}`
    if (call.options) return { title, ...this.#offered(call, call.options, calls) }
    switch (step.step) {
      case 'answer':
        return {
          step: 'answer',
          title,
          answers: this.#answersTo(call, calls, changed),
          leave: () => answer(call, { answer: 'stop' }),
        }
      case 'more':
        return {
          step: 'more',
          title: 'Allow what, and for how long?',
          answers: call.wants ? this.#hostAlways(call) : this.#widerAnswers(call),
          leave: () => go({ step: 'answer' }),
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
  #offered(call: AskedCall, options: readonly PermissionOption[], calls: readonly AskedCall[]) {
    const { answer, answerAll } = this.#acts
    const { answers, selected } = offeredAnswers(options)
    const stop = (): void => answer(call, { answer: 'stop' })
    const rows = answers.map(offer =>
      Object.assign(offer, { run: () => answer(call, { answer: 'option', option: offer.id }) }),
    )
    const refuseAll = minor(`No to all ${calls.length}`, 'no_all', 'no all', () => answerAll(calls, false))
    return {
      step: 'answer',
      answers: [
        ...rows,
        ...(calls.length < 2 ? [] : [refuseAll]),
        minor('No, and stop the turn', 'leave', 'stop', stop),
      ],
      selected,
      leave: stop,
    }
  }

  #answersTo(call: AskedCall, calls: readonly AskedCall[], changed: string | null): Answer[] {
    const { go, yes, answer } = this.#acts
    if (call.wants) return this.#answersToWant(call, call.wants, calls)
    if (call.outside) return this.#answersToLeaving(call, calls)
    const yesLabel = changed === null ? 'Yes' : 'Yes, run what you wrote'
    return [
      row(yesLabel, 'yes', 'yes', () => yes(call)),
      ...(changed === null ? this.#againAnswer(call) : []),
      row('No', 'no', 'no', () => answer(call, { answer: 'refuse', words: '' })),
      ...(changed === null ? this.#moreAnswer(call) : []),
      row('No, and say what to do', 'instead', 'say', () => go({ step: 'words' })),
      ...(call.command === undefined
        ? []
        : [minor('Edit the command first', 'edit_command', 'edit', () => go({ step: 'change' }))]),
      ...this.#answersToAll(calls),
      this.#stopAnswer(call),
    ]
  }

  /** About a command that a rule lets out of the sandbox: nothing is allowed for longer. */
  #answersToLeaving(call: AskedCall, calls: readonly AskedCall[]): Answer[] {
    const { go, answer } = this.#acts
    return [
      row('Yes', 'yes', 'yes', () => answer(call, { answer: 'allow' }), 'nothing holds it then'),
      row('No', 'no', 'no', () => answer(call, { answer: 'refuse', words: '' })),
      row('No, and say what to do', 'instead', 'say', () => go({ step: 'words' })),
      ...this.#answersToAll(calls),
      this.#stopAnswer(call),
    ]
  }

  #answersToWant(call: AskedCall, wants: BoxWant, calls: readonly AskedCall[]): Answer[] {
    const { go, answer, allowHost, shown, home } = this.#acts
    const acts: LeavingActs = {
      once: () => answer(call, { answer: 'allow' }),
      forSession: () => answer(call, { answer: 'allow', isForSession: true }),
      no: () => answer(call, { answer: 'refuse', words: '' }),
      more: allowHost && (() => go({ step: 'more' })),
      say: () => go({ step: 'words' }),
      remove: () => answer(call, { answer: 'refuse', words: '', removes: true }),
    }
    const own = answersOf(call, wants, acts, { shown, home: home() })
    return [...own, ...this.#answersToAll(calls), this.#stopAnswer(call)]
  }

  /** The one wider answer about a connection: its host goes into the settings. */
  #hostAlways(call: AskedCall): Answer[] {
    const { allowHost } = this.#acts
    if (call.wants?.kind !== 'host' || !allowHost) return []
    const { rule, words } = hostRule(call.wants)
    return [
      {
        ...row('everywhere', 'take', 'all', () => void allowHost(call, rule), `stores ${rule} in sandboxHosts`),
        move: null,
        group: { label: words, short: rule },
      },
    ]
  }

  #stopAnswer(call: AskedCall): Answer {
    const { answer } = this.#acts
    return minor('No, and stop the turn', 'leave', 'stop', () => answer(call, { answer: 'stop' }))
  }

  /** Yes to the same again, until zotui exits. */
  #againAnswer(call: AskedCall): Answer[] {
    const { allow } = this.#acts
    const same = this.#sameAgain(call)
    return same
      ? [row('Yes, for this session', 'again', 'session', () => void allow(call, same, 'session'), same.words)]
      : []
  }

  /** The grant of exactly this command or file; null if there is none, or something to warn of. */
  #sameAgain(call: AskedCall): Grant | null {
    const { judge, requestOf } = this.#acts
    const found = judge
      .grants(requestOf(call))
      .find(({ kind, warning }) => (kind === 'command' || kind === 'file') && warning === null)
    return found ?? null
  }

  #moreAnswer(call: AskedCall): Answer[] {
    const { go } = this.#acts
    if (this.#widerAnswers(call).length === 0) return []
    return [
      row('Yes, for more or for longer', 'more', 'more', () => go({ step: 'more' }), 'lists what, and for how long'),
    ]
  }

  /** What leaves the sandbox is allowed one by one. */
  #answersToAll(calls: readonly AskedCall[]): Answer[] {
    const { answerAll } = this.#acts
    if (calls.length < 2) return []
    const yes = minor(`Yes to all ${calls.length}`, 'yes_all', 'yes all', () => answerAll(calls, true))
    const no = minor(`No to all ${calls.length}`, 'no_all', 'no all', () => answerAll(calls, false))
    return calls.some(({ wants, outside }) => wants || outside) ? [no] : [yes, no]
  }

  /** All grants in one list, each with the times for which it can hold, but for the one that has a key of its own. */
  #widerAnswers(call: AskedCall): Answer[] {
    const { judge, requestOf } = this.#acts
    const same = this.#sameAgain(call)
    return judge.grants(requestOf(call)).flatMap(grant => {
      const scopes = judge.scopes.filter(scope => !(grant.rule === same?.rule && scope === 'session'))
      return scopes.map(scope => this.#scopeAnswer(call, grant, scope))
    })
  }

  #scopeAnswer(call: AskedCall, grant: Grant, scope: GrantScope): Answer {
    const { allow } = this.#acts
    const [label, short] = SCOPES[scope]
    return {
      label,
      short,
      detail: scope === 'session' ? 'until zotui exits' : `stores ${grant.rule}`,
      warning: grant.warning,
      move: null,
      group: { label: capital(grant.words), short: grant.short },
      run: () => void allow(call, grant, scope),
    }
  }
}

const SCOPES: Readonly<Record<GrantScope, readonly [label: string, short: string]>> = {
  session: ['for this session', 'now'],
  folder: ['in this folder', 'here'],
  user: ['everywhere', 'all'],
}

function row(label: string, move: QuestionMove, short: string, run: () => void, detail = ''): Answer {
  return { label, detail, move, short, run }
}

function minor(label: string, move: QuestionMove, short: string, run: () => void): Answer {
  return { ...row(label, move, short, run), isMinor: true }
}

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)
