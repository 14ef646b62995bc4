/** The calls of a turn: those that zotui runs for the server, and those that the server runs itself and reports. */
import type { AgentEvent } from '../../../agent/event.ts'
import { failure } from '../../../local-tools/tool.ts'
import { STOPPED } from '../../tool-host/model-messages.ts'
import { asHeard, toContents, toText } from '../../tool-host/outcomes.ts'
import type { HostedResult, ToolHost } from '../../tool-host/tool-host.ts'
import type { NotSent } from '../explain.ts'
import type { RozMemory } from '../memory.ts'
import { toolResult } from '../prompt.ts'
import type { RozEventOf, SessionRequestMessage, WireCallRequest } from '../wire/messages.ts'
import { fromStruct } from '../wire/struct.ts'
import type { Flight } from './flight.ts'

export type RozCallsOptions = {
  toolHost: ToolHost
  memory: RozMemory
  now: () => number
  emit: (event: AgentEvent) => void
  newId: () => string
  send: (request: SessionRequestMessage) => NotSent | null
}

/** The most milliseconds that a call may keep the server waiting, and how long before the server's own end it is given up. */
const PATIENCE = 110_000
const MARGIN = 10_000

export class RozCalls {
  readonly #options: RozCallsOptions
  /** Aborted when the calls that the server requested must stop. */
  #stopping = new AbortController()

  constructor(options: RozCallsOptions) {
    this.#options = options
  }

  /** A prompt is sent: its calls may run. */
  begin(): void {
    this.#stopping = new AbortController()
  }

  /** Stops those that run, and runs no more until the next prompt. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Ends all of them, also those that wait for an answer of the user. */
  end(): void {
    this.stop()
    this.#options.toolHost.endTurn()
  }

  get areStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  /** Answers a call that belongs to no turn that may run it. */
  decline(callId: string): void {
    this.#options.send(toolResult(callId, { content: [{ type: 'text', text: STOPPED }], isError: true }))
  }

  /** Runs a call for the server, and sends it the result. */
  run(flight: Flight, wire: WireCallRequest): void {
    const { call_id: callId, tool_name: name } = wire
    const args = fromStruct(wire.parameters)
    const id = this.#newCall(flight, callId)
    this.#options.memory.called(callId, name, args)
    this.#emitAll(flight.turn.called({ id, name, arguments: args }, this.#options.now()))
    void this.#execute(flight, wire, args, id)
  }

  /** Whether the start of this call is nothing new: it was reported before, or zotui runs it. The server reports both. */
  isKnown(flight: Flight, { call_id: callId, tool_name: name }: RozEventOf<'tool_call_started'>): boolean {
    return flight.calls.has(callId) || this.#isOwn(name)
  }

  /** The server has started a call of its own. */
  started(flight: Flight, { call_id: callId, tool_name: name }: RozEventOf<'tool_call_started'>): void {
    const id = this.#newCall(flight, callId)
    this.#emitAll(flight.turn.called({ id, name, arguments: { where: 'on the server of roz' } }, this.#options.now()))
  }

  /** The server has finished a call of its own. */
  finished(flight: Flight, { call_id: callId, tool_name: name, words }: RozEventOf<'tool_call_finished'>): void {
    const id = flight.calls.get(callId)
    if (id === undefined || this.#isOwn(name)) return
    const result = { failed: false, content: [{ type: 'text', text: words }] } as const
    this.#emitAll(flight.turn.finished(id, result, this.#options.now()))
  }

  #newCall(flight: Flight, callId: string): string {
    const id = this.#options.newId()
    flight.calls.set(callId, id)
    return id
  }

  #isOwn(name: string): boolean {
    return this.#options.toolHost.tools.some(tool => tool.name === name)
  }

  async #execute(flight: Flight, wire: WireCallRequest, args: unknown, id: string): Promise<void> {
    const { call_id: toolUseId, tool_name: name, timeout_ms: timeout } = wire
    const patience = timeout > 0 ? Math.max(timeout / 2, Math.min(timeout - MARGIN, PATIENCE)) : PATIENCE
    const { signal } = this.#stopping
    const result = await this.#options.toolHost.execute({ id, toolUseId, name, arguments: args, patience, signal })
    this.#answered(flight, { callId: toolUseId, name, id }, result)
  }

  #answered(flight: Flight, call: { callId: string; name: string; id: string }, result: HostedResult): void {
    const { words } = result
    // The server has ended the turn without it.
    if (flight.isOver) return words?.back()
    const { memory, now } = this.#options
    if (result.isDeferred) flight.turn.deferred(call.id)
    else this.#emitAll(flight.turn.finished(call.id, { failed: result.isError, content: toContents(result) }, now()))
    const sent = this.#send(call.callId, result)
    memory.answered(call.callId, call.name, toText(sent === 'whole' ? asHeard(result) : result), result.isError)
    if (sent === 'whole') words?.delivered()
    else words?.back()
  }

  /** Sends the result with the user's words, or as much of that as the server takes. */
  #send(callId: string, result: HostedResult): 'whole' | 'without words' {
    const { send } = this.#options
    const short: HostedResult = { ...failure('The result is too large.'), ...(result.words && { words: result.words }) }
    for (const heard of [result, short]) if (send(toolResult(callId, asHeard(heard))) !== 'too large') return 'whole'
    send(toolResult(callId, failure('The result is too large.')))
    return 'without words'
  }

  #emitAll(events: readonly AgentEvent[]): void {
    for (const each of events) this.#options.emit(each)
  }
}
