/** Folds the events inside a turn. Numbers such as 2.19 refer to docs/zot-protocol.md. */
import type { AgentEvent, AnswerContent } from '../agent/event.ts'
import type { List } from './list.ts'
import { lastCall, parentOf } from './nesting.ts'
import { PROGRESS_LIMIT, type Part, type TextPart, type ToolCall, type ToolState, type Turn } from './state.ts'

type TurnEvent = Extract<
  AgentEvent,
  {
    type:
      | 'prompt_accepted'
      | 'step_started'
      | 'answer_started'
      | 'text_received'
      | 'tool_drafted'
      | 'tool_arguments_received'
      | 'tool_arguments_finished'
      | 'answer_finished'
      | 'tool_called'
      | 'step_ended'
      | 'tool_progressed'
      | 'edit_located'
      | 'file_created'
      | 'image_located'
      | 'commands_changed'
      | 'tool_finished'
      | 'error_reported'
  }
>

export function reduceTurn(turn: Turn, event: TurnEvent): Turn {
  switch (event.type) {
    case 'prompt_accepted':
      return { ...turn, accepted: true }
    case 'step_started':
      return beginAttempt({ ...turn, step: event.step, stop: null, error: null, retries: 0, attempt: 1 })
    case 'answer_started':
      return answerStarted(turn)
    case 'text_received':
      return addText(turn, event.text, event.at)
    case 'tool_drafted':
      return draftTool(turn, event)
    case 'tool_arguments_received':
      return changeTool(turn, event.id, tool =>
        tool.state === 'composing' ? { ...tool, argumentsText: tool.argumentsText + event.text } : tool,
      )
    case 'tool_arguments_finished':
      return changeTool(turn, event.id, tool => (tool.state === 'composing' ? { ...tool, state: 'waiting' } : tool))
    case 'answer_finished':
      return answerFinished(turn, event.content, event.at)
    case 'tool_called':
      return toolCalled(turn, event)
    case 'step_ended':
      return stepEnded(turn, event)
    case 'tool_progressed':
      return toolProgressed(turn, event)
    case 'edit_located':
      return changeAt(turn, runningCall(turn, event.id), tool => ({ ...tool, hunkLines: event.lines }))
    case 'file_created':
      return changeAt(turn, runningCall(turn, event.id), tool => ({ ...tool, created: true }))
    case 'image_located': {
      const { path, mimeType, width, height } = event
      return changeAt(turn, runningCall(turn, event.id), tool => ({
        ...tool,
        image: { path, mimeType, width, height },
      }))
    }
    case 'commands_changed':
      return { ...turn, byCommands: { count: event.count, files: event.files } }
    case 'tool_finished':
      return toolFinished(turn, event)
    case 'error_reported':
      return { ...turn, error: event.message }
  }
}

/** Ends all open parts: a call that was running is aborted, any other was never run (2.13, 2.14). */
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

function beginAttempt(turn: Turn): Turn {
  const { length } = turn.parts
  return { ...turn, attemptStart: length, settled: length, firstOpen: length, answered: false }
}

/** A second `assistant_start` within a step is a retry: earlier text no longer counts (2.19). */
function answerStarted(turn: Turn): Turn {
  const next = { ...turn, error: null, stop: null }
  return turn.parts.slice(turn.attemptStart).some(canBeWithdrawn) ? beginAttempt(withdraw(next)) : beginAttempt(next)
}

/** Applies `change` to the parts of the present attempt. */
function sinceAttempt({ parts, attemptStart }: Turn, change: (part: Part) => Part): List<Part> {
  return parts.changed(attemptStart, parts.length, change)
}

function isSaid(part: Part): part is TextPart | ToolCall {
  return (part.kind === 'text' || part.kind === 'tool') && !part.withdrawn
}

/** Text and calls that never ran can be withdrawn. A call that ran stays, in whatever order the agent reported it. */
function canBeWithdrawn(part: Part): boolean {
  return isSaid(part) && !(part.kind === 'tool' && hasRun(part))
}

function hasRun(tool: ToolCall): boolean {
  return tool.called || tool.startedAt !== null
}

/** Withdraws the present attempt, or only its texts. Remarks made meanwhile stay. */
function withdraw(turn: Turn, kinds: readonly Part['kind'][] = ['text', 'tool']): Turn {
  const parts = sinceAttempt(turn, part =>
    kinds.includes(part.kind) && canBeWithdrawn(part) ? { ...part, withdrawn: true } : part,
  )
  return { ...turn, attempt: turn.attempt + 1, parts }
}

function addText(turn: Turn, text: string, at: number): Turn {
  const firstTextAt = turn.firstTextAt ?? at
  // A remark in between does not split a text.
  const index = turn.parts.findLastIndex(isSaid, turn.attemptStart)
  const last = turn.parts.get(index)
  if (last?.kind === 'text' && !last.final) {
    return {
      ...turn,
      firstTextAt,
      parts: turn.parts.with(index, {
        ...last,
        text: last.text + text,
        grown: { start: last.text.length, text, before: last.grown },
      }),
    }
  }
  return { ...turn, firstTextAt, parts: turn.parts.plus(newText(text, false)) }
}

function newText(text: string, final: boolean): TextPart {
  return { kind: 'text', withdrawn: false, text, final, grown: final ? null : { start: 0, text, before: null } }
}

