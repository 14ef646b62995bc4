/**
 * The calls of one turn. An agent may mention a call first in any frame, send its arguments piece by piece, and never end it. Ids
 * are arbitrary text of the agent, so each call gets an id of zotui's. Pure.
 */
import { isObject } from '../../../text/json.ts'
import { isAbsolute, relative } from 'node:path'
import type { AgentEvent, Content } from '../../../agent/event.ts'
import type { ToolKind } from '../../../agent/permission.ts'
import type { CallDiff, CallLocation } from '../../../agent/turn-events.ts'
import type { WireToolCall } from '../frame.ts'
import type { Quirks } from '../known-agents.ts'
import { printedWith, readMeta, resultOf, type CallMeta } from './call-result.ts'
import { diffsOf, shownContent } from './content.ts'
import { lookup } from '../../../text/lookup.ts'

/** A call as it is known so far. */
export type AcpCall = {
  readonly id: string
  name: string
  kind: ToolKind
  title: string
  arguments: unknown
  locations: readonly CallLocation[]
  diffs: readonly CallDiff[]
  /** The content that it shows. */
  shown: readonly Content[]
  phase: 'drafted' | 'called' | 'running' | 'over'
  parent: string | null
  printed: string
  exitCode: number | null
  rawOutput: unknown
  /** The last `tool_described` and `tool_shown`, so that only changes are emitted. */
  reported: { described: string; shown: readonly Content[] }
}

export type Calls = {
  /** Processes a frame about a call. `isFirst`: the frame is one that begins a call. */
  upsert(call: WireToolCall, at: number, isFirst?: boolean): AgentEvent[]
  /** Whether the id is one of a call that is over, or of an earlier turn. */
  isPast(agentId: string): boolean
  get(agentId: string): AcpCall | undefined
  /** The agent asks about a call: its arguments are whole. */
  called(agentId: string, at: number): AgentEvent[]
  /** The call runs from now on. */
  started(id: string, at: number): AgentEvent[]
  /**
   * Something else arrives, so the arguments of drafted calls are complete, for an agent that does not report when a call runs.
   */
  settle(at: number, exceptId?: string): AgentEvent[]
  /** The turn ends. Running calls without an end get their shown content as the result if the turn `endedWell`. */
  end(at: number, endedWell: boolean): AgentEvent[]
}

export type CallOptions = {
  /** Makes an id that is unique in this program. */
  newId: () => string
  quirks: Pick<Quirks, 'startsUnreported' | 'losesOutput'>
  /** The absolute folder that the agent works in. */
  folder: string
}

const MAY_BE_MISSING = '[The first lines may be missing: the agent does not send them.]'

const KINDS: Readonly<Partial<Record<string, ToolKind>>> = {
  execute: 'command',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  read: 'read',
  search: 'read',
}

