/** Folds the events inside a turn. A number such as (19) is an oddity in docs/zot-protocol.md. */
import type { AgentEvent, AnswerContent, EventOf } from '../agent/event.ts'
import { beginningOfCut } from '../text/lines/cut-text.ts'
import type { List } from './list.ts'
import { beginAttempt, isSaid, sinceAttempt, withdraw } from './attempt.ts'
import { retryWords } from './queries/retry-words.ts'
import type { Turn } from './state.ts'
import type { Part, TextPart } from './part.ts'
import {
  changeAt,
  changeTool,
  draftTool,
  hasRun,
  callSteered,
  newTool,
  plusSettled,
  runningCall,
  toolCalled,
  toolDescribed,
  toolFinished,
  toolProgressed,
  toolShown,
  toolStarted,
} from './calls/tool-calls.ts'

type TurnEvent = Extract<
  AgentEvent,
  {
    type:
      | 'prompt_accepted'
      | 'step_started'
      | 'answer_started'
      | 'answer_withdrawn'
      | 'text_withdrawn'
      | 'thought_received'
      | 'plan_changed'
      | 'activity_told'
      | 'retry_announced'
      | 'tool_started'
      | 'tool_described'
      | 'tool_shown'
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
      | 'file_replaced'
      | 'image_located'
      | 'commands_changed'
      | 'tool_finished'
      | 'error_reported'
      | 'steer_delivered'
      | 'call_steered'
  }
>

/** The events that bring output of the model. */
const BRINGS_OUTPUT: ReadonlySet<AgentEvent['type']> = new Set([
  'text_received',
  'thought_received',
  'tool_drafted',
  'tool_called',
])

export function reduceTurn(turn: Turn, event: TurnEvent): Turn {
  const folded = reduceEvent(turn, event)
  const isFirst = turn.firstTokenAt === null && BRINGS_OUTPUT.has(event.type)
  const next = isFirst ? { ...folded, firstTokenAt: event.at } : folded
  const asksModel = event.type === 'prompt_accepted' || event.type === 'step_started' || event.type === 'tool_finished'
  const isAnswered = ANSWERS.has(event.type)
  if (!asksModel && (!isAnswered || next.askedModelAt === null)) return next
  return { ...next, askedModelAt: asksModel ? event.at : null }
}

/** Events by which the model, or a call that it made, shows that it is at work. */
const ANSWERS: ReadonlySet<TurnEvent['type']> = new Set([
  'answer_started',
  'thought_received',
  'text_received',
  'tool_drafted',
  'tool_arguments_received',
  'tool_called',
  'tool_started',
  'tool_progressed',
  'tool_shown',
  'answer_finished',
  'step_ended',
  'error_reported',
])

function reduceEvent(turn: Turn, event: TurnEvent): Turn {
  switch (event.type) {
    case 'prompt_accepted':
      return { ...turn, accepted: true }
    case 'step_started':
      return beginAttempt(
        { ...turn, stop: null, error: null, isOverLimit: false, retries: 0, attempt: 1, retry: null, retryAt: null },
        event.at,
      )
    case 'answer_started':
      return beginAttempt(
        { ...turn, error: null, isOverLimit: false, stop: null, retry: null, retryAt: null },
        event.at,
      )
    case 'answer_withdrawn':
      return withdraw(turn, ['text', 'thought', 'tool'])
    case 'text_withdrawn':
      return withdraw(turn, ['text'])
    case 'thought_received':
      return thoughtReceived(turn, event)
    case 'text_received':
      return addText(turn, event.text, event.at)
    case 'plan_changed':
      return { ...turn, plan: event.entries, planInAnswer: event.inAnswer ?? false }
    case 'activity_told':
      return { ...turn, activity: event.text }
    case 'retry_announced':
      return retryAnnounced(turn, event)
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
    case 'tool_started':
      return toolStarted(turn, event)
    case 'tool_described':
      return toolDescribed(turn, event)
    case 'tool_shown':
      return toolShown(turn, event)
    case 'step_ended':
      // All its calls are known: an id may return in the next step.
      return stepEnded(turn.earlyFacts.size === 0 ? turn : { ...turn, earlyFacts: new Map() }, event)
    case 'tool_progressed':
      return toolProgressed(turn, event)
    case 'edit_located':
      return changeAt(turn, runningCall(turn, event.id), tool => ({ ...tool, hunkLines: event.lines }))
    case 'file_created':
      return changeAt(turn, runningCall(turn, event.id), tool => ({ ...tool, created: true }))
    case 'file_replaced': {
      const { added, removed } = event
      return changeAt(turn, runningCall(turn, event.id), tool => ({ ...tool, replaced: { added, removed } }))
    }
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
      return { ...turn, error: event.message, isOverLimit: event.isOverLimit ?? false }
    case 'steer_delivered':
      return steerDelivered(turn, event)
    case 'call_steered':
      return callSteered(turn, event.id)
  }
}

