/** Adds the to-do list that an agent keeps by a tool, an extension, or the text of its answers, as an event. */
import type { AgentEvent, EventOf } from '../../agent/event.ts'
import type { PlanEntry } from '../../agent/turn-events.ts'
import { lastCall, lastText, textsFromEnd } from '../../conversation/calls/nesting.ts'
import { isDoneAtFirst } from '../../conversation/queries/current-plan.ts'
import { planOfAnswer, planOfCall, planOfDisplay } from '../../conversation/queries/plan-items.ts'
import { sessionEntries } from '../../conversation/queries/session/session-entries.ts'
import type { ChatState, Turn } from '../../conversation/state.ts'
import type { TextPart } from '../../conversation/part.ts'

/** The events that may change the list of steps. */
const CHANGES_PLAN = ['tool_finished', 'extension_displayed', 'tool_called', 'turn_ended'] as const
type ChangesPlan = EventOf<(typeof CHANGES_PLAN)[number]>
const changesPlan: ReadonlySet<AgentEvent['type']> = new Set(CHANGES_PLAN)

export function mayChangePlan(event: AgentEvent): event is ChangesPlan {
  return changesPlan.has(event.type)
}

/** The event, with the list that it changes. `chat` is the conversation before it. */
export function withPlan(chat: ChatState, event: AgentEvent): AgentEvent[] {
  if (!mayChangePlan(event) || chat.open?.kind !== 'turn') return [event]
  const found = planIn(chat, chat.open, event)
  if (!found || isSame(found.entries, chat.open.plan) || isDoneAtFirst(chat, found.entries)) return [event]
  // The list comes before the event, because the end of the turn ends it.
  return [{ type: 'plan_changed', at: event.at, ...found }, event]
}

function planIn(chat: ChatState, turn: Turn, event: ChangesPlan): { entries: PlanEntry[]; inAnswer?: true } | null {
  if (event.type === 'tool_finished') {
    const call = event.failed ? null : turn.parts.get(lastCall(turn, event.id))
    if (call?.kind !== 'tool') return null
    const result = event.content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
    const entries = planOfCall(call.name, call.arguments, result)
    return entries && { entries }
  }
  if (event.type === 'extension_displayed') {
    const entries = planOfDisplay(event.text)
    return entries && { entries }
  }
  // A text is complete when a call or the end of the turn follows. A list from a tool or an extension wins over it.
  if (turn.plan.length > 0 && !turn.planInAnswer) return null
  const entries = planOfLastText(turn)
  return entries && isKept(entries, chat, turn) ? { entries, inAnswer: true } : null
}

/** The lists of texts that were parsed, since many calls may follow one text. */
const known = new WeakMap<TextPart, PlanEntry[] | null>()

function planOfLastText(turn: Turn): PlanEntry[] | null {
  const text = lastText(turn)
  return text && planOf(text)
}

function planOf(text: TextPart): PlanEntry[] | null {
  const found = known.has(text) ? (known.get(text) ?? null) : planOfAnswer(text.text)
  known.set(text, found)
  return found
}

/** Turns before this one, and texts of a turn, in which an earlier state of a list is looked for. */
const EARLIER_TURNS = 3
const EARLIER_TEXTS = 20

/** Whether an answer had the list before: one that is written once is a part of that answer, and no plan. */
function isKept(entries: readonly PlanEntry[], chat: ChatState, turn: Turn): boolean {
  const before = sessionEntries(chat)
    .filter(entry => entry.kind === 'turn')
    .slice(-EARLIER_TURNS)
  return [turn, ...before].some((each, at) =>
    textsFromEnd(each)
      .drop(at === 0 ? 1 : 0)
      .take(EARLIER_TEXTS)
      .some(text => isSameList(planOf(text) ?? [], entries)),
  )
}

/** Whether two lists have at least two steps in common. */
function isSameList(before: readonly PlanEntry[], now: readonly PlanEntry[]): boolean {
  const steps = new Set(before.map(({ text }) => text.toLowerCase()))
  return now.filter(({ text }) => steps.has(text.toLowerCase())).length >= 2
}

function isSame(a: readonly PlanEntry[], b: readonly PlanEntry[]): boolean {
  return a.length === b.length && a.every(({ text, status }, at) => text === b[at]?.text && status === b[at]?.status)
}
