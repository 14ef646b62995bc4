/** A subagent: a session of the agent's own making, whose facts and work are reported. Pure. */
import type { AgentEvent, EventOf, PlainEvent } from '../../../agent/event.ts'
import { isAtWork, type TaskState } from '../../../agent/task-events.ts'
import type { WireToolCall, WireUpdate } from '../frame.ts'
import { isPart, type Translation } from '../translate.ts'
import type { AcpCall } from '../turn/call.ts'
import { textOfBlocks } from '../turn/content.ts'

export type SubagentPatch = Extract<WireUpdate, { sessionUpdate: 'subagent_update' }>
export type SessionMessage = Extract<WireUpdate, { sessionUpdate: 'session_message' }>

/** Whether what is reported now is repeated from the history of the session, and whether that becomes events. */
export type ChildReplay = 'emitted' | 'dropped' | null

export type ChildOptions = {
  /** The id of its task. */
  id: string
  /** The task that has begun it; null for the agent itself. */
  parent: string | null
  translation: Translation
  replay: ChildReplay
}

type ChildFacts = { name: string; about: string; model: string; state: TaskState; canStop: boolean; summary: string }

/** The events that are about a conversation. A subagent takes no options, and its name is a fact of its task. */
const LEFT_OUT: ReadonlySet<AgentEvent['type']> = new Set([
  'options_changed',
  'model_changed',
  'reasoning_changed',
  'agent_commands_changed',
  'title_changed',
  'login_needed',
])

/** Messages that are remembered, since each comes twice. */
const MOST_MESSAGES = 200
/** Characters of what it has said that are compared with its report. */
const MOST_SAID = 20_000

export class AcpChild {
  readonly id: string
  readonly parent: string | null
  readonly #translation: Translation
  #replay: ChildReplay
  #facts: ChildFacts = { name: '', about: '', model: '', state: 'running', canStop: false, summary: '' }
  /** What was reported; null before the first report. */
  #reported: ChildFacts | null = null
  readonly #messages = new Set<string>()
  #hasPrompt = false
  /** Its answer since the last prompt, without white space. */
  #said = ''

  constructor({ id, parent, translation, replay }: ChildOptions) {
    this.id = id
    this.parent = parent
    this.#translation = translation
    this.#replay = replay
  }

  get name(): string {
    return this.#facts.name || this.#facts.about
  }

