/** A call as its frames describe it, piece by piece. Pure. */
import { isObject } from '../../../text/json.ts'
import { isAbsolute, relative } from 'node:path'
import type { AgentEvent, Content } from '../../../agent/event.ts'
import type { ToolKind } from '../../../agent/permission.ts'
import type { CallDiff, CallLocation } from '../../../agent/turn-events.ts'
import type { WireToolCall } from '../frame.ts'
import type { CallMeta } from './call-result.ts'
import { diffsOf, shownContent } from './content.ts'
import { lookup } from '../../../text/lookup.ts'

/** A call as it is known so far. */
export type AcpCall = {
  readonly id: string
  name: string
  kind: ToolKind
  /** It switches the mode of the agent. */
  switchesMode: boolean
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
  /** See `CallMeta`. */
  response: unknown
  /** The last `tool_described` and `tool_shown`, so that only changes are emitted. */
  reported: { described: string; shown: readonly Content[] }
}

const KINDS: Readonly<Partial<Record<string, ToolKind>>> = {
  execute: 'command',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  read: 'read',
  search: 'read',
}

/** A call of which only its first frame is known. `parent` is the call that made it. */
export function draftCall(id: string, wire: WireToolCall, { toolName }: CallMeta, parent: string | null): AcpCall {
  return {
    id,
    name: wire.name ?? toolName ?? wire.kind ?? 'tool',
    kind: 'other',
    switchesMode: false,
    title: '',
    arguments: {},
    locations: [],
    diffs: [],
    shown: [],
    phase: 'drafted',
    parent,
    printed: '',
    exitCode: null,
    rawOutput: undefined,
    response: undefined,
    reported: { described: '', shown: [] },
  }
}

/** Adds what a frame says about a call. */
export function mergeFrame(call: AcpCall, wire: WireToolCall, meta: CallMeta): void {
  call.name = wire.name ?? meta.toolName ?? call.name
  call.title = wire.title ?? call.title
  if (wire.kind) call.kind = lookup(KINDS, wire.kind) ?? 'other'
  call.switchesMode ||= wire.kind === 'switch_mode'
  if (isFilled(wire.rawInput)) call.arguments = wire.rawInput
  if (wire.content && wire.content.length > 0) {
    const diffs = diffsOf(wire.content)
    if (diffs.length > 0) call.diffs = diffs
    call.shown = shownContent(wire.content)
  }
  if (wire.locations && wire.locations.length > 0)
    call.locations = wire.locations.map(({ path, line }) => (line ? { path, line } : { path }))
  call.exitCode = meta.exitCode ?? call.exitCode
  call.response = meta.response ?? call.response
  if (wire.rawOutput !== undefined && wire.rawOutput !== null) call.rawOutput = wire.rawOutput
}

/** Reports what the call is about, if that has changed. Paths are relative to the folder if they are inside of it, as users read them. */
export function describeCall(call: AcpCall, folder: string, at: number): AgentEvent[] {
  const { title, kind, locations, diffs } = call
  const facts = {
    ...(title && { title }),
    kind,
    ...(locations.length > 0 && { locations: locations.map(each => near(each, folder)) }),
    ...(diffs.length > 0 && { diff: diffs.map(each => near(each, folder)) }),
  }
  const described = JSON.stringify(facts)
  if (described === call.reported.described) return []
  call.reported.described = described
  return [{ type: 'tool_described', at, id: call.id, ...facts }]
}

function near<Place extends { path: string }>(place: Place, folder: string): Place {
  const path = relative(folder, place.path)
  return !isAbsolute(place.path) || path === '' || path.startsWith('..') || isAbsolute(path)
    ? place
    : { ...place, path }
}

/** Reports what a running call shows, if that has changed: as an addition if it only grows. */
export function showContent(call: AcpCall, at: number): AgentEvent[] {
  const before = call.reported.shown
  if (JSON.stringify(call.shown) === JSON.stringify(before)) return []
  const added = addition(before, call.shown)
  call.reported.shown = call.shown
  if (added !== null) return [{ type: 'tool_progressed', at, id: call.id, text: added }]
  return [{ type: 'tool_shown', at, id: call.id, content: [...call.shown] }]
}

/** Whether a frame may say anything new about a call: most frames of a running call do not. */
export function isDescribed({ title, kind, locations, content }: WireToolCall): boolean {
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
export function isFilled(value: unknown): boolean {
  return isObject(value) ? Object.keys(value).length > 0 : Array.isArray(value) && value.length > 0
}
