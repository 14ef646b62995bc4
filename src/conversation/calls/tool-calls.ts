/** Folds the events of tool calls into their turn. A number such as (13) is an oddity in docs/zot-protocol.md. */
import type { EventOf } from '../../agent/event.ts'
import { elide, nothingOmitted } from './elide.ts'
import { lastCall, nestedIn } from './nesting.ts'
import type { Turn } from '../state.ts'
import { PROGRESS_LIMIT, type Part, type ToolCall, type ToolState } from '../part.ts'

/** Ends all open parts: a call that was running is aborted, any other was never run (13, 14). */
export function endTools(turn: Turn, at: number): Turn {
  return {
    ...turn,
    retry: null,
    compactingSince: null,
    parts: turn.parts.changed(0, turn.parts.length, part => {
      if (part.kind === 'text' || part.kind === 'thought') return settledPart(part, at)
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
    parent: null,
    root: id,
    name,
    title: '',
    does: null,
    locations: [],
    diffs: [],
    argumentsText: '',
    arguments: undefined,
    called: false,
    state,
    draftedAt: at,
    startedAt: null,
    endedAt: null,
    progress: '',
    progressDropped: 0,
    shown: null,
    result: null,
    omitted: null,
    hunkLines: [],
    image: null,
  }
}

export function draftTool(turn: Turn, { id, name, at }: EventOf<'tool_drafted'>): Turn {
  return plusSettled(turn, newTool(id, name, 'composing', at), at)
}

/** Adds a part that ends the texts and thoughts before it. */
export function plusSettled(turn: Turn, part: Part, at: number): Turn {
  const settled = turn.parts.changed(turn.settled, turn.parts.length, each => settledPart(each, at))
  if (part.kind !== 'tool') return { ...turn, parts: settled.plus(part), settled: settled.length }
  const early = turn.earlyFacts.get(part.id)
  const earlyFacts = early === undefined ? turn.earlyFacts : without(turn.earlyFacts, part.id)
  return { ...turn, earlyFacts, parts: settled.plus({ ...part, ...early }), settled: settled.length + 1 }
}

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([each]) => each !== key))
}

/** A text or a thought to which nothing can be added any more. */
function settledPart(part: Part, at: number): Part {
  if (part.kind === 'text' && !part.final) return { ...part, final: true, grown: null }
  return part.kind === 'thought' && part.endedAt === null ? { ...part, endedAt: at } : part
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
  const reported = { name: event.name, arguments: event.arguments, called: true }
  const { parent = null } = event
  const draft = oldestOpen(turn, event.id, (tool, index) => index >= turn.attemptStart && !tool.called)
  const drafted = turn.parts.get(draft)
  if (drafted?.kind === 'tool' && drafted.parent === parent) {
    const state = drafted.startedAt === null ? 'waiting' : drafted.state
    return changeAt(turn, draft, tool => ({ ...tool, ...reported, state }))
  }
  const newest = turn.parts.get(lastCall(turn, event.id, turn.attemptStart))
  const nesting = nestedIn(turn, parent, event.id)
  if (drafted?.kind === 'tool') {
    // Its place in the nesting is known only now.
    const gone = changeAt(turn, draft, tool => ({ ...tool, withdrawn: true }))
    return plusSettled(gone, { ...drafted, ...reported, ...nesting }, event.at)
  }
  const call = { ...newTool(event.id, event.name, 'waiting', event.at), ...reported, ...nesting }
  // The result came first and may be printed already: the call is added again, now with its arguments. Copy every field that
  // `toolFinished` sets.
  const ended =
    newest?.kind === 'tool' && !newest.called && newest.endedAt !== null
      ? { state: newest.state, startedAt: newest.startedAt, endedAt: event.at, result: newest.result }
      : {}
  return plusSettled(turn, { ...call, ...ended }, event.at)
}

/** Marks the oldest waiting call with this id as running; calls of this attempt come first. */
export function toolStarted(turn: Turn, { id, at }: EventOf<'tool_started'>): Turn {
  const here = oldestOpen(turn, id, (tool, index) => tool.state !== 'running' && index >= turn.attemptStart)
  const index = here >= 0 ? here : oldestOpen(turn, id, tool => tool.state !== 'running' && tool.called)
  return changeAt(turn, index, tool => ({ ...tool, state: 'running', startedAt: tool.startedAt ?? at }))
}

/** Adds the description to the newest call with this id, even after its end. */
export function toolDescribed(turn: Turn, event: EventOf<'tool_described'>): Turn {
  const { id, title, kind, locations, diff } = event
  return changeAt(turn, lastCall(turn, id), tool => ({
    ...tool,
    title: title ?? tool.title,
    does: kind ?? tool.does,
    locations: locations ?? tool.locations,
    ...(diff && { diffs: diff, hunkLines: [] }),
  }))
}

/** The shown output replaces everything that the call has printed so far. */
export function toolShown(turn: Turn, { id, content }: EventOf<'tool_shown'>): Turn {
  return changeAt(turn, runningCall(turn, id), tool => {
    const shown = content.map(block =>
      block.type === 'text' ? { ...block, text: elide(block.text, 2 * PROGRESS_LIMIT, nothingOmitted).text } : block,
    )
    const progress = shown.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
    return { ...tool, shown, progress, progressDropped: 0 }
  })
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

/** Output of an unknown call adds a running one; output after a result is ignored, since the result includes it. */
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
    // A refused call also has a result: the message that the model got instead of one.
    state: tool.permission?.state === 'refused' || tool.steered ? 'not_run' : state,
    startedAt: tool.startedAt ?? event.at,
    endedAt: event.at,
    // An agent that sends no result has shown it before.
    result: event.content.length === 0 && tool.shown !== null ? tool.shown : event.content,
    // The result contains all progress, cleanly decoded (10).
    progress: '',
    progressDropped: 0,
    shown: null,
  })
  const index = runningCall(turn, event.id)
  if (index >= 0) return changeAt(turn, index, finished)
  const newest = turn.parts.get(lastCall(turn, event.id, turn.attemptStart))
  const name = newest?.kind === 'tool' ? newest.name : UNKNOWN
  const ended = finished(newTool(event.id, name, 'running', event.at))
  return { ...turn, parts: turn.parts.plus(ended) }
}

/** Its result may come before or after: it says the user's words, and the call did not run. */
export function callSteered(turn: Turn, id: string): Turn {
  const open = runningCall(turn, id)
  const index = open < 0 ? lastCall(turn, id, turn.attemptStart) : open
  return changeAt(turn, index, tool => ({ ...tool, steered: true, state: isOpen(tool.state) ? tool.state : 'not_run' }))
}

/** Whether a call ran. Agents report the call and its start in either order. */
export function hasRun(tool: ToolCall): boolean {
  return tool.called || tool.startedAt !== null
}
