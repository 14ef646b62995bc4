/**
 * The calls of one turn. An agent may mention a call first in any frame, send its arguments piece by piece, and never end it. Ids
 * are arbitrary text of the agent, so each call gets an id of zotui's. Pure.
 */
import type { AgentEvent, Content } from '../../../agent/event.ts'
import type { WireToolCall } from '../frame.ts'
import type { Quirks } from '../known-agents.ts'
import type { BackgroundTasks } from '../tasks/background.ts'
import { describeCall, draftCall, isDescribed, isFilled, mergeFrame, showContent, type AcpCall } from './call.ts'
import { printedWith, readMeta, resultOf, type CallMeta } from './call-result.ts'

export type CallOptions = {
  /** Makes an id that is unique in this program. */
  newId: () => string
  quirks: Pick<Quirks, 'startsUnreported' | 'losesOutput' | 'background' | 'outlivingCommands'>
  /** The absolute folder that the agent works in. */
  folder: string
  /** What goes on beside the turns. */
  background: BackgroundTasks
}

/** Calls that have ended, which are remembered so that nothing that comes later counts as a new one. */
const MOST_OVER = 10_000

const MAY_BE_MISSING = '[The first lines may be missing: the agent does not send them.]'

const GOES_ON = '[It goes on in the background.]'

const NOTHING: AgentEvent[] = []

export class AcpCalls {
  readonly #options: CallOptions
  #calls = new Map<string, AcpCall>()
  /** The ids of the calls of the turn before. */
  #past = new Set<string>()
  /** Commands that have outlived their turn. */
  readonly #late = new Map<string, AcpCall>()
  /** Those whose arguments may not be whole: few, while a turn may have many calls. */
  readonly #drafted = new Set<AcpCall>()

  constructor(options: CallOptions) {
    this.#options = options
  }

