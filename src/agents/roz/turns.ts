/** The turns of a run: a prompt becomes one or more turns of roz, and zotui runs their calls. */
import { randomUUID } from 'node:crypto'
import type { Prompt } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { AgentOperation } from '../host/driver.ts'
import { endsTurn, failureWords, rejectionWords, NOT_SENT } from './explain.ts'
import type { RozLimits } from './limits.ts'
import { promptContext, userMessage } from './prompt.ts'
import { RozCalls, type RozCallsOptions } from './turn/calls.ts'
import { createFlight, endOf, type Flight, type FlightEnd } from './turn/flight.ts'
import type { RozTeam } from './turn/team.ts'
import type { RozEvent, RozEventOf } from './wire/messages.ts'

export type RozTurnsOptions = RozCallsOptions & {
  limits: RozLimits
  /** The team that is watched now. */
  team: () => RozTeam | null
  /** Ensures that there is a session. Returns the reason if there is none. */
  connect: () => Promise<string | null>
  /** A turn of the server begins, is to stop, and is over. */
  onBegin: () => void
  onStop: () => void
  onEnd: () => void
}

export class RozTurns {
  readonly #options: RozTurnsOptions
  readonly #calls: RozCalls
  /** The turn of the server that runs, or was asked for. */
  #flight: Flight | null = null
  /** The prompt in flight, also while its calls are deferred and the server waits for another prompt. */
  #last: AgentOperation | null = null
  /** The ids of earlier prompts: further events for them are ignored. */
  readonly #past = new Set<string>()
  /** Gives up on a turn, or sends its prompt again. */
  #timer: NodeJS.Timeout | undefined

  constructor(options: RozTurnsOptions) {
    this.#options = options
    this.#calls = new RozCalls(options)
  }

  /** Whether the server works on a prompt. */
  get isInTurn(): boolean {
    return this.#flight?.hasBegun === true
  }

  /** Runs a prompt, and ends it with its last events. */
  send(operation: AgentOperation, prompt: Prompt): void {
    this.#calls.begin()
    this.#options.toolHost.beginTurn()
    this.#last = operation
    this.#begin(operation, prompt.text, promptContext(prompt, this.#options.toolHost.modeNote() ?? ''))
  }

