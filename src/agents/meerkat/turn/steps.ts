/** The steps of a turn: one model call each. Events of an earlier one may come late, and the beginning or the end of one may be lost. Pure. */
import type { AgentEvent } from '../../../agent/event.ts'
import { lookup } from '../../../text/lookup.ts'
import type { WireMeerkatUsage } from '../frame.ts'
import type { MeerkatCalls } from './calls.ts'
import { createStep, type MeerkatStep } from './step.ts'
import { STOPS } from './stops.ts'
import { missingUsage, toUsage, type PriceOf } from './usage.ts'

type EventsOfStep = (open: MeerkatStep) => AgentEvent[]

export class MeerkatSteps {
  readonly #calls: MeerkatCalls
  readonly #price: PriceOf
  #open: MeerkatStep | null = null
  #count = 0
  #lastText = ''
  #lastStop = ''
  #isAnyComplete = false
  /** Messages that are over, and those of them whose whole text was emitted. */
  readonly #past = new Set<string>()
  readonly #whole = new Set<string>()
  readonly #usages: WireMeerkatUsage[] = []

  constructor({ calls, price }: { calls: MeerkatCalls; price: PriceOf }) {
    this.#calls = calls
    this.#price = price
  }

  /** The text of the last one. */
  get text(): string {
    return this.#open?.text ?? this.#lastText
  }

  /** Why the last complete one stopped, in the agent's word; '' if none is complete. */
  get lastStop(): string {
    return this.#lastStop
  }

  get isAnyComplete(): boolean {
    return this.#isAnyComplete
  }

  /** The step of this message begins, unless it is known. */
  begin(messageId: string, at: number): AgentEvent[] {
    const isKnown = messageId !== '' && (this.#past.has(messageId) || this.#open?.messageId === messageId)
    return isKnown ? [] : this.#begin(messageId, at)
  }

  /** A piece of text comes. One that comes after the answer is of another step. */
  piece(messageId: string, at: number, eventsOf: EventsOfStep): AgentEvent[] {
    const isDeferred = this.#past.has(messageId) && this.#open?.messageId !== messageId
    if (isDeferred && this.#whole.has(messageId)) return []
    const begun = isDeferred || this.#open?.isAnswered ? this.#begin(messageId, at) : []
    return [...begun, ...this.within(messageId, at, eventsOf)]
  }

  /** The whole text of a message comes. */
  wholeText(messageId: string, content: string, at: number): AgentEvent[] {
    this.#whole.add(messageId)
    return this.within(messageId, at, open => open.textIs(content, at))
  }

  /** The step of this message, which begins here if its beginning was lost. What comes late for an earlier one is nothing new. */
  within(messageId: string, at: number, eventsOf: EventsOfStep): AgentEvent[] {
    const isOther = this.#open === null || (messageId !== '' && this.#open.messageId !== messageId)
    if (isOther && messageId !== '' && this.#past.has(messageId)) return []
    const begun = isOther ? this.#begin(messageId, at) : []
    return this.#open ? [...begun, ...eventsOf(this.#open)] : begun
  }

  /** A call comes, which is one of a step. */
  need(at: number): AgentEvent[] {
    return this.#open ? [] : this.#begin('', at)
  }

  /** The calls of the step are known, so its answer is, too: it comes before `events`, which a call of it has made. */
  answered(events: readonly AgentEvent[], at: number): AgentEvent[] {
    return [...(this.#open?.answer(this.#calls.content, at) ?? []), ...events]
  }

  /** The model call is repeated. */
  retry(at: number): AgentEvent[] {
    return this.#open?.retry(at) ?? []
  }

  /** The agent has completed the step of this message. */
  complete(messageId: string, stop: string, usage: WireMeerkatUsage | undefined, at: number): AgentEvent[] {
    return this.within(messageId, at, () => {
      if (usage) this.#usages.push(usage)
      this.#lastStop = stop
      this.#isAnyComplete = true
      return this.close(lookup(STOPS, stop) ?? stop, at, usage ? [this.#usageEvent(usage, at)] : [])
    })
  }

  /** The open step is over. */
  close(stop: string, at: number, reported: readonly AgentEvent[] = []): AgentEvent[] {
    const step = this.#open
    if (!step) return []
    const answer = stop === 'error' || stop === 'aborted' ? [] : step.answer(this.#calls.content, at)
    if (step.messageId !== '') this.#past.add(step.messageId)
    this.#lastText = step.text
    this.#open = null
    return [...answer, ...reported, { type: 'step_ended', at, stop }]
  }

  /** The lost part of the last answer, whose whole text this is. */
  repair(text: string, at: number): AgentEvent[] {
    if (text === '') return []
    if (this.#open) return this.#open.isAnswered ? [] : this.#open.textIs(text, at)
    return this.#lastText === '' ? this.within('', at, open => open.textIs(text, at)) : []
  }

  /** The usage of the steps whose events were lost, by the rows of the whole turn. */
  missingUsage(rows: readonly WireMeerkatUsage[], at: number): AgentEvent[] {
    return missingUsage(rows, this.#usages).map(usage => this.#usageEvent(usage, at))
  }

  #begin(messageId: string, at: number): AgentEvent[] {
    // The end of the former step was lost.
    const closed = this.close('tool_use', at)
    this.#count += 1
    this.#open = createStep(messageId)
    this.#calls.beginStep()
    return [...closed, { type: 'step_started', at, step: this.#count }]
  }

  #usageEvent(usage: WireMeerkatUsage, at: number): AgentEvent {
    return { type: 'usage_reported', at, usage: toUsage(usage, this.#price), auxiliary: false }
  }
}
