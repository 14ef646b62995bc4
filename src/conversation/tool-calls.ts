/** Folds the events of tool calls into their turn. A number such as (13) is an oddity in docs/zot-protocol.md. */
import type { EventOf } from '../agent/event.ts'
import { lastCall, parentOf } from './nesting.ts'
import { PROGRESS_LIMIT, type Part, type ToolCall, type ToolState, type Turn } from './state.ts'

/** Ends all open parts: a call that was running is aborted, any other was never run (13, 14). */
export function endTools(turn: Turn, at: number): Turn {
  return {
    ...turn,
    parts: turn.parts.changed(0, turn.parts.length, part => {
      if (part.kind === 'text') return part.final ? part : { ...part, final: true, grown: null }
      if (part.kind !== 'tool' || !isOpen(part.state)) return part
      return { ...part, state: part.state === 'running' ? 'aborted' : 'not_run', endedAt: at }
    }),
  }
}

export function isOpen(state: ToolState): boolean {
  return state === 'composing' || state === 'waiting' || state === 'running'
}

export function newTool(id: string, name: string, state: ToolState, at: number): ToolCall {
  return {
    kind: 'tool',
    withdrawn: false,
    id,
    parent: parentOf(id),
    name,
    argumentsText: '',
    arguments: undefined,
    called: false,
    state,
    draftedAt: at,
    startedAt: null,
    endedAt: null,
    progress: '',
    progressDropped: 0,
    result: null,
    omitted: null,
    hunkLines: [],
    image: null,
  }
}

export function draftTool(turn: Turn, { id, name, at }: EventOf<'tool_drafted'>): Turn {
  const settled = turn.parts.changed(turn.settled, turn.parts.length, part =>
    part.kind === 'text' && !part.final ? { ...part, final: true, grown: null } : part,
  )
  const parts = settled.plus(newTool(id, name, 'composing', at))
  return { ...turn, parts, settled: parts.length }
}

/** At most this many calls with the same id are examined to find one of them. */
const MOST_ALIKE = 32

/** The oldest open call with this id that matches, among the newest ones; -1 for none. */
function oldestOpen(turn: Turn, id: string, suits: (tool: ToolCall, index: number) => boolean): number {
  let found = -1
  let index = lastCall(turn, id)
  for (let looked = 0; index >= 0 && looked < MOST_ALIKE; looked += 1, index = lastCall(turn, id, 0, index)) {
    const tool = turn.parts.get(index)
    if (tool?.kind !== 'tool' || tool.withdrawn) continue
    if (!isOpen(tool.state)) break
    if (suits(tool, index)) found = index
  }
  return found
}

/** The call that a result or output with this id belongs to: one of this attempt, or an earlier one that still runs. */
export function runningCall(turn: Turn, id: string): number {
  return oldestOpen(turn, id, (tool, index) => index >= turn.attemptStart || hasRun(tool))
}

/** Changes the newest call with this id in this attempt. */
export function changeTool(turn: Turn, id: string, change: (tool: ToolCall) => ToolCall): Turn {
  return changeAt(turn, lastCall(turn, id, turn.attemptStart), change)
}

export function changeAt(turn: Turn, index: number, change: (tool: ToolCall) => ToolCall): Turn {
  const tool = turn.parts.get(index)
  return tool?.kind === 'tool' ? { ...turn, parts: turn.parts.with(index, change(tool)) } : turn
}