  /** Stops what runs. */
  cancel(): void {
    this.#options.toolHost.stopTurn()
    this.#calls.stop()
    this.#options.onStop()
    if (!this.#flight) return
    this.#options.send({ cancel_turn: { reason: 'the user stopped it' } })
    this.#wait(this.#options.limits.cancelled, () => this.#flight && this.#over(this.#flight, 'aborted'))
  }

  /** Takes an event. Returns false if it belongs to no turn in flight. */
  event(event: RozEvent): boolean {
    const { type } = event
    if (type === 'session_rejected') return this.#rejected(event)
    if (type === 'text_delta' || type === 'thinking_delta') return this.#said(event)
    if (type === 'tool_call_started' || type === 'tool_call_finished') return this.#serverCall(event)
    if (type === 'tool_call_requested') {
      this.#requested(event)
      return true
    }
    if (type === 'turn_started') {
      if (this.#flight) this.#accept(this.#flight)
      return this.#flight !== null
    }
    return type === 'turn_finished' && this.#turnFinished(event)
  }

  /** The turn in flight fails, with this reason. */
  fail(message: string): void {
    if (this.#flight) this.#over(this.#flight, 'error', { message })
  }

  /** Ends the calls that the server requested. */
  endCalls(): void {
    this.#calls.end()
  }

  /** The agent has ended: no more events follow. */
  end(): void {
    clearTimeout(this.#timer)
    this.endCalls()
    const cut = this.#last
    if (this.#flight) this.#flight.isOver = true
    this.#flight = null
    this.#last = null
    cut?.end([])
  }

  /** Returns whether it was sent. */
  #begin(operation: AgentOperation, text: string, context: readonly string[], isContinuation = false): boolean {
    const { memory, now, onBegin, send } = this.#options
    const request = userMessage(text, context, randomUUID())
    const flight = createFlight({ operation, request, sentAt: now(), isContinuation })
    this.#flight = flight
    onBegin()
    const unsent = send(request)
    if (!unsent) {
      memory.prompted(text, context)
      return true
    }
    // The memory has at most its images.
    memory.shown([])
    flight.isKept = false
    this.#over(flight, 'error', { message: NOT_SENT[unsent] })
    return false
  }

  #said({ type, content, message_id: messageId }: RozEventOf<'text_delta' | 'thinking_delta'>): boolean {
    const flight = this.#ofPresent(messageId)
    if (!flight) return false
    if (type === 'text_delta') this.#options.memory.said(content)
    this.#emitAll(flight.turn[type === 'text_delta' ? 'said' : 'thought'](content, this.#options.now()))
    return true
  }

  #turnFinished(event: RozEventOf<'turn_finished'>): boolean {
    const flight = this.#ofPresent(event.message_id)
    if (flight) this.#over(flight, event.stop_reason === 'cancelled' ? 'cancelled' : 'end', { usage: event })
    return flight !== null
  }

  /** The turn of an event with this id. Some servers send no id; events between two turns are then ignored. */
  #ofPresent(messageId: string | undefined): Flight | null {
    const flight = this.#flight
    if (!flight || (messageId !== undefined && this.#past.has(messageId))) return null
    if (messageId === undefined && this.#isBetweenTurns(flight)) return null
    this.#accept(flight)
    return flight
  }

  /** Whether what comes now may still be of an earlier turn. */
  #isBetweenTurns(flight: Flight): boolean {
    return !flight.hasBegun && this.#past.size > 0
  }

  #accept(flight: Flight): void {
    if (flight.hasBegun) return
    flight.hasBegun = true
    clearTimeout(this.#timer)
    flight.operation.accepted()
    this.#emitAll(this.#options.team()?.begin(this.#options.now()) ?? [])
  }

  #requested(wire: RozEventOf<'tool_call_requested'>): void {
    const flight = this.#flight
    if (!flight || this.#isBetweenTurns(flight) || this.#calls.areStopped) return this.#calls.decline(wire.call_id)
    // The event is a repetition.
    if (flight.calls.has(wire.call_id)) return
    this.#accept(flight)
    this.#calls.run(flight, wire)
  }

  /** A call that the server runs itself and reports. */
  #serverCall(event: RozEventOf<'tool_call_started' | 'tool_call_finished'>): boolean {
    const flight = this.#flight
    if (!flight) return false
    if (event.type === 'tool_call_finished') this.#calls.finished(flight, event)
    else if (!this.#calls.isKnown(flight, event)) {
      this.#accept(flight)
      this.#calls.started(flight, event)
    }
    return true
  }

  #rejected(event: RozEventOf<'session_rejected'>): boolean {
    const { code } = event
    const flight = this.#flight
    // It crossed the end of that turn.
    if (code === 'no_active_turn') return true
    if (!flight) return false
    if (code === 'turn_in_progress') {
      if (!flight.hasBegun) this.#again(flight, rejectionWords(event))
      return true
    }
    if (!flight.hasBegun) this.#over(flight, 'error', { message: rejectionWords(event) })
    else if (endsTurn(code)) this.#failed(flight, event)
    else
      this.#options.emit({ type: 'warning_raised', at: this.#options.now(), message: `roz: ${rejectionWords(event)}` })
    return true
  }

  /** Further rejections may follow the first: they say more about the reason. */
  #failed(flight: Flight, event: RozEventOf<'session_rejected'>): void {
    flight.rejections.push(event)
    if (flight.rejections.length > 1) return
    this.#wait(this.#options.limits.rejected, () => {
      if (!flight.isOver) this.#over(flight, 'error', { message: failureWords(flight.rejections) })
    })
  }

  /** The server still works on the previous request: the new one is sent again soon. */
  #again(flight: Flight, words: string): void {
    const { limits, now, send } = this.#options
    if (now() - flight.sentAt > limits.busy) return this.#over(flight, 'error', { message: words })
    this.#timer = setTimeout(() => {
      if (flight.isOver) return
      if (flight.operation.isAborted) this.#over(flight, 'aborted')
      else send(flight.request)
    }, limits.pause)
  }

  #wait(milliseconds: number, then: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(then, milliseconds)
  }

  /** The server has finished it, or zotui has given up on it. */
  #over(
    flight: Flight,
    how: FlightEnd,
    {
      message = 'roz gave no reason',
      usage = null,
    }: { message?: string; usage?: RozEventOf<'turn_finished'> | null } = {},
  ): void {
    const { memory, now, onEnd, team, toolHost } = this.#options
    const { operation, turn } = flight
    const at = now()
    clearTimeout(this.#timer)
    onEnd()
    flight.isOver = true
    this.#flight = null
    this.#past.add(flight.messageId)
    const isStopped = operation.isAborted || how === 'aborted' || how === 'cancelled'
    const stop = isStopped ? 'aborted' : how === 'end' ? 'end' : 'error'
    if (!flight.hasBegun && !flight.isContinuation) return this.#refused(flight, isStopped, message)
    const events = [...(team()?.end(at) ?? []), ...turn.ended(stop, usage, at)]
    memory.ended()
    if (stop !== 'end' || !toolHost.hasDeferred)
      return this.#finish(operation, [...events, ...endOf(operation, stop, message, at)])
    this.#emitAll(events)
    void operation.continueWith(toolHost.outcomes(), text => void this.#resume(operation, text))
  }

  #refused({ operation, isKept }: Flight, isStopped: boolean, message: string): void {
    const { memory, now } = this.#options
    if (!isStopped && isKept) memory.withdraw()
    const at = now()
    this.#finish(operation, [isStopped ? { type: 'turn_ended', at } : { type: 'prompt_refused', at, message }])
  }

  /** Sends the outcome of deferred calls. */
  async #resume(operation: AgentOperation, text: string): Promise<void> {
    const { connect, memory, now, toolHost } = this.#options
    const trouble = await connect()
    if (operation.isOver) return
    if (operation.isAborted) return this.#finish(operation, [{ type: 'turn_ended', at: now() }])
    if (trouble === null) return toolHost.sendOutcomes(text, whole => this.#begin(operation, whole, [], true))
    // The next session receives it with the conversation.
    memory.prompted(text, [])
    this.#finish(operation, endOf(operation, 'error', trouble, now()))
  }

  #finish(operation: AgentOperation, events: readonly AgentEvent[]): void {
    this.#last = null
    operation.end(events)
  }

  #emitAll(events: readonly AgentEvent[]): void {
    for (const each of events) this.#options.emit(each)
  }
}
