/**
 * Adds the events that zot does not send (docs/zot-protocol.md, in brackets): a
 * second beginning of an answer withdraws the first (19), a step without a final answer withdraws its text (18), the calls of a
 * step run one after another once it has ended (13), and the call `a/1` is made by the tool of `a`. Pure, with the open turn as
 * its state.
 */
import type { AgentEvent, EventOf } from './event.ts'
import {
  add,
  beginAttempt,
  emptyTurn,
  hasBegun,
  knownParent,
  next,
  oldest,
  present,
  type ImpliedTurn,
} from './implied-calls.ts'

/** The events that stand for `event`: itself, and what it implies. Each event once, in order. */
export type AddImplied = (event: AgentEvent) => AgentEvent[]

export function createImplied(): AddImplied {
  let turn: ImpliedTurn | null = null

  return function addImplied(event) {
    // Thousands of these arrive, so they are checked first.
    if (event.type === 'text_received') {
      if (turn) turn.said = turn.texted = true
      return [event]
    }
    if (event.type === 'prompt_sent' || event.type === 'turn_begun') turn = emptyTurn()
    else if (ENDS.has(event.type)) turn = null
    return turn && affectsTurn(event) ? implied(turn, event) : [event]
  }
}

const ENDS: ReadonlySet<AgentEvent['type']> = new Set([
  'turn_ended',
  'prompt_refused',
  'agent_ended',
  'compaction_started',
  'conversation_cleared',
])

/** The events that change the open turn. */
const AFFECTS_TURN = [
  'step_started',
  'answer_started',
  'answer_withdrawn',
  'answer_finished',
  'tool_drafted',
  'tool_called',
  'tool_started',
  'tool_progressed',
  'tool_finished',
  'step_ended',
] as const
type AffectingEvent = EventOf<(typeof AFFECTS_TURN)[number]>
const affecting: ReadonlySet<AgentEvent['type']> = new Set(AFFECTS_TURN)

function affectsTurn(event: AgentEvent): event is AffectingEvent {
  return affecting.has(event.type)
}

function implied(turn: ImpliedTurn, event: AffectingEvent): AgentEvent[] {
  switch (event.type) {
    case 'step_started':
      beginAttempt(turn)
      return [event]
    case 'answer_started':
      return answerStarted(turn, event)
    case 'answer_withdrawn':
      turn.said = false
      return [event]
    case 'tool_drafted':
      turn.said = true
      add(turn, { id: event.id })
      return [event]
    case 'answer_finished':
      answerFinished(turn, event)
      return [event]
    case 'tool_called':
      return toolCalled(turn, event)
    case 'tool_started': {
      const call = oldest(turn, event.id, each => each.state === 'waiting')
      if (call) call.state = 'running'
      return [event]
    }
    case 'tool_progressed':
      toolProgressed(turn, event.id)
      return [event]
    case 'step_ended':
      return stepEnded(turn, event)
    case 'tool_finished': {
      const call = present(turn, event.id) ?? add(turn, { id: event.id })
      call.state = 'ended'
      return [event, ...next(turn, event.at)]
    }
  }
}

function answerStarted(turn: ImpliedTurn, event: EventOf<'answer_started'>): AgentEvent[] {
  const isRetry = turn.said
  if (isRetry) for (const call of turn.queue) call.withdrawn ||= !hasBegun(call)
  beginAttempt(turn)
  return isRetry ? [{ type: 'answer_withdrawn', at: event.at }, event] : [event]
}

function answerFinished(turn: ImpliedTurn, { content }: EventOf<'answer_finished'>): void {
  turn.answered = true
  turn.said ||= content.length > 0
  for (const block of content) {
    const isKnown =
      block.type === 'tool_call' &&
      turn.byId.get(block.id)?.some(call => call.attempt === turn.attempt && !call.withdrawn)
    if (block.type === 'tool_call' && !isKnown) add(turn, { id: block.id })
  }
}

function toolCalled(turn: ImpliedTurn, event: EventOf<'tool_called'>): AgentEvent[] {
  const { id, at } = event
  const parent = event.parent ?? knownParent(turn, id)
  const childEvent = parent === null ? event : { ...event, parent }
  const draft = oldest(turn, id, call => call.attempt === turn.attempt && !call.called)
  const newest = turn.byId.get(id)?.at(-1)
  // Its result came first.
  const isOver = !draft && newest?.attempt === turn.attempt && !newest.called && newest.state === 'ended'
  const call = draft ?? add(turn, { id, state: isOver ? 'ended' : 'waiting' })
  call.called = true
  // A call made by a tool runs at once; several may run at the same time.
  if (parent === null || call.state !== 'waiting') return [childEvent]
  call.state = 'running'
  return [childEvent, { type: 'tool_started', at, id }]
}

/** Output means that a call runs, even an unknown one. Output after a result is ignored. */
function toolProgressed(turn: ImpliedTurn, id: string): void {
  const call = present(turn, id)
  const newest = turn.byId.get(id)?.at(-1)
  if (call) call.state = 'running'
  else if (!newest || newest.withdrawn || !hasBegun(newest)) add(turn, { id, state: 'running' })
}

function stepEnded(turn: ImpliedTurn, event: EventOf<'step_ended'>): AgentEvent[] {
  const { stop, at } = event
  if (stop === 'error' || stop === 'aborted') return [event]
  const isUnanswered = turn.texted && !turn.answered
  turn.texted &&= !isUnanswered
  const withdrawn: AgentEvent[] = isUnanswered ? [{ type: 'text_withdrawn', at }] : []
  return [...withdrawn, event, ...(stop === 'tool_use' ? next(turn, at) : [])]
}
