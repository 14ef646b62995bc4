/** The turns of a run: a prompt becomes one or more turns of roz, and zotui runs their calls. */
import { randomUUID } from 'node:crypto'
import type { Prompt } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { toContents, toText } from '../tool-host/outcomes.ts'
import { STOPPED } from '../tool-host/model-messages.ts'
import type { ToolHost, HostedResult } from '../tool-host/tool-host.ts'
import type { AgentOperation } from '../host/driver.ts'
import { endsTurn, failureWords, rejectionWords, NOT_SENT, type NotSent } from './explain.ts'
import type { RozLimits } from './limits.ts'
import type { RozMemory } from './memory.ts'
import { promptContext, toolResult, userMessage } from './prompt.ts'
import { createFlight, endOf, type Flight, type FlightEnd } from './turn/flight.ts'
import type { RozTeam } from './turn/team.ts'
import type { RozEvent, RozEventOf, SessionRequestMessage, WireCallRequest } from './wire/messages.ts'
import { fromStruct } from './wire/struct.ts'

export type RozTurns = {
  /** Whether the server works on a prompt. */
  readonly isInTurn: boolean
  /** Runs a prompt, and ends it with its last events. */
  send(operation: AgentOperation, prompt: Prompt): void
  /** Stops what runs. */
  cancel(): void
  /** Takes an event. Returns false if it belongs to no turn in flight. */
  event(event: RozEvent): boolean
  /** The turn in flight fails, with this reason. */
  fail(message: string): void
  /** Ends the calls that the server requested. */
  endCalls(): void
  /** The agent has ended: no more events follow. */
  end(): void
}

export type RozTurnsOptions = {
  limits: RozLimits
  toolHost: ToolHost
  memory: RozMemory
  /** The team that is watched now. */
  team: () => RozTeam | null
  now: () => number
  emit: (event: AgentEvent) => void
  newId: () => string
  send: (request: SessionRequestMessage) => NotSent | null
  /** Ensures that there is a session. Returns the reason if there is none. */
  connect: () => Promise<string | null>
  /** A turn of the server begins, is to stop, and is over. */
  onBegin: () => void
  onStop: () => void
  onEnd: () => void
}

/** The most milliseconds that a call may keep the server waiting, and how long before the server's own end it is given up. */
const PATIENCE = 110_000
const MARGIN = 10_000

