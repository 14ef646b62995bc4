/**
 * The cost limit of all conversations together: warns before it is reached, stops a turn before its next step once it
 * is, and asks before the next prompt.
 */
import type { AgentEvent } from '../../../agent/event.ts'
import { formatExactCost } from '../../../text/format.ts'
import type { ChoicePrompt } from '../../context/choice-prompt.ts'
import type { AppContext } from '../../context/context.ts'
import type { EventBatcher } from '../../events/batcher.ts'
import type { Operation } from '../operation.ts'
import type { QueueEntries } from './entries.ts'

export type CostLimit = {
  /** True if the limit is reached, with this uncounted cost added. */
  wasReached: (more?: number) => boolean
  /** Holds the queue, and asks whether to raise the limit. */
  ask: () => void
  /** Asks if the limit is reached; true if it asked. */
  asksFirst: () => boolean
  /** Calls `listener` when the user raises the limit and continues; `wasStopped` tells whether a turn was stopped. */
  subscribe: (listener: (wasStopped: boolean) => void) => void
}

export type CostLimitParts = {
  context: AppContext
  batcher: EventBatcher
  entries: Pick<QueueEntries, 'pause'>
  choicePrompt: ChoicePrompt
  operation: Pick<Operation, 'abort'>
}

/** The share of the limit from which on zotui warns. */
const WARNING = 0.8

export function createCostLimit({ context, batcher, entries, choicePrompt, operation }: CostLimitParts): CostLimit {
  const { state, announce, hint } = context
  const listeners: ((wasStopped: boolean) => void)[] = []
  /** The limit to which the user has raised it, for all conversations. */
  const raised = context.conversations?.raised ?? { limit: null }
  /** The limits, each with its conversation, that were announced as near and as reached. */
  let warned = ''
  let announced = ''
  let stopped = false

  batcher.subscribe(watch)

  return { wasReached, ask, asksFirst, subscribe: listener => void listeners.push(listener) }

  function limit(): number {
    const { maxCostUsd } = context.settings.values()
    return maxCostUsd === null ? Number.POSITIVE_INFINITY : Math.max(maxCostUsd, raised.limit ?? 0)
  }

  function limitHere(): string {
    return `${limit()} in ${state().restored.times}`
  }

  /** The cost of all conversations. */
  function cost(): number {
    return context.conversations?.cost() ?? state().chat.usage.costUsd ?? 0
  }

  function costSoFar(): string {
    const isShared = cost() > (state().chat.usage.costUsd ?? 0)
    return `${isShared ? 'All conversations together have' : 'This session has'} cost ${formatExactCost(cost())}`
  }

  function wasReached(more = 0): boolean {
    return cost() + more >= limit()
  }

  function asksFirst(): boolean {
    const isReached = wasReached()
    if (isReached) ask()
    return isReached
  }

  function watch(events: readonly AgentEvent[]): void {
    if (events.some(event => event.type === 'conversation_cleared')) warned = announced = ''
    if (events.some(event => event.type === 'usage_reported' || event.type === 'context_reported')) warn()
    const { open } = state().chat
    const goesOn = events.some(event => event.type === 'step_started' && event.step > 1)
    if (!goesOn || open?.kind !== 'turn' || open.aborting || !wasReached()) return
    stopped = true
    operation.abort()
  }

  function warn(): void {
    if (state().chat.usage.costUsd === null && Number.isFinite(limit()) && warned !== limitHere()) {
      warned = limitHere()
      return announce('warn', 'This agent does not report its cost, so the cost limit cannot stop it.')
    }
    if (wasReached() || cost() < limit() * WARNING || warned === limitHere()) return
    warned = limitHere()
    announce('warn', `${costSoFar()} of at most ${formatExactCost(limit())}.`)
  }

  /** Announces the limit once. The question comes again at each attempt to send. */
  function announceLimit(): void {
    if (announced === limitHere()) return
    announced = limitHere()
    announce('warn', `${costSoFar()} and reached the limit of ${formatExactCost(limit())}: raise it to continue.`)
  }

  function ask(): void {
    entries.pause()
    const more = Math.max(limit(), cost()) * 2
    const wasStopped = stopped
    stopped = false
    announceLimit()
    const allow = (): void => {
      raised.limit = more
      hint(`Limit raised to ${formatExactCost(more)}.`)
    }
    const goOn = (): void => {
      allow()
      for (const listener of listeners) listener(wasStopped)
    }
    choicePrompt.ask({
      title: 'the cost limit is reached',
      answers: [
        {
          label: `raise it to ${formatExactCost(more)} and continue`,
          detail: wasStopped ? 'the turn was stopped' : '',
          run: goOn,
        },
        { label: `raise it to ${formatExactCost(more)}`, detail: 'and wait', run: allow },
        { label: 'leave it', detail: '/settings changes maxCostUsd', run: () => hint('Nothing is sent for now.') },
      ],
      dismissOnType: true,
    })
  }
}