export function createCalls({ newId, quirks: { startsUnreported, losesOutput }, folder }: CallOptions): Calls {
  let calls = new Map<string, AcpCall>()
  let past = new Set<string>()
  /** Those whose arguments may not be whole: few, while a turn may have many calls. */
  const drafted = new Set<AcpCall>()

  return {
    upsert,
    get: agentId => calls.get(agentId),
    isPast: agentId => past.has(agentId) && !calls.has(agentId),
    called: (agentId, at) => calledEvents(calls.get(agentId), at),
    started(id, at) {
      const call = [...calls.values()].find(each => each.id === id)
      return startedEvents(call, at)
    },
    settle(at, exceptId) {
      if (!startsUnreported || drafted.size === 0) return NOTHING
      const except = exceptId === undefined ? undefined : calls.get(exceptId)
      return [...drafted].flatMap(call => (call !== except && isFilled(call.arguments) ? startedEvents(call, at) : []))
    },
    end(at, endedWell) {
      const events = [...calls.values()].flatMap(call => {
        const showed = call.printed !== '' || call.shown.length > 0
        return endedWell && call.phase === 'running' && showed
          ? finishedEvents(call, false, at)
          : calledEvents(call, at)
      })
      past = new Set(calls.keys())
      calls = new Map()
      drafted.clear()
      return events
    },
  }

  function upsert(wire: WireToolCall, at: number, isFirst = false): AgentEvent[] {
    const { _meta: wireMeta } = wire
    const meta = readMeta(wireMeta)
    let call = calls.get(wire.toolCallId)
    const events: AgentEvent[] = []
    if (!call || (isFirst && call.phase === 'over')) {
      call = draft(wire, meta)
      calls.set(wire.toolCallId, call)
      drafted.add(call)
      events.push({ type: 'tool_drafted', at, id: call.id, name: call.name })
    }
    if (call.phase === 'over') return []
    merge(call, wire, meta)
    if (isDescribed(wire) || call.reported.described === '') events.push(...describe(call, at))
    if (wire.status === 'in_progress') events.push(...startedEvents(call, at))
    events.push(...show(call, wire, meta, at))
    if (wire.status === 'completed' || wire.status === 'failed')
      events.push(...finishedEvents(call, wire.status === 'failed', at))
    return events
  }

  function draft(wire: WireToolCall, meta: CallMeta): AcpCall {
    const name = wire.name ?? meta.toolName ?? wire.kind ?? 'tool'
    return {
      id: newId(),
      name,
      kind: 'other',
      title: '',
      arguments: {},
      locations: [],
      diffs: [],
      shown: [],
      phase: 'drafted',
      parent: meta.parent === null ? null : (calls.get(meta.parent)?.id ?? null),
      printed: '',
      exitCode: null,
      rawOutput: undefined,
      reported: { described: '', shown: [] },
    }
  }

  function merge(call: AcpCall, wire: WireToolCall, meta: CallMeta): void {
    call.name = wire.name ?? meta.toolName ?? call.name
    call.title = wire.title ?? call.title
    if (wire.kind) call.kind = lookup(KINDS, wire.kind) ?? 'other'
    if (isFilled(wire.rawInput)) call.arguments = wire.rawInput
    if (wire.content && wire.content.length > 0) {
      const diffs = diffsOf(wire.content)
      if (diffs.length > 0) call.diffs = diffs
      call.shown = shownContent(wire.content)
    }
    if (wire.locations && wire.locations.length > 0)
      call.locations = wire.locations.map(({ path, line }) => (line ? { path, line } : { path }))
    call.exitCode = meta.exitCode ?? call.exitCode
    if (wire.rawOutput !== undefined && wire.rawOutput !== null) call.rawOutput = wire.rawOutput
  }

  function describe(call: AcpCall, at: number): AgentEvent[] {
    const { title, kind, locations, diffs } = call
    const facts = {
      ...(title && { title }),
      kind,
      ...(locations.length > 0 && { locations: locations.map(near) }),
      ...(diffs.length > 0 && { diff: diffs.map(near) }),
    }
    const described = JSON.stringify(facts)
    if (described === call.reported.described) return []
    call.reported.described = described
    return [{ type: 'tool_described', at, id: call.id, ...facts }]
  }

  /** With a path relative to the folder if it is inside of it, as users read it. */
  function near<Place extends { path: string }>(place: Place): Place {
    const path = relative(folder, place.path)
    return !isAbsolute(place.path) || path === '' || path.startsWith('..') || isAbsolute(path)
      ? place
      : { ...place, path }
  }

  /** The content of a running call, as an addition if it only grows. */
  function show(call: AcpCall, wire: WireToolCall, { output }: CallMeta, at: number): AgentEvent[] {
    const isOver = wire.status === 'completed' || wire.status === 'failed'
    if (output !== '') {
      // Output that comes with the end is whole.
      const isPart = losesOutput && call.kind === 'command' && call.printed === '' && !isOver
      const text = isPart ? `${MAY_BE_MISSING}\n${output}` : output
      call.printed = printedWith(call.printed, text)
      return [...startedEvents(call, at), { type: 'tool_progressed', at, id: call.id, text }]
    }
    const isRunning = call.phase === 'running' && !isOver
    const before = call.reported.shown
    if (!isRunning || !wire.content || JSON.stringify(call.shown) === JSON.stringify(before)) return []
    const added = addition(before, call.shown)
    call.reported.shown = call.shown
    if (added !== null) return [{ type: 'tool_progressed', at, id: call.id, text: added }]
    return [{ type: 'tool_shown', at, id: call.id, content: [...call.shown] }]
  }

  function calledEvents(call: AcpCall | undefined, at: number): AgentEvent[] {
    if (call?.phase !== 'drafted') return []
    call.phase = 'called'
    drafted.delete(call)
    const { id, name, parent } = call
    return [{ type: 'tool_called', at, id, name, arguments: call.arguments, ...(parent !== null && { parent }) }]
  }

  function startedEvents(call: AcpCall | undefined, at: number): AgentEvent[] {
    if (!call || call.phase === 'running' || call.phase === 'over') return []
    const events = calledEvents(call, at)
    call.phase = 'running'
    return [...events, { type: 'tool_started', at, id: call.id }]
  }

  function finishedEvents(call: AcpCall, failed: boolean, at: number): AgentEvent[] {
    const events = calledEvents(call, at)
    call.phase = 'over'
    const { content, exitFailed } = resultOf({ ...call, isCommand: call.kind === 'command' })
    return [...events, { type: 'tool_finished', at, id: call.id, failed: failed || exitFailed, content }]
  }
}

const NOTHING: AgentEvent[] = []

/** Whether a frame may say anything new about a call: most frames of a running call do not. */
function isDescribed({ title, kind, locations, content }: WireToolCall): boolean {
  return Boolean(title ?? kind ?? locations ?? content)
}

/** The addition to a text that was shown; null if something else changed. */
function addition(before: readonly Content[], shown: readonly Content[]): string | null {
  const [[was], [is]] = [before, shown]
  if (before.length > 1 || shown.length !== 1 || is?.type !== 'text') return null
  if (was === undefined) return is.text
  return was.type === 'text' && is.text.startsWith(was.text) ? is.text.slice(was.text.length) : null
}

/** Whether the call has any arguments. */
function isFilled(value: unknown): boolean {
  return isObject(value) ? Object.keys(value).length > 0 : Array.isArray(value) && value.length > 0
}