export function createRozTurns(options: RozTurnsOptions): RozTurns {
  const { limits, toolHost, memory, team, now, emit, newId, send, connect, onBegin, onStop, onEnd } = options
  let flight: Flight | null = null
  /** The prompt in flight, also while its calls are deferred and the server waits for another prompt. */
  let last: AgentOperation | null = null
  /** Aborted when the calls that the server requested must stop. */
  let stopping = new AbortController()
  /** The ids of earlier prompts: further events for them are ignored. */
  const past = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const turns: RozTurns = {
    get isInTurn() {
      return flight?.hasBegun === true
    },
    send(operation, prompt) {
      stopping = new AbortController()
      last = operation
      begin(operation, prompt.text, promptContext(prompt, toolHost.modeNote() ?? ''))
    },
    cancel() {
      stopping.abort()
      onStop()
      if (!flight) return
      send({ cancel_turn: { reason: 'the user stopped it' } })
      clearTimeout(timer)
      timer = setTimeout(() => flight && over(flight, 'aborted'), limits.cancelled)
    },
    event,
    fail(message) {
      if (flight) over(flight, 'error', { message })
    },
    endCalls,
    end() {
      clearTimeout(timer)
      endCalls()
      const cut = last
      flight = null
      last = null
      cut?.end([])
    },
  }
  return turns

  function begin(operation: AgentOperation, text: string, context: readonly string[], isContinuation = false): void {
    const request = userMessage(text, context, randomUUID())
    flight = createFlight({ operation, request, sentAt: now(), isContinuation })
    onBegin()
    const unsent = send(request)
    if (!unsent) return memory.prompted(text, context)
    // The memory has at most its images.
    memory.shown([])
    flight.isKept = false
    over(flight, 'error', { message: NOT_SENT[unsent] })
  }

  function event(received: RozEvent): boolean {
    if (received.type === 'session_rejected') return rejected(received)
    if (received.type === 'text_delta' || received.type === 'thinking_delta') return said(received)
    if (received.type === 'tool_call_started' || received.type === 'tool_call_finished') return serverCall(received)
    if (received.type === 'tool_call_requested') {
      called(received)
      return true
    }
    if (received.type === 'turn_started') {
      if (flight) accept(flight)
      return flight !== null
    }
    if (received.type !== 'turn_finished') return false
    const current = ofPresent(received.message_id)
    if (current) over(current, received.stop_reason === 'cancelled' ? 'cancelled' : 'end', { usage: received })
    return current !== null
  }

  function said({ type, content, message_id: messageId }: RozEventOf<'text_delta' | 'thinking_delta'>): boolean {
    const current = ofPresent(messageId)
    if (!current) return false
    if (type === 'text_delta') memory.said(content)
    emitAll(current.turn[type === 'text_delta' ? 'said' : 'thought'](content, now()))
    return true
  }

  /** The turn of an event with this id. Some servers send no id; events between two turns are then ignored. */
  function ofPresent(messageId: string | undefined): Flight | null {
    if (!flight || (messageId !== undefined && past.has(messageId))) return null
    if (messageId === undefined && !flight.hasBegun && past.size > 0) return null
    accept(flight)
    return flight
  }

  function accept(current: Flight): void {
    if (current.hasBegun) return
    current.hasBegun = true
    clearTimeout(timer)
    current.operation.accepted()
    emitAll(team()?.begin(now()) ?? [])
  }

  function emitAll(events: readonly AgentEvent[]): void {
    for (const each of events) emit(each)
  }

  function rejected(event: RozEventOf<'session_rejected'>): boolean {
    const { code } = event
    // It crossed the end of that turn.
    if (code === 'no_active_turn') return true
    if (!flight) return false
    if (code === 'turn_in_progress') {
      if (!flight.hasBegun) again(flight, rejectionWords(event))
      return true
    }
    if (!flight.hasBegun) over(flight, 'error', { message: rejectionWords(event) })
    else if (endsTurn(code)) failed(flight, event)
    else emit({ type: 'warning_raised', at: now(), message: `roz: ${rejectionWords(event)}` })
    return true
  }

  function failed(current: Flight, event: RozEventOf<'session_rejected'>): void {
    current.rejections.push(event)
    if (current.rejections.length > 1) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (flight === current) over(current, 'error', { message: failureWords(current.rejections) })
    }, limits.rejected)
  }

  /** The server still works on the previous request: the new one is sent again soon. */
  function again(current: Flight, words: string): void {
    if (now() - current.sentAt > limits.busy) return over(current, 'error', { message: words })
    timer = setTimeout(() => {
      if (flight !== current) return
      if (current.operation.isAborted) over(current, 'aborted')
      else send(current.request)
    }, limits.pause)
  }

  function called(wire: WireCallRequest): void {
    const { call_id: callId, tool_name: name } = wire
    if (!flight || (!flight.hasBegun && past.size > 0) || stopping.signal.aborted)
      return void send(toolResult(callId, { content: [{ type: 'text', text: STOPPED }], isError: true }))
    // The event is a repetition.
    if (flight.calls.has(callId)) return
    accept(flight)
    const id = newId()
    flight.calls.set(callId, id)
    const args = fromStruct(wire.parameters)
    memory.called(callId, name, args)
    emitAll(flight.turn.called({ id, name, arguments: args }, now()))
    void execute(flight, wire, args, id)
  }

  async function execute(current: Flight, wire: WireCallRequest, args: unknown, id: string): Promise<void> {
    const { call_id: toolUseId, tool_name: name, timeout_ms: timeout } = wire
    const patience = timeout > 0 ? Math.max(timeout / 2, Math.min(timeout - MARGIN, PATIENCE)) : PATIENCE
    const result = await toolHost.execute({ id, toolUseId, name, arguments: args, patience, signal: stopping.signal })
    answered(current, { callId: toolUseId, name, id }, result)
  }

  function answered(current: Flight, call: { callId: string; name: string; id: string }, result: HostedResult): void {
    // The server has ended the turn without it.
    if (flight !== current) return
    if (result.isDeferred) current.turn.deferred(call.id)
    else emitAll(current.turn.finished(call.id, { failed: result.isError, content: toContents(result) }, now()))
    memory.answered(call.callId, call.name, toText(result), result.isError)
    if (send(toolResult(call.callId, result)) === 'too large')
      send(toolResult(call.callId, { content: [{ type: 'text', text: 'The result is too large.' }], isError: true }))
  }

  /** A call that the server runs itself and reports. */
  function serverCall(event: RozEventOf<'tool_call_started' | 'tool_call_finished'>): boolean {
    if (!flight) return false
    const { call_id: callId, tool_name: name, words } = event
    const known = flight.calls.get(callId)
    if (event.type === 'tool_call_started') {
      // The server reports zotui's own calls, too.
      if (known !== undefined || toolHost.tools.some(tool => tool.name === name)) return true
      accept(flight)
      const id = newId()
      flight.calls.set(callId, id)
      emitAll(flight.turn.called({ id, name, arguments: { where: 'on the server of roz' } }, now()))
    } else if (known !== undefined && !toolHost.tools.some(tool => tool.name === name))
      emitAll(flight.turn.finished(known, { failed: false, content: [{ type: 'text', text: words }] }, now()))
    return true
  }

  /** The server has finished it, or zotui has given up on it. */
  function over(
    current: Flight,
    how: FlightEnd,
    {
      message = 'roz gave no reason',
      usage = null,
    }: { message?: string; usage?: RozEventOf<'turn_finished'> | null } = {},
  ): void {
    const { operation, turn } = current
    const at = now()
    clearTimeout(timer)
    onEnd()
    flight = null
    past.add(current.messageId)
    const isStopped = operation.isAborted || how === 'aborted' || how === 'cancelled'
    const stop = isStopped ? 'aborted' : how === 'end' ? 'end' : 'error'
    if (!current.hasBegun && !current.isContinuation) return refused(current, isStopped, message)
    const events = [...(team()?.end(at) ?? []), ...turn.ended(stop, usage, at)]
    memory.ended()
    if (stop !== 'end' || !toolHost.hasDeferred)
      return finish(operation, [...events, ...endOf(operation, stop, message, at)])
    emitAll(events)
    void operation.continueWith(toolHost.outcomes(), text => void resume(operation, text))
  }

  function refused({ operation, isKept }: Flight, isStopped: boolean, message: string): void {
    if (!isStopped && isKept) memory.withdraw()
    const at = now()
    finish(operation, [isStopped ? { type: 'turn_ended', at } : { type: 'prompt_refused', at, message }])
  }

  /** Sends the outcome of deferred calls. */
  async function resume(operation: AgentOperation, text: string): Promise<void> {
    const trouble = await connect()
    if (operation.isOver) return
    if (operation.isAborted) return finish(operation, [{ type: 'turn_ended', at: now() }])
    if (trouble === null) return begin(operation, text, [], true)
    // The next session receives it with the conversation.
    memory.prompted(text, [])
    finish(operation, endOf(operation, 'error', trouble, now()))
  }

  function finish(operation: AgentOperation, events: readonly AgentEvent[]): void {
    last = null
    operation.end(events)
  }

  function endCalls(): void {
    stopping.abort()
    toolHost.endTurn()
  }
}
