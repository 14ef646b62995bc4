/** Folds the events inside a turn. A number such as (19) is an oddity in docs/zot-protocol.md. */
import type { AgentEvent, AnswerContent } from '../agent/event.ts'
import { beginningOfCut } from '../text/cut-text.ts'
import type { List } from './list.ts'
import type { Part, TextPart, ToolCall, Turn } from './state.ts'
import {
  changeAt,
  changeTool,
  draftTool,
  hasRun,
  newTool,
  runNext,
  runningCall,
  toolCalled,
  toolFinished,
  toolProgressed,
} from './tool-calls.ts'

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

function beginAttempt(turn: Turn): Turn {
  const { length } = turn.parts
  return { ...turn, attemptStart: length, settled: length, firstOpen: length, answered: false }
}

/** A second `assistant_start` within a step is a retry: earlier text no longer counts (19). */
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

/**
 * The final answer replaces the streamed text. Nearly always it is the same, and the streamed pieces become final; if it is
 * longer, the rest is added. An extension may have rewritten it (18): then the streamed pieces are withdrawn and the new
 * text is added. Whitespace at either end makes no difference.
 */
function answerFinished(turn: Turn, content: readonly AnswerContent[], at: number): Turn {
  const streamed = turn.parts.slice(turn.attemptStart).filter(isSaid)
  const before = streamed.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('')
  const after = content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('')
  const goesOn = before !== '' && after.startsWith(before)
  const beginning = beginningOfCut(after)
  const stands = goesOn || before.trim() === after.trim() || (beginning !== null && before.startsWith(beginning))
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
  const unheard = [...called.values()]
  parts = parts.plusAll(
    unheard.map(call => Object.assign(newTool(call.id, call.name, 'waiting', at), { arguments: call.arguments })),
  )
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

function stepEnded(turn: Turn, event: Extract<TurnEvent, { type: 'step_ended' }>): Turn {
  const ended = { ...turn, stop: event.stop, error: event.error ?? null }
  if (event.stop === 'error') return { ...ended, retries: turn.retries + 1 }
  if (event.stop === 'aborted') return { ...ended, error: null }
  const unanswered =
    !turn.answered && turn.parts.slice(turn.attemptStart).some(part => part.kind === 'text' && isSaid(part))
  // Text without a final answer, though nothing went wrong: an extension suppressed it (18). Calls still run.
  const heard = unanswered ? withdraw(ended, ['text']) : ended
  return event.stop === 'tool_use' ? runNext(heard, event.at) : heard
}
