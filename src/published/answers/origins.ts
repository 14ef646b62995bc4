/** Names the device in the events that carry out what it asked for: an agent reports them as it does for the terminal. */
import type { AgentEvent } from '../../agent/event.ts'

/** Names that are kept. An agent may never confirm an answer. */
const MOST = 300

export class Origins {
  readonly #names = new Map<string, string>()

  /** The call or the form with this id was answered from there. */
  answered(kind: 'call' | 'form', id: string, from: string): void {
    this.#keep(`${kind} ${id}`, from)
  }

  /** It was not, after all. */
  forget(kind: 'call' | 'form', id: string): void {
    this.#names.delete(`${kind} ${id}`)
  }

  /** The running turn is asked to stop from there. */
  stopped(from: string): void {
    this.#keep('turn', from)
  }

  /** The event with the device, if it is one that a device has caused. */
  named(event: AgentEvent): AgentEvent {
    if (this.#names.size === 0) return event
    const { type } = event
    if (type === 'permission_decided') return this.#with(`call ${event.id}`, event, event.by === 'user')
    if (type === 'question_answered') return this.#with(`form ${event.id}`, event, event.answer !== 'cancelled')
    if (type === 'abort_requested') return this.#with('turn', event, true)
    if (type === 'turn_ended' || type === 'prompt_sent') this.#names.delete('turn')
    return event
  }

  #keep(key: string, from: string): void {
    this.#names.delete(key)
    this.#names.set(key, from)
    for (const oldest of [...this.#names.keys()].slice(0, -MOST)) this.#names.delete(oldest)
  }

  #with<Event extends AgentEvent>(key: string, event: Event, isOfUser: boolean): Event {
    const from = this.#names.get(key)
    this.#names.delete(key)
    return from !== undefined && isOfUser ? { ...event, from } : event
  }
}
