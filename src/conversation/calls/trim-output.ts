/**
 * Bounds how much of a call's arguments and result stays in memory. The session's file has all of it, and
 * `withFullCalls` restores it from there. Trimming is part of folding, so that a session read again is the same.
 */
import type { AgentEvent, Content } from '../../agent/event.ts'
import { difference, nothingOmitted, plus, elide, type KeptPart } from './elide.ts'
import type { CallDiff } from '../../agent/turn-events.ts'
import { detached } from '../../text/detached.ts'
import { countNewlines } from '../../text/lines/measure.ts'
import { changeStarts } from '../queries/edit-result.ts'
import { changeRange } from '../list.ts'
import { lastCall } from './nesting.ts'
import type { ChatState, Entry, Turn } from '../state.ts'
import type { Omitted, Part, Shell, ToolCall } from '../part.ts'
import { isObject } from '../../text/json.ts'
import { textAt } from '../../text/member.ts'

/** Characters kept of a call's result, and as many of its arguments: more than zot's own tools return. */
export const OUTPUT_LIMIT = 64 * 1024
/** Characters kept of the result and of the arguments of an old call. */
export const OLD_OUTPUT_LIMIT = 4 * 1024
/**
 * Characters of calls and entries, counted back from the newest, before which all are old: what a fresh agent gets of a conversation by
 * default (`memoryTokens`) is thus in memory in full.
 */
const RECENT = 256 * 1024
/** The newest parts of a turn and the newest entries are never old, however long they are. */
const NEW_PARTS = 32
const NEW_ENTRIES = 8
/** What an entry counts at least. */
const LEAST_ENTRY = 2048
/** The newest entries, beyond which nothing changes. */
export const RECENT_ENTRIES = RECENT / LEAST_ENTRY + 1
/** Characters kept of each text if there are very many. */
const LEAST = 256

/** Shortens what `event` added or made old; `before` is the conversation without it. */
export function trimOutputs(before: ChatState, after: ChatState, event: AgentEvent): ChatState {
  const { open } = after
  const state =
    event.type === 'tool_finished' && open?.kind === 'turn' ? { ...after, open: boundTurn(open, event.id) } : after
  const { entries } = state
  const { length } = entries
  if (event.type === 'tool_finished' && entries !== before.entries) {
    const bound = (entry: Entry, at: number): Entry =>
      entry.kind === 'turn' && entry !== before.entries[at] ? boundTurn(entry, event.id) : entry
    return { ...state, entries: entries.map(bound) }
  }
  if (length <= before.entries.length) return state
  let room = RECENT
  const old = entries.findLastIndex(entry => {
    room -= LEAST_ENTRY + keptOfEntry(entry)
    return room < 0
  })
  const to = Math.min(old + 1, length - NEW_ENTRIES)
  return { ...state, entries: changeRange(entries, length - RECENT_ENTRIES - 1, to, agedEntry) }
}

function keptOfEntry(entry: Entry): number {
  return entry.kind === 'turn' ? entry.kept : entry.kind === 'shell' ? keptOfCall(entry.tool) : 0
}

/** The characters of a call's arguments and result. */
function keptOfCall({ arguments: args, result }: ToolCall): number {
  const resultLength = (result ?? []).reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0)
  return resultLength + (args === undefined ? 0 : JSON.stringify(args).length)
}

function keptOfPart(part: Part | undefined): number {
  return part?.kind === 'tool' ? keptOfCall(part) : part?.kind === 'shell' ? keptOfCall(part.tool) : 0
}

function boundTurn(turn: Turn, finished: string): Turn {
  const index = lastCall(turn, finished)
  const limit = index < turn.aged ? OLD_OUTPUT_LIMIT : OUTPUT_LIMIT
  const parts = turn.parts.changed(index, index + 1, part => boundPart(part, limit))
  let { aged, kept } = turn
  if (index >= aged) kept += keptOfPart(parts.get(index))
  for (; kept > RECENT && aged < parts.length - NEW_PARTS; aged += 1) kept -= keptOfPart(parts.get(aged))
  return { ...turn, parts: parts.changed(turn.aged, aged, agedPart), aged, kept }
}

function agedEntry(entry: Entry): Entry {
  if (entry.kind === 'turn') {
    const aged = entry.parts.length
    return entry.aged === aged
      ? entry
      : { ...entry, parts: entry.parts.changed(entry.aged, aged, agedPart), aged, kept: 0 }
  }
  return entry.kind === 'shell' ? boundShell(entry, OLD_OUTPUT_LIMIT) : entry
}

function boundShell(shell: Shell, limit: number): Shell {
  const tool = boundCall(shell.tool, limit)
  return tool === shell.tool ? shell : { ...shell, tool }
}

function agedPart(part: Part): Part {
  return boundPart(part, OLD_OUTPUT_LIMIT)
}

function boundPart(part: Part, limit: number): Part {
  if (part.kind === 'shell') return boundShell(part, limit)
  return part.kind === 'tool' && part.endedAt !== null ? boundCall(part, limit) : part
}

/** A finished call with at most `limit` characters of its result and about as many of its arguments. */
function boundCall(tool: ToolCall, limit: number): ToolCall {
  const args = boundArguments(tool, limit)
  const result = boundResult(tool, args.value, limit)
  const draft = boundDraft(tool, limit)
  const changes = boundDiffs(tool, limit)
  const cuts = [args.cut, result.cut, changes.cut]
  if (cuts.every(cut => cut === nothingOmitted) && draft.text === tool.argumentsText) return tool
  const omitted = {
    arguments: plus(tool.omitted?.arguments, plus(args.cut, draft.cut)),
    result: plus(tool.omitted?.result, plus(result.cut, changes.cut)),
  }
  const isCut = omitted.arguments.bytes > 0 || omitted.result.bytes > 0
  return {
    ...tool,
    arguments: args.value,
    argumentsText: draft.text,
    result: result.content,
    diffs: changes.diffs,
    hunkLines: changes.hunkLines,
    omitted: isCut ? omitted : null,
  }
}