  get isAtWork(): boolean {
    return isAtWork(this.#facts)
  }

  get canStop(): boolean {
    return this.#facts.canStop
  }

  /** Whether `rest` would return events. */
  get hasRest(): boolean {
    return this.#translation.hasRest || (this.#translation.hasTurn && !this.isAtWork)
  }

  call(agentId: string): AcpCall | undefined {
    return this.#translation.calls.get(agentId)
  }

  /** Its parent reports something about it. */
  patched({ title, description, capabilities, state }: SubagentPatch, at: number): AgentEvent[] {
    const facts = this.#facts
    if (title !== undefined) facts.name = title ?? ''
    if (description !== undefined) facts.about = description ?? ''
    if (capabilities === null) facts.canStop = false
    else facts.canStop = capabilities?.cancel ?? facts.canStop
    if (!state) return this.#report(at)
    facts.state = stateOf(state)
    if (isAtWork(facts)) {
      facts.summary = ''
      return this.#report(at)
    }
    if (state.error) facts.summary = state.error.message
    const message = state.error?.message
    const end =
      message === undefined
        ? { result: { stopReason: state.stopReason ?? '', usage: null, _meta: null } }
        : { error: { code: -32603, message } }
    return [...this.#endTurn(end, at), ...this.#report(at)]
  }

  /** Something happens in its own session. */
  update(update: Exclude<WireUpdate, SubagentPatch | SessionMessage>, at: number): AgentEvent[] {
    if (update.sessionUpdate === 'user_message_chunk')
      return this.prompted(`chunk ${update.messageId ?? ''}`, textOfBlocks([update.content]), at)
    const events = [...(this.#isWork(update) ? this.#begin(at) : []), ...this.#translation.update(update, at)]
    if (update.sessionUpdate === 'config_option_update') this.#learnModel(update)
    for (const event of events) if (event.type === 'text_received') this.#say(event.text)
    const wrapped = this.#wrapped(events, at)
    return update.sessionUpdate === 'config_option_update' ? [...wrapped, ...this.#report(at)] : wrapped
  }

  /** It waits for an answer of the user: it works, even if it said before that it had ended. */
  asks(at: number): AgentEvent[] {
    if (this.isAtWork) return []
    this.#facts.state = 'running'
    this.#facts.summary = ''
    return this.#report(at)
  }

  /** It asks for a permission for a call. */
  asked(call: WireToolCall, at: number): AgentEvent[] {
    return this.#wrapped([...this.#begin(at), ...this.#translation.asked(call, at)], at)
  }

  /** The call with this id of ours runs from now on. */
  started(callId: string, at: number): AgentEvent[] {
    return this.#wrapped(this.#translation.calls.started(callId, at), at)
  }

  /** It gets a message from the agent that began it, or from another one. */
  prompted(messageId: string, text: string, at: number): AgentEvent[] {
    if (!this.#isNew(messageId)) return []
    if (this.#translation.hasTurn)
      return this.#wrapped([{ type: 'steer_delivered', at, id: `${this.id} ${messageId}`, text, images: [] }], at)
    return this.#wrapped(this.#promptEvents(text, at), at)
  }

  /** It reports to the agent that began it, mostly with what it has said already. */
  replied(messageId: string, text: string, at: number): AgentEvent[] {
    const words = withoutHarness(text).trim()
    if (!this.#isNew(messageId) || words === '' || this.#said.includes(dense(words))) return []
    this.#facts.summary = words
    return this.#report(at)
  }

  /** What has stopped growing. */
  rest(at: number): AgentEvent[] {
    const events = this.#wrapped(this.#translation.rest(at), at)
    return this.isAtWork ? events : [...events, ...this.#endTurn(ENDED, at)]
  }

  /** The history is over: what it said of the present state was of the past. */
  endReplay(at: number): AgentEvent[] {
    const ended = this.#endTurn(ENDED, at)
    if (this.isAtWork) this.#facts.state = 'unknown'
    this.#replay = null
    return ended
  }

  /** It is not observed any more, or has ended with its agent. */
  left(state: 'unknown' | 'stopped', at: number): AgentEvent[] {
    const ended = this.#endTurn(ENDED, at)
    if (!this.isAtWork) return ended
    this.#facts.state = state
    this.#facts.canStop = false
    return [...ended, ...this.#report(at)]
  }

  /** What is about a call of an earlier turn begins no new one. */
  #isWork(update: WireUpdate): boolean {
    const { calls } = this.#translation
    const isOfPast =
      update.sessionUpdate === 'tool_call_update' &&
      (calls.isPast(update.toolCallId) || calls.isLate(update.toolCallId))
    return isPart(update) && !isOfPast
  }

  #begin(at: number): AgentEvent[] {
    if (this.#translation.hasTurn) return []
    // Without a name of its own, the description of a subagent is what it was asked.
    const { name, about } = this.#facts
    if (!this.#hasPrompt && name === '' && about !== '') return this.#promptEvents(about, at)
    this.#beginTurn()
    return [{ type: 'turn_begun', at, cause: 'other' }]
  }

  #promptEvents(text: string, at: number): AgentEvent[] {
    this.#beginTurn()
    return [
      { type: 'prompt_sent', at, text, images: [], ...(this.#replay !== null && { remembered: true }) },
      { type: 'prompt_accepted', at },
    ]
  }

  #beginTurn(): void {
    this.#hasPrompt = true
    this.#said = ''
    this.#translation.beginTurn()
  }

  #endTurn(end: Parameters<Translation['endTurn']>[0], at: number): AgentEvent[] {
    if (!this.#translation.hasTurn) return []
    return this.#wrapped(this.#translation.endTurn(end, { isAborted: false, login: [] }, at), at)
  }

  #learnModel({ configOptions }: Extract<WireUpdate, { sessionUpdate: 'config_option_update' }>): void {
    const option = configOptions.find(({ id, category }) => category === 'model' || id === 'model')
    if (!option) return
    const value = String(option.currentValue)
    this.#facts.model = option.options.find(choice => choice.value === value)?.name || value
  }

  #say(text: string): void {
    this.#said = (this.#said + dense(text)).slice(-MOST_SAID)
  }

  #isNew(messageId: string): boolean {
    if (this.#messages.has(messageId)) return false
    this.#messages.add(messageId)
    for (const oldest of this.#messages) {
      if (this.#messages.size <= MOST_MESSAGES) break
      this.#messages.delete(oldest)
    }
    return true
  }

  /** Reports what has changed. */
  #report(at: number): AgentEvent[] {
    if (this.#replay === 'dropped') return []
    const before = this.#reported
    const now = this.#replay && this.isAtWork ? { ...this.#facts, state: 'unknown' as const } : { ...this.#facts }
    this.#reported = now
    const changed = changes(before, now)
    if (before !== null && Object.keys(changed).length === 0) return []
    const first = before === null && {
      kind: 'subagent' as const,
      ...(this.parent !== null && { parent: this.parent }),
    }
    const remembered = this.#replay !== null && { remembered: true as const }
    return [{ type: 'task_reported', at, id: this.id, ...first, ...changed, ...remembered }]
  }

  #wrapped(events: readonly AgentEvent[], at: number): AgentEvent[] {
    if (this.#replay === 'dropped') return []
    return events.flatMap((event): AgentEvent[] => {
      // What it leaves in the background is a task beside it.
      if (event.type === 'task_reported') return [{ ...event, ...(event.kind && { parent: this.id }) }]
      return isPlain(event) && !LEFT_OUT.has(event.type) ? [{ type: 'task_event', at, id: this.id, event }] : []
    })
  }
}

const ENDED = { result: { stopReason: '', usage: null, _meta: null } }

function stateOf({ state, stopReason, error }: NonNullable<SubagentPatch['state']>): TaskState {
  switch (state) {
    case 'running':
      return 'running'
    case 'requires_action':
      return 'waiting'
    case 'idle':
      return error ? 'failed' : stopReason === 'cancelled' ? 'stopped' : 'idle'
    default:
      return 'unknown'
  }
}

type FactChanges = Partial<Pick<EventOf<'task_reported'>, keyof ChildFacts>>

function changes(before: ChildFacts | null, { name, about, model, state, canStop, summary }: ChildFacts): FactChanges {
  return {
    ...((before ? before.name !== name : name !== '') && { name }),
    ...((before ? before.about !== about : about !== '') && { about }),
    ...((before ? before.model !== model : model !== '') && { model }),
    ...(before?.state !== state && { state }),
    ...(before?.canStop !== canStop && { canStop }),
    ...((before ? before.summary !== summary : summary !== '') && { summary }),
  }
}

function isPlain(event: AgentEvent): event is PlainEvent {
  return event.type !== 'task_event'
}

/** The lines in angle brackets that Claude Code puts before a report are for its model. */
const HARNESS = /^\s*<([\w-]+)>[^\n]*<\/\1>[^\S\n]*(?:\n|$)/

function withoutHarness(text: string): string {
  let rest = text
  for (let line = HARNESS.exec(rest); line; line = HARNESS.exec(rest)) rest = rest.slice(line[0].length)
  return rest
}

const dense = (text: string): string => text.replaceAll(/\s+/g, '')