export function toolCalled(turn: Turn, event: EventOf<'tool_called'>): Turn {
  const told = { name: event.name, arguments: event.arguments, called: true }
  // A call made by a tool runs at once; several may run at the same time.
  const begun = event.id.includes('/')
    ? ({ state: 'running', startedAt: event.at } as const)
    : ({ state: 'waiting', startedAt: null } as const)
  const draft = oldestOpen(turn, event.id, (tool, index) => index >= turn.attemptStart && !tool.called)
  if (draft >= 0) {
    return changeAt(turn, draft, tool => ({ ...tool, ...told, ...(tool.startedAt === null ? begun : {}) }))
  }
  const newest = turn.parts.get(lastCall(turn, event.id, turn.attemptStart))
  const call = { ...newTool(event.id, event.name, begun.state, event.at), ...told, startedAt: begun.startedAt }
  // The result came first and may be printed already: the call is added again, now with its arguments. Copy every field that
  // `toolFinished` sets.
  const ended =
    newest?.kind === 'tool' && !newest.called && newest.endedAt !== null
      ? { state: newest.state, startedAt: newest.startedAt, endedAt: event.at, result: newest.result }
      : {}
  return { ...turn, parts: turn.parts.plus({ ...call, ...ended }) }
}

/** Marks the next call as running: the tools of a step run one after another, in order. */
export function runNext(turn: Turn, at: number): Turn {
  const found = turn.parts.findIndex(isOpenTopLevelTool, turn.firstOpen)
  const firstOpen = found < 0 ? turn.parts.length : found
  const tool = turn.parts.get(firstOpen)
  if (tool?.kind !== 'tool' || tool.state === 'running') return { ...turn, firstOpen }
  return { ...turn, firstOpen, parts: turn.parts.with(firstOpen, { ...tool, state: 'running', startedAt: at }) }
}

function isOpenTopLevelTool(part: Part): part is ToolCall {
  return part.kind === 'tool' && !part.withdrawn && part.parent === null && isOpen(part.state)
}

export function progress(tool: ToolCall, text: string, at: number): ToolCall {
  if (!isOpen(tool.state)) return tool
  const all = tool.progress + text
  // Cut only at twice the limit, so that a flood does not copy the whole tail for every chunk; and by whole limits, so that
  // the rest does not depend on how the output was chunked.
  const excess = Math.max(0, Math.floor(all.length / PROGRESS_LIMIT) - 1) * PROGRESS_LIMIT
  return {
    ...tool,
    state: 'running',
    startedAt: tool.startedAt ?? at,
    progress: excess > 0 ? all.slice(excess) : all,
    progressDropped: tool.progressDropped + excess,
  }
}

/** Output of an unknown call makes it a running one; output after a result is ignored, since the result includes it. */
export function toolProgressed(turn: Turn, event: EventOf<'tool_progressed'>): Turn {
  const printed = (tool: ToolCall): ToolCall => progress(tool, event.text, event.at)
  const index = runningCall(turn, event.id)
  if (index >= 0) return changeAt(turn, index, printed)
  const newest = turn.parts.get(lastCall(turn, event.id))
  if (newest?.kind === 'tool' && !newest.withdrawn && hasRun(newest)) return turn
  return { ...turn, parts: turn.parts.plus(printed(newTool(event.id, UNKNOWN, 'running', event.at))) }
}

/** The name of a call if only its output or its result is known. */
const UNKNOWN = 'unknown'

export function toolFinished(turn: Turn, event: EventOf<'tool_finished'>): Turn {
  const state = event.failed ? (turn.aborting ? 'aborted' : 'failed') : 'ok'
  const finished = (tool: ToolCall): ToolCall => ({
    ...tool,
    // A refused call has a result, too: the words that the model got instead of one.
    state: tool.permission?.state === 'refused' ? 'not_run' : state,
    startedAt: tool.startedAt ?? event.at,
    endedAt: event.at,
    result: event.content,
    // The result holds all of it, cleanly decoded (10).
    progress: '',
    progressDropped: 0,
  })
  const index = runningCall(turn, event.id)
  if (index >= 0) return runNext(changeAt(turn, index, finished), event.at)
  const newest = turn.parts.get(lastCall(turn, event.id, turn.attemptStart))
  const name = newest?.kind === 'tool' ? newest.name : UNKNOWN
  const ended = finished(newTool(event.id, name, 'running', event.at))
  return runNext({ ...turn, parts: turn.parts.plus(ended) }, event.at)
}

/** Whether a call ran, in whatever order the agent reported it. */
export function hasRun(tool: ToolCall): boolean {
  return tool.called || tool.startedAt !== null
}
