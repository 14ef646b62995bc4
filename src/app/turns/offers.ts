/** The questions after something went wrong: how to go on after an error, whether to restart an agent that ended. */
import type { ProviderErrorKind } from '../../conversation/queries/provider-error.ts'
import type { ChoiceAnswer, ChoicePrompt } from '../context/choice-prompt.ts'
import type { AgentPart, ScreenState, Times } from '../context/parts.ts'
import { laterTime } from '../../text/clock-time.ts'

/** The actions that are offered. */
export type OfferedActions = {
  retry: () => void
  pickModel: () => void
  pickProvider: () => void
  login: () => void
  editPrompt: () => void
  pickAgent: () => void
  sendLater: () => void
  restart: () => Promise<void>
}

export class Offers {
  readonly #context: AgentPart & ScreenState & Times
  readonly #choicePrompt: ChoicePrompt
  readonly #actions: OfferedActions

  constructor(context: AgentPart & ScreenState & Times, choicePrompt: ChoicePrompt, actions: OfferedActions) {
    this.#context = context
    this.#choicePrompt = choicePrompt
    this.#actions = actions
  }

  /** Offers what may help after an error. `resetsAt`: when a limit of the plan resets; null if that is not known. */
  waysOut(kind: ProviderErrorKind, resetsAt: number | null): void {
    const order = ORDER[kind]
    if (!order || !this.#isFree()) return
    const { backend, agents, now } = this.#context
    const { retry, pickModel, pickProvider, login, editPrompt, pickAgent, sendLater } = this.#actions
    const answers: Record<WayOut, ChoiceAnswer> = {
      retry: { label: 'retry', detail: 'send the prompt again', run: retry },
      model: { label: 'another model', detail: 'then /retry', run: pickModel },
      provider: {
        label: 'another provider',
        detail: 'restarts the agent with a summary; then /retry',
        run: pickProvider,
      },
      login: {
        label: 'log in',
        detail: backend.keys ? 'with a key or a subscription' : `in ${backend.name} itself`,
        run: login,
      },
      later: {
        label: resetsAt === null ? '' : `send it ${laterTime(resetsAt, now())}`,
        detail: 'then the limit resets',
        run: sendLater,
      },
      keep: { label: 'keep it', detail: '/retry sends it again', run: () => undefined },
      agent: { label: 'another agent', detail: 'then /retry', run: pickAgent },
      edit: { label: 'edit the prompt', detail: 'put it back into the composer', run: editPrompt },
    }
    const offered = order.filter(way => {
      if (way === 'later') return resetsAt !== null
      if (way === 'agent') return agents !== undefined
      if (way === 'login') return backend.abilities.has('login')
      return way !== 'provider' || (backend.abilities.has('listEveryModel') && backend.abilities.has('startWith'))
    })
    this.#choicePrompt.ask({ title: 'what now?', answers: offered.map(way => answers[way]), dismissOnType: true })
  }

  /** Offers a restart after the agent has ended by itself. */
  restart(inTurn: boolean): void {
    const { backend, state } = this.#context
    const { retry, restart } = this.#actions
    if (!this.#isFree() || state().chat.agent.phase !== 'ended') return
    const again: ChoiceAnswer = {
      label: 'restart it and send the prompt again',
      detail: '',
      run: () => void restart().then(retry),
    }
    const only = { label: 'restart it', detail: 'as /restart does', run: () => void restart() }
    if (!backend.holder?.isLost()) {
      const answers = [...(inTurn ? [again] : []), only]
      return this.#choicePrompt.ask({ title: `${backend.name} has ended`, answers, dismissOnType: true })
    }
    const answers = [
      { ...only, label: 'resume it', detail: 'in the background, with what is saved' },
      { label: 'leave it', detail: '/restart resumes it', run: () => undefined },
    ]
    this.#choicePrompt.ask({ title: 'the conversation in the background was lost', answers, dismissOnType: true })
  }

  /** Offers a restart after a file has changed that the agent reads only when it starts; false if `isIdle` is not, or this is no time to ask. */
  reading(file: string, isIdle: boolean): boolean {
    const { backend } = this.#context
    if (!this.#isFree() || !isIdle) return false
    const answers: ChoiceAnswer[] = [
      { label: 'go on', detail: '/restart makes it read the file', run: () => undefined },
      { label: 'restart it now', detail: 'as /restart does', run: () => void this.#actions.restart() },
    ]
    this.#choicePrompt.ask({ title: `${backend.name} reads ${file} only when it starts`, answers, dismissOnType: true })
    return true
  }

  /** True if a question neither interrupts typing nor takes the Enter that sends a paused queue. */
  #isFree(): boolean {
    const { editor, picker, queue: waiting, edited, leaving } = this.#context.state()
    return editor.text === '' && waiting.entries.length === 0 && !picker && !edited && !leaving
  }
}

type WayOut = 'retry' | 'model' | 'provider' | 'login' | 'edit' | 'later' | 'keep' | 'agent'

/** The offers for each kind of error, the likeliest first. */
const ORDER: Partial<Record<ProviderErrorKind, readonly WayOut[]>> = {
  plan: ['later', 'keep', 'model', 'agent', 'edit'],
  credential: ['login', 'retry', 'model', 'provider', 'edit'],
  quota: ['model', 'provider', 'retry', 'login', 'edit'],
  overflow: ['model', 'provider', 'edit'],
  rate: ['retry', 'model', 'provider', 'edit'],
  server: ['retry', 'model', 'provider', 'edit'],
  network: ['retry', 'model', 'provider', 'edit'],
}