function addText(turn: Turn, text: string, at: number): Turn {
  // A notice in between does not split a text.
  const index = turn.parts.findLastIndex(isSaid, turn.attemptStart)
  const last = turn.parts.get(index)
  if (last?.kind === 'text' && !last.final) {
    return {
      ...turn,
      parts: turn.parts.with(index, {
        ...last,
        text: last.text + text,
        grown: { start: last.text.length, text, before: last.grown },
      }),
    }
  }
  const begun = { ...turn, retry: null }
  const part = newText(text, false)
  // The text ends the thought before it.
  return last?.kind === 'thought' ? plusSettled(begun, part, at) : { ...begun, parts: begun.parts.plus(part) }
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
    if (!isSaid(part) || part.kind === 'thought') return part
    if (part.kind === 'text') return stands ? { ...part, final: true, grown: null } : { ...part, withdrawn: true }
    const call = called.get(part.id)
    if (!call) return part
    called.delete(part.id)
    // A call that ran keeps the arguments that it ran with.
    return hasRun(part) ? part : { ...part, name: call.name, arguments: call.arguments, state: 'waiting' }
  })
  if (goesOn) parts = withRest(parts, turn, after.slice(before.length))
  if (!stands && after !== '') parts = parts.plus(newText(after, true))
  const missing = [...called.values()]
  parts = parts.plusAll(
    missing.map(call => Object.assign(newTool(call.id, call.name, 'waiting', at), { arguments: call.arguments })),
  )
  const rewritten = !stands && before.trim() !== ''
  return { ...turn, parts, attempt: rewritten ? turn.attempt + 1 : turn.attempt }
}

/** Adds the rest of an answer: to the last text if that was still growing, otherwise as a new part. */
function withRest(parts: List<Part>, { parts: streamed, attemptStart }: Turn, rest: string): List<Part> {
  if (rest === '') return parts
  const index = parts.findLastIndex(isSaid, attemptStart)
  const [last, before] = [parts.get(index), streamed.get(index)]
  if (last?.kind !== 'text' || before?.kind !== 'text' || before.final) return parts.plus(newText(rest, true))
  return parts.with(index, { ...last, text: last.text + rest })
}

function stepEnded(turn: Turn, { stop, ...step }: Extract<TurnEvent, { type: 'step_ended' }>): Turn {
  const error = step.error ?? null
  if (stop === 'aborted') return { ...turn, stop, error: null }
  const retryAt = step.retryMs === undefined ? null : step.at + step.retryMs
  return { ...turn, stop, error, retryAt, retries: stop === 'error' ? turn.retries + 1 : turn.retries }
}

function thoughtReceived(turn: Turn, { text, at }: EventOf<'thought_received'>): Turn {
  const index = turn.parts.findLastIndex(isSaid, turn.attemptStart)
  const last = turn.parts.get(index)
  if (last?.kind === 'thought' && last.endedAt === null)
    return { ...turn, parts: turn.parts.with(index, { ...last, text: last.text + text }) }
  return plusSettled(turn, { kind: 'thought', withdrawn: false, text, startedAt: at, endedAt: null }, at)
}

/** What the agent had said so far stays: the rest of its answer comes after these words. */
function steerDelivered(turn: Turn, event: EventOf<'steer_delivered'>): Turn {
  const { at, text, typed, images, before = [], files = [], from } = event
  const steer = { kind: 'steer', withdrawn: false, at, text, images, before, mentions: files } as const
  const said = { ...(typed !== undefined && { typed }), ...(from !== undefined && { from }) }
  return plusSettled(turn, { ...steer, ...said }, at)
}

/** A retry leaves a notice in the turn, since it may take long and cost something. */
function retryAnnounced(turn: Turn, event: EventOf<'retry_announced'>): Turn {
  const text = retryWords(event)
  const announcement = { kind: 'notice', withdrawn: false, at: event.at, level: 'quiet', text } as const
  return {
    ...turn,
    retry: event,
    retryAt: event.delayMs === null ? null : event.at + event.delayMs,
    retries: Math.max(turn.retries + 1, event.attempt ?? 0),
    parts: turn.parts.plus({ ...announcement, source: null, hint: null, markdown: false }),
  }
}
