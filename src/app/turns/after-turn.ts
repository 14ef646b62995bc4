/**
 * Follows each operation of the agent with a compaction if the window is nearly full, a second try if it was too full,
 * a question about the cost limit or an error, or else the next entry of the queue.
 */
import type { Turn } from '../../conversation/state.ts'
import { lastTurn } from '../../conversation/queries/last-turn.ts'
import { providerErrorOf, type ProviderErrorKind } from '../../conversation/queries/provider-error.ts'
import { isBusy } from '../../state/state.ts'
import { formatPercent } from '../../text/format.ts'
import type { ChoiceAnswer, ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { CostLimit } from './queue/cost-limit.ts'
import type { PromptQueue } from './queue/queue.ts'

export type AfterTurn = {
  /** Called when the agent is idle after a turn or a compaction. */
  next: () => Promise<void>
  /** Offers a restart after the agent has ended by itself. */
  offerRestart: (inTurn: boolean) => void
  /** Offers a restart after a file has changed that the agent reads only when it starts; false if this is no time to ask. */
  offerReading: (file: string) => boolean
}

/** The actions that are offered after a failure. */
type RecoveryOptions = {
  /** Compacts, without draining the queue. */
  compact: () => Promise<void>
  /** Sends the last prompt again, without draining the queue. */
  resend: () => Promise<void>
  retry: () => void
  pickModel: () => void
  pickProvider: () => void
  login: () => void
  editPrompt: () => void
  restart: () => Promise<void>
}

export type AfterTurnParts = {
  context: AppContext
  queue: PromptQueue
  choicePrompt: ChoicePrompt
  limit: CostLimit
  ways: RecoveryOptions
}

export function createAfterTurn({ context, queue, choicePrompt, limit, ways }: AfterTurnParts): AfterTurn {
  const { backend, state, announce } = context
  return { next, offerRestart, offerReading }

  async function next(): Promise<void> {
    const last = state().chat.entries.findLast(entry => entry.kind === 'turn' || entry.kind === 'compaction')
    if (limit.wasReached()) return limit.ask()
    if (last?.kind === 'compaction') return queue.drain(last.outcome === 'done' || last.outcome === 'nothing')
    if (last?.outcome === 'done') return queue.drain(await compactedIfDue())
    if (last?.outcome === 'failed' && (await recovered(last))) return
    queue.drain(false)
    const ended = lastTurn(state().chat.entries)
    if (ended?.outcome === 'failed') offerWaysOut(providerErrorOf(ended.error ?? '').kind)
    if (ended?.outcome === 'agent_ended') offerRestart(true)
  }

  /** False if the user stopped it or the agent ended: then the queue is paused. */
  async function compactedIfDue(): Promise<boolean> {
    const { context: used, agent } = state().chat
    const { compactAt } = context.settings.values()
    if (!backend.abilities.has('compact') || compactAt === 0 || used === null || agent.contextWindow === null)
      return true
    const full = used / agent.contextWindow
    if (full * 100 < compactAt) return true
    announce('info', `The window is ${formatPercent(full)} full: compacting the conversation before the next prompt.`)
    await ways.compact()
    // A failed compaction is tried again after the next turn.
    return lastCompaction() !== 'aborted' && state().chat.agent.phase === 'ready'
  }

  function lastCompaction(): string | undefined {
    return state().chat.entries.findLast(entry => entry.kind === 'compaction')?.outcome
  }

  /** Compacts a conversation that no longer fits, and sends the prompt once more; if that fails, the user is asked. */
  async function recovered(turn: Turn): Promise<boolean> {
    if (providerErrorOf(turn.error ?? '').kind !== 'overflow' || !backend.abilities.has('compact')) return false
    announce('warn', 'The conversation no longer fits the model: compacting it, then sending the prompt again.')
    await ways.compact()
    if (lastCompaction() !== 'done') return false
    await ways.resend()
    if (lastTurn(state().chat.entries)?.outcome !== 'done') return false
    queue.drain(true)
    return true
  }

  function offerWaysOut(kind: ProviderErrorKind): void {
    const order = ORDER[kind]
    if (!order || !isFree()) return
    const answers: Record<WayOut, ChoiceAnswer> = {
      retry: { label: 'retry', detail: 'send the prompt again', run: ways.retry },
      model: { label: 'another model', detail: 'then /retry', run: ways.pickModel },
      provider: {
        label: 'another provider',
        detail: 'restarts the agent with a summary; then /retry',
        run: ways.pickProvider,
      },
      login: {
        label: 'log in',
        detail: backend.keys ? 'with a key or a subscription' : `in ${backend.name} itself`,
        run: ways.login,
      },
      edit: { label: 'edit the prompt', detail: 'put it back into the composer', run: ways.editPrompt },
    }
    const offered = order.filter(way => {
      if (way === 'login') return backend.abilities.has('login')
      return way !== 'provider' || (backend.abilities.has('listEveryModel') && backend.abilities.has('startWith'))
    })
    choicePrompt.ask({ title: 'what now?', answers: offered.map(way => answers[way]), dismissOnType: true })
  }

  function offerRestart(inTurn: boolean): void {
    if (!isFree() || state().chat.agent.phase !== 'ended') return
    const again: ChoiceAnswer = {
      label: 'restart it and send the prompt again',
      detail: '',
      run: () => void ways.restart().then(ways.retry),
    }
    const restart = { label: 'restart it', detail: 'as /restart does', run: () => void ways.restart() }
    if (!backend.holder?.isLost()) {
      const answers = [...(inTurn ? [again] : []), restart]
      return choicePrompt.ask({ title: `${backend.name} has ended`, answers, dismissOnType: true })
    }
    const answers = [
      { ...restart, label: 'resume it', detail: 'in the background, with what is saved' },
      { label: 'leave it', detail: '/restart resumes it', run: () => undefined },
    ]
    choicePrompt.ask({ title: 'the conversation in the background was lost', answers, dismissOnType: true })
  }

  function offerReading(file: string): boolean {
    if (!isFree() || isBusy(state()) || state().chat.agent.phase !== 'ready') return false
    const answers: ChoiceAnswer[] = [
      { label: 'go on', detail: '/restart makes it read the file', run: () => undefined },
      { label: 'restart it now', detail: 'as /restart does', run: () => void ways.restart() },
    ]
    choicePrompt.ask({ title: `${backend.name} reads ${file} only when it starts`, answers, dismissOnType: true })
    return true
  }

  /** True if a question neither interrupts typing nor takes the Enter that sends a paused queue. */
  function isFree(): boolean {
    const { editor, picker, queue: waiting, edited, leaving } = state()
    return editor.text === '' && waiting.entries.length === 0 && !picker && !edited && !leaving
  }
}

type WayOut = 'retry' | 'model' | 'provider' | 'login' | 'edit'

/** The offers for each kind of error, the likeliest first. */
const ORDER: Partial<Record<ProviderErrorKind, readonly WayOut[]>> = {
  credential: ['login', 'retry', 'model', 'provider', 'edit'],
  quota: ['model', 'provider', 'retry', 'login', 'edit'],
  overflow: ['model', 'provider', 'edit'],
  rate: ['retry', 'model', 'provider', 'edit'],
  server: ['retry', 'model', 'provider', 'edit'],
  network: ['retry', 'model', 'provider', 'edit'],
}