function newTool(id: string, name: string, state: ToolState, at: number): ToolCall {
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

function draftTool(turn: Turn, { id, name, at }: Extract<TurnEvent, { type: 'tool_drafted' }>): Turn {
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
function runningCall(turn: Turn, id: string): number {
  return oldestOpen(turn, id, (tool, index) => index >= turn.attemptStart || hasRun(tool))
}

/** Changes the newest call with this id in this attempt. */
function changeTool(turn: Turn, id: string, change: (tool: ToolCall) => ToolCall): Turn {
  return changeAt(turn, lastCall(turn, id, turn.attemptStart), change)
}

function changeAt(turn: Turn, index: number, change: (tool: ToolCall) => ToolCall): Turn {
  const tool = turn.parts.get(index)
  return tool?.kind === 'tool' ? { ...turn, parts: turn.parts.with(index, change(tool)) } : turn
}

/**
 * The final answer replaces the streamed text. Nearly always it is the same, and the streamed pieces become final; if it is
 * longer, the rest is added. An extension may have rewritten it (2.18): then the streamed pieces are withdrawn and the new
 * text is added. Whitespace at either end makes no difference.
 */
function answerFinished(turn: Turn, content: readonly AnswerContent[], at: number): Turn {
  const streamed = turn.parts.slice(turn.attemptStart).filter(isSaid)
  const before = streamed.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('')
  const after = content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('')
  const goesOn = before !== '' && after.startsWith(before)
  const stands = goesOn || before.trim() === after.trim()
  const called = new Map(content.flatMap(block => (block.type === 'tool_call' ? [[block.id, block] as const] : [])))
  let parts = sinceAttempt(turn, part => {
    if (!isSaid(part)) return part
    if (part.kind === 'text') return stands ? { ...part, final: true, grown: null } : { ...part, withdrawn: true }
    const call = called.get(part.id)
    if (!call) return part
    called.delete(part.id)
    // A call that ran keeps the arguments that it ran with.
    return hasRun(part) ? part : { ...part, name: call.name, arguments: call.arguments, state: 'waiting' }
  })
  if (goesOn) parts = withRest(parts, turn, after.slice(before.length))
  if (!stands && after !== '') parts = parts.plus(newText(after, true))
  for (const call of called.values()) {
    parts = parts.plus({ ...newTool(call.id, call.name, 'waiting', at), arguments: call.arguments })
  }
  const rewritten = !stands && before.trim() !== ''
  return { ...turn, answered: true, parts, attempt: rewritten ? turn.attempt + 1 : turn.attempt }
}

/** Adds the rest of an answer: to the last text if that was still growing, otherwise as a new part. */
function withRest(parts: List<Part>, { parts: streamed, attemptStart }: Turn, rest: string): List<Part> {
  if (rest === '') return parts
  const index = parts.findLastIndex(isSaid, attemptStart)
  const [last, before] = [parts.get(index), streamed.get(index)]
  if (last?.kind !== 'text' || before?.kind !== 'text' || before.final) return parts.plus(newText(rest, true))
  return parts.with(index, { ...last, text: last.text + rest })
}

function toolCalled(turn: Turn, event: Extract<TurnEvent, { type: 'tool_called' }>): Turn {
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
  // The result came first and may be printed already: the call is added again, now with its arguments.
  const ended =
    newest?.kind === 'tool' && !newest.called && newest.endedAt !== null
      ? { state: newest.state, startedAt: newest.startedAt, endedAt: event.at, result: newest.result }
      : {}
  return { ...turn, parts: turn.parts.plus({ ...call, ...ended }) }
}

function stepEnded(turn: Turn, event: Extract<TurnEvent, { type: 'step_ended' }>): Turn {
  const ended = { ...turn, stop: event.stop, error: event.error ?? null }
  if (event.stop === 'error') return { ...ended, retries: turn.retries + 1 }
  if (event.stop === 'aborted') return { ...ended, error: null }
  const unanswered =
    !turn.answered && turn.parts.slice(turn.attemptStart).some(part => part.kind === 'text' && isSaid(part))
  // Text without a final answer, though nothing went wrong: an extension suppressed it (2.18). Calls still run.
  const heard = unanswered ? withdraw(ended, ['text']) : ended
  return event.stop === 'tool_use' ? runNext(heard, event.at) : heard
}

/** Marks the next call as running: the tools of a step run one after another, in order (1.6). */
function runNext(turn: Turn, at: number): Turn {
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
function toolProgressed(turn: Turn, event: Extract<TurnEvent, { type: 'tool_progressed' }>): Turn {
  const printed = (tool: ToolCall): ToolCall => progress(tool, event.text, event.at)
  const index = runningCall(turn, event.id)
  if (index >= 0) return changeAt(turn, index, printed)
  const newest = turn.parts.get(lastCall(turn, event.id))
  if (newest?.kind === 'tool' && !newest.withdrawn && hasRun(newest)) return turn
  return { ...turn, parts: turn.parts.plus(printed(newTool(event.id, UNKNOWN, 'running', event.at))) }
}

/** The name of a call if only its output or its result is known. */
const UNKNOWN = 'unknown'

function toolFinished(turn: Turn, event: Extract<TurnEvent, { type: 'tool_finished' }>): Turn {
  const state = event.failed ? (turn.aborting ? 'aborted' : 'failed') : 'ok'
  const finished = (tool: ToolCall): ToolCall => ({
    ...tool,
    state,
    startedAt: tool.startedAt ?? event.at,
    endedAt: event.at,
    result: event.content,
    // The result holds all of it, cleanly decoded (2.10).
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
