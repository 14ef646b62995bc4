/** A conversation that does what a test says, and a device. */
import type { AgentEvent } from '../../../src/agent/event.ts'
import type { OnEvents, PublishedConversation } from '../../../src/published/conversation.ts'
import type { Device, OutsideCall } from '../../../src/published/outside-call.ts'
import type { PublishedRow, ServedQuestion } from '../../../src/published/protocol.ts'

export const phone: Device = { id: 'd1', name: 'Pixel 8', role: 'steer' }
export const remark = (text: string): AgentEvent => ({
  type: 'remark_made',
  at: 1,
  level: 'info',
  text,
  hint: null,
  markdown: false,
})

/** A conversation that does what the test says. */
export class Made implements PublishedConversation {
  title = 'Hello'
  stays = ''
  asked: ServedQuestion[] = []
  readonly done: OutsideCall[] = []
  /** How often it was to go to the background. */
  moves = 0
  /** What each request waits for. */
  before = Promise.resolve()
  names: readonly string[] = []
  events: AgentEvent[] = [remark('first')]
  answer: Awaited<ReturnType<PublishedConversation['carryOut']>> = { ok: true, how: 'done' }
  #listeners = new Set<() => void>()
  #follows = new Set<OnEvents>()

  get isFollowed(): boolean {
    return this.#listeners.size + this.#follows.size > 0
  }

  row(): PublishedRow {
    const facts = { session: null, folder: '/work', branch: null, agent: 'zot', model: 'm', since: null, lastLine: '' }
    return {
      key: '1',
      kind: 'ui',
      ...facts,
      title: this.title,
      state: 'idle',
      costUsd: null,
      mode: 'ask',
      takes: [],
      stays: this.stays,
    }
  }

  questions = () => this.asked
  queue = () => ({ entries: [], paused: false })
  models = async () => [{ id: 'm', name: 'Model' }]
  watched = (names: readonly string[]): void => void (this.names = names)
  past = () => ({ file: null, events: this.events })

  onChange = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  onEvents = (listener: OnEvents) => {
    this.#follows.add(listener)
    return () => void this.#follows.delete(listener)
  }

  carryOut = async (call: OutsideCall) => {
    this.done.push(call)
    await this.before
    return this.answer
  }

  toBackground = async () => {
    this.moves += 1
    await this.before
    return this.answer
  }

  change(): void {
    for (const listener of this.#listeners) listener()
  }

  add(event: AgentEvent): void {
    this.events.push(event)
    for (const { added } of this.#follows) added([event])
  }

  replace(): void {
    this.events = []
    for (const { replaced } of this.#follows) replaced()
  }
}

export const stop = (id: string): OutsideCall => ({ do: 'stop', id })
