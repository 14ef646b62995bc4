/**
 * The cost limit of all conversations together: warns before it is reached, and asks whether to raise it. The machine stops a turn
 * before its next step once it is reached, and asks before the next prompt. The limit of the day, of all programs, only stops new turns.
 */
import type { AgentEvent } from '../../../agent/event.ts'
import { formatExactCost } from '../../../text/format.ts'
import { messageOf } from '../../../platform/errors.ts'
import type { DayCost } from '../../../storage/usage/day-cost.ts'
import { RAISE_DAY } from '../../../storage/usage/raise-day.ts'
import type { ChoicePrompt } from '../../context/choice-prompt.ts'
import type { AppContext } from '../../context/context.ts'

/** The share of the limit from which on zotui warns. */
const WARNING = 0.8

export class CostLimit {
  readonly #context: AppContext
  /** The limit to which the user has raised it, for all conversations. */
  readonly #raised: { limit: number | null }
  /** The limits, each with its conversation, that were announced as near and as reached. */
  #warned = ''
  #announced = ''

  constructor(context: AppContext) {
    this.#context = context
    this.#raised = context.conversations?.raised ?? { limit: null }
  }

  /** True if no new turn may begin: this limit is reached, or that of the day. */
  isReached(): boolean {
    return this.isTurnOver() || this.#context.dayCost?.isReached() === true
  }

  /** True if the turn that runs must stop, with this uncounted cost added. The limit of the day lets it end. */
  isTurnOver(more = 0): boolean {
    return this.#cost() + more >= this.#limit()
  }

  /** How to raise the limit that is reached: a sentence. */
  raisedBy(): string {
    return this.isTurnOver() || !this.#context.dayCost?.isReached() ? '/settings maxCostUsd raises it.' : RAISE_DAY
  }

  /** Warns if the limit is near. Called with the events of each frame. */
  follow(events: readonly AgentEvent[]): void {
    if (events.some(event => event.type === 'conversation_cleared')) this.#warned = this.#announced = ''
    if (events.some(event => event.type === 'usage_reported' || event.type === 'context_reported')) this.#warn()
  }

  /** Asks whether to raise it; `resume` is called if the user raises it and continues. The question comes again at each attempt to send. */
  ask(choicePrompt: ChoicePrompt, wasStopped: boolean, resume: () => void): void {
    const { dayCost } = this.#context
    if (dayCost && !this.isTurnOver()) return this.#askForDay(dayCost, choicePrompt, resume)
    const more = Math.max(this.#limit(), this.#cost()) * 2
    this.#announce()
    const allow = (): void => {
      this.#raised.limit = more
      this.#context.hint(`Limit raised to ${formatExactCost(more)}.`)
    }
    const allowAndResume = (): void => {
      allow()
      resume()
    }
    choicePrompt.ask({
      title: 'the cost limit is reached',
      answers: [
        {
          label: `raise it to ${formatExactCost(more)} and continue`,
          detail: wasStopped ? 'the turn was stopped' : '',
          run: allowAndResume,
        },
        { label: `raise it to ${formatExactCost(more)}`, detail: 'and wait', run: allow },
        {
          label: 'leave it',
          detail: '/settings changes maxCostUsd',
          run: () => this.#context.hint('Nothing is sent for now.'),
        },
      ],
      dismissOnType: true,
    })
  }

  /** A raised limit of the day holds for all programs. */
  #askForDay(dayCost: DayCost, choicePrompt: ChoicePrompt, resume: () => void): void {
    const { addNotice, hint } = this.#context
    const { spentUsd, limitUsd } = dayCost.now()
    addNotice('warn', `Nothing new is sent: ${dayCost.why()}.`, RAISE_DAY)
    // Nobody knows how much there is to raise.
    if (spentUsd === null || limitUsd === null) return
    const more = Math.ceil(Math.max(spentUsd, limitUsd) * 1.5)
    const raise = (then: () => void) => (): void => {
      try {
        dayCost.raise(more)
      } catch (error) {
        return addNotice('error', `The limit of today was not raised: ${messageOf(error)}.`)
      }
      hint(`Limit of today raised to ${formatExactCost(more)}.`)
      then()
    }
    choicePrompt.ask({
      title: 'the cost limit of today is reached',
      answers: [
        // A narrow screen cuts the end of a label.
        {
          label: `raise it to ${formatExactCost(more)} and continue`,
          detail: 'for today, all conversations',
          run: raise(resume),
        },
        { label: `raise it to ${formatExactCost(more)}`, detail: 'for today, and wait', run: raise(() => undefined) },
        { label: 'leave it', detail: 'prompts wait', run: () => hint('Nothing is sent for now.') },
      ],
      dismissOnType: true,
      stillApplies: () => this.isReached(),
    })
  }

  #warn(): void {
    const { state, addNotice, dayCost } = this.#context
    const near = dayCost?.warning() ?? null
    if (near !== null) addNotice('warn', near, RAISE_DAY)
    const here = this.#limitHere()
    if (state().chat.usage.costUsd === null && Number.isFinite(this.#limit()) && this.#warned !== here) {
      this.#warned = here
      return addNotice('warn', 'This agent does not report its cost, so the cost limit cannot stop it.')
    }
    if (this.isTurnOver() || this.#cost() < this.#limit() * WARNING || this.#warned === here) return
    this.#warned = here
    addNotice('warn', `${this.#costSoFar()} of at most ${formatExactCost(this.#limit())}.`)
  }

  /** Announces once that the limit is reached. */
  #announce(): void {
    if (this.#announced === this.#limitHere()) return
    this.#announced = this.#limitHere()
    const limit = formatExactCost(this.#limit())
    this.#context.addNotice('warn', `${this.#costSoFar()} and reached the limit of ${limit}: raise it to continue.`)
  }

  #limit(): number {
    const { maxCostUsd } = this.#context.settings.values()
    return maxCostUsd === null ? Number.POSITIVE_INFINITY : Math.max(maxCostUsd, this.#raised.limit ?? 0)
  }

  #limitHere(): string {
    return `${this.#limit()} in ${this.#context.state().restored.times}`
  }

  /** The cost of all conversations. */
  #cost(): number {
    return this.#context.conversations?.cost() ?? this.#context.state().chat.usage.costUsd ?? 0
  }

  #costSoFar(): string {
    const isShared = this.#cost() > (this.#context.state().chat.usage.costUsd ?? 0)
    return `${isShared ? 'All conversations together have' : 'This session has'} cost ${formatExactCost(this.#cost())}`
  }
}