  /** Processes a frame about a call. `isFirst`: the frame is one that begins a call. */
  upsert(wire: WireToolCall, at: number, isFirst = false): AgentEvent[] {
    const { _meta: wireMeta } = wire
    const meta = readMeta(wireMeta)
    let call = this.#calls.get(wire.toolCallId)
    const events: AgentEvent[] = []
    if (!call || (isFirst && call.phase === 'over')) {
      call = this.#draft(wire, meta)
      events.push({ type: 'tool_drafted', at, id: call.id, name: call.name })
    }
    if (call.phase === 'over') return []
    mergeFrame(call, wire, meta)
    if (isDescribed(wire) || call.reported.described === '')
      events.push(...describeCall(call, this.#options.folder, at))
    if (wire.status === 'in_progress') events.push(...this.#start(call, at))
    events.push(...this.#show(call, wire, meta, at))
    if (isEnd(wire)) events.push(...this.#finish(call, wire.status === 'failed', at))
    return events
  }

  /** Whether it is a command that has outlived its turn. */
  isLate(agentId: string): boolean {
    return this.#late.has(agentId)
  }

  /** Processes a frame about such a command: its end is that of its call. */
  late(wire: WireToolCall, at: number): AgentEvent[] {
    const call = this.#late.get(wire.toolCallId)
    if (!call) return []
    const { _meta: wireMeta } = wire
    const meta = readMeta(wireMeta)
    mergeFrame(call, wire, meta)
    call.printed = printedWith(call.printed, meta.output)
    if (!isEnd(wire)) return []
    this.#late.delete(wire.toolCallId)
    this.#past.add(wire.toolCallId)
    const { content, exitFailed } = resultOf({ ...call, isCommand: true })
    const failed = wire.status === 'failed' || exitFailed
    const summary = call.exitCode === null ? '' : `exit code ${call.exitCode}`
    return [
      { type: 'tool_finished', at, id: call.id, failed, content },
      ...this.#options.background.outlived(call, failed, summary, at),
    ]
  }

  /** Whether a call runs. */
  get hasRunning(): boolean {
    return [...this.#calls.values()].some(({ phase }) => phase === 'running' || phase === 'called')
  }

  /** Whether the id is one of a call of the turn before this one. */
  isPast(agentId: string): boolean {
    return this.#past.has(agentId) && !this.#calls.has(agentId)
  }

  get(agentId: string): AcpCall | undefined {
    return this.#calls.get(agentId)
  }

  /** The agent asks about a call: its arguments are whole. */
  called(agentId: string, at: number): AgentEvent[] {
    return this.#call(this.#calls.get(agentId), at)
  }

  /** The call runs from now on. */
  started(id: string, at: number): AgentEvent[] {
    return this.#start(
      [...this.#calls.values()].find(each => each.id === id),
      at,
    )
  }

  /** Something else arrives, so the arguments of drafted calls are complete, for an agent that does not report when a call runs. */
  settle(at: number, exceptId?: string): AgentEvent[] {
    if (!this.#options.quirks.startsUnreported || this.#drafted.size === 0) return NOTHING
    const except = exceptId === undefined ? undefined : this.#calls.get(exceptId)
    const settled = [...this.#drafted].filter(call => call !== except && isFilled(call.arguments))
    return settled.flatMap(call => this.#start(call, at))
  }

  /** The turn ends. Running calls without an end get their shown content as the result if the turn `endedWell`. */
  end(at: number, endedWell: boolean): AgentEvent[] {
    const events = [...this.#calls].flatMap(([agentId, call]) => {
      if (endedWell && this.#mayOutlive(call)) return this.#outlives(agentId, call, at)
      const showed = call.printed !== '' || call.shown.length > 0
      const isOver = endedWell && call.phase === 'running' && showed
      return isOver ? this.#finish(call, false, at) : this.#call(call, at)
    })
    this.#past = new Set([...this.#calls.keys()].filter(agentId => !this.#late.has(agentId)))
    this.#calls = new Map()
    this.#drafted.clear()
    return events
  }

  #mayOutlive({ phase, kind }: AcpCall): boolean {
    const { quirks, background } = this.#options
    return quirks.outlivingCommands === true && background.isLive && phase === 'running' && kind === 'command'
  }

  #outlives(agentId: string, call: AcpCall, at: number): AgentEvent[] {
    this.#late.set(agentId, call)
    call.phase = 'over'
    const { content } = resultOf({ ...call, isCommand: true })
    const goesOn: Content = { type: 'text', text: GOES_ON }
    return [
      { type: 'tool_finished', at, id: call.id, failed: false, content: [...content, goesOn] },
      ...this.#options.background.outlives(call, at),
    ]
  }

  #draft(wire: WireToolCall, meta: CallMeta): AcpCall {
    const parent = meta.parent === null ? null : (this.#calls.get(meta.parent)?.id ?? null)
    const call = draftCall(this.#options.newId(), wire, meta, parent)
    this.#calls.set(wire.toolCallId, call)
    this.#drafted.add(call)
    return call
  }

  /** What a frame adds to the output or the content of a call. */
  #show(call: AcpCall, wire: WireToolCall, { output }: CallMeta, at: number): AgentEvent[] {
    if (output === '') return call.phase === 'running' && !isEnd(wire) && wire.content ? showContent(call, at) : []
    // Output that comes with the end is whole.
    const isPart =
      this.#options.quirks.losesOutput === true && call.kind === 'command' && call.printed === '' && !isEnd(wire)
    const text = isPart ? `${MAY_BE_MISSING}\n${output}` : output
    call.printed = printedWith(call.printed, text)
    return [...this.#start(call, at), { type: 'tool_progressed', at, id: call.id, text }]
  }

  #call(call: AcpCall | undefined, at: number): AgentEvent[] {
    if (call?.phase !== 'drafted') return []
    call.phase = 'called'
    this.#drafted.delete(call)
    const { id, name, parent } = call
    return [{ type: 'tool_called', at, id, name, arguments: call.arguments, ...(parent !== null && { parent }) }]
  }

  #start(call: AcpCall | undefined, at: number): AgentEvent[] {
    if (!call || call.phase === 'running' || call.phase === 'over') return []
    const events = this.#call(call, at)
    call.phase = 'running'
    return [...events, { type: 'tool_started', at, id: call.id }]
  }

  #finish(call: AcpCall, failed: boolean, at: number): AgentEvent[] {
    const events = this.#call(call, at)
    call.phase = 'over'
    const { content, exitFailed } = resultOf({ ...call, isCommand: call.kind === 'command' })
    const isFailed = failed || exitFailed
    const { quirks, background } = this.#options
    const begun = quirks.background && !isFailed ? background.called(call, at) : []
    this.#forget(call)
    return [...events, { type: 'tool_finished', at, id: call.id, failed: isFailed, content }, ...begun]
  }

  /** Only that it is over is needed of it. */
  #forget(call: AcpCall): void {
    call.printed = ''
    call.rawOutput = undefined
    call.response = undefined
    call.shown = []
    call.diffs = []
    call.reported = { described: '', shown: [] }
    if (this.#calls.size <= MOST_OVER) return
    for (const [agentId, { phase }] of this.#calls) {
      if (this.#calls.size <= MOST_OVER) break
      if (phase === 'over') this.#calls.delete(agentId)
    }
  }
}

function isEnd({ status }: WireToolCall): boolean {
  return status === 'completed' || status === 'failed'
}