/** Bounds the streamed JSON; if it was valid, it is dropped, since the arguments repeat it. */
function boundDraft({ arguments: args, argumentsText }: ToolCall, limit: number): { text: string; cut: Omitted } {
  if (argumentsText.length <= limit) return { text: argumentsText, cut: nothingOmitted }
  return args === null || args === undefined
    ? elide(argumentsText, limit, nothingOmitted)
    : { text: '', cut: nothingOmitted }
}

/** Shortens the texts among the arguments; any other large value becomes its own shortened JSON. */
function boundArguments(tool: ToolCall, limit: number): { value: unknown; cut: Omitted } {
  const { arguments: args } = tool
  if (args === undefined || JSON.stringify(args).length <= limit) return { value: args, cut: nothingOmitted }
  const before = tool.omitted?.arguments ?? nothingOmitted
  const entries = isObject(args) ? Object.entries(args) : []
  if (entries.length === 0 || entries.length > limit / LEAST) return boundValue(args, limit, before)
  let cut = nothingOmitted
  const value = Object.fromEntries(
    entries.map(([name, member]) => {
      const bound = boundValue(member, Math.floor(limit / entries.length), before)
      cut = plus(cut, bound.cut)
      return [name, bound.value]
    }),
  )
  return { value, cut }
}

function boundValue(value: unknown, limit: number, before: Omitted): { value: unknown; cut: Omitted } {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const { text: kept, cut } = elide(text, limit, before, 'beginning')
  return cut === nothingOmitted ? { value, cut } : { value: kept, cut }
}

function boundResult(tool: ToolCall, args: unknown, limit: number): { content: ToolCall['result']; cut: Omitted } {
  const content = tool.result
  if (content === null) return { content, cut: nothingOmitted }
  const share = Math.max(LEAST, Math.floor(limit / Math.max(1, content.length)))
  let cut = nothingOmitted
  const kept = content.map((block): Content => {
    if (block.type !== 'text') return block
    const echo = echoOf(block.text, tool.arguments)
    const bound = elide(block.text.slice(echo.length), share, tool.omitted?.result ?? nothingOmitted, keptOf(tool))
    const head = echo === '' ? '' : echoOf(null, args)
    if (bound.cut === nothingOmitted && head === echo) return block
    cut = plus(cut, plus(difference(echo, head), bound.cut))
    return { type: 'text', text: `${head}${bound.text}` }
  })
  return cut === nothingOmitted ? { content, cut } : { content: kept, cut }
}

/**
 * Shortens each change that the agent reports to the part that differs, and that to its beginning. Omitted lines count
 * as added and removed.
 */
function boundDiffs(tool: ToolCall, limit: number): Pick<ToolCall, 'diffs' | 'hunkLines'> & { cut: Omitted } {
  const { diffs, hunkLines } = tool
  if (diffs.reduce((sum, { before, after }) => sum + (before?.length ?? 0) + after.length, 0) <= limit)
    return { diffs, hunkLines, cut: nothingOmitted }
  const share = Math.max(LEAST, Math.floor(limit / (2 * diffs.length)))
  const starts = changeStarts(tool)
  let cut = nothingOmitted
  const kept = diffs.map((diff, index) => {
    const { before, after, from } = differingPart(diff)
    const [old, fresh] = [beginningOf(before ?? '', share), beginningOf(after, share)]
    const [added, removed] = [
      countNewlines(after) - countNewlines(fresh),
      countNewlines(before ?? '') - countNewlines(old),
    ]
    const bytes = difference(`${diff.before ?? ''}${diff.after}`, `${old}${fresh}`).bytes
    cut = plus(cut, { bytes, lines: 0, added, removed })
    const start = starts[index] ?? null
    const kept: CallDiff = { path: diff.path, before: before === null ? null : old, after: fresh }
    return { diff: kept, line: start === null ? null : start + from }
  })
  return { diffs: kept.map(({ diff }) => diff), hunkLines: kept.map(({ line }) => line), cut }
}

/** Unchanged lines that are kept around a change. */
const CONTEXT = 3

/** The part of a change that differs, and the number of lines before it. */
function differingPart({ before, after }: CallDiff): Pick<CallDiff, 'before' | 'after'> & { from: number } {
  if (before === null) return { before, after, from: 0 }
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  const most = Math.min(old.length, fresh.length)
  let [head, tail] = [0, 0]
  while (head < most && old[head] === fresh[head]) head += 1
  while (tail < most - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1
  const [from, to] = [Math.max(0, head - CONTEXT), Math.max(0, tail - CONTEXT)]
  const part = (lines: readonly string[]): string => detached(lines.slice(from, lines.length - to).join('\n'))
  return { before: part(old), after: part(fresh), from }
}

/** The whole lines that fit into `limit` characters, or the beginning of the first one. */
function beginningOf(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = text.lastIndexOf('\n', limit)
  return detached(text.slice(0, end < 0 ? limit : end + 1).toWellFormed())
}

/** The echo of the command in `args`; '' if `text` does not begin with it. A null `text` always matches. */
function echoOf(text: string | null, args: unknown): string {
  const echo = `$ ${textAt(args, 'command') ?? ''}\n\n`
  return text === null || text.startsWith(echo) ? echo : ''
}

function keptOf({ name, state }: ToolCall): KeptPart {
  if (name === 'edit' && state === 'ok') return 'difference'
  return name === 'read' || name === 'write' ? 'beginning' : 'both'
}
