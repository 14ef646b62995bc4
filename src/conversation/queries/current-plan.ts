/** The to-do list that matters now. */
import type { ChatState, Turn } from '../state.ts'
import { lastTurn } from './last-turn.ts'
import { sessionEntries } from './session/session-entries.ts'

/** `isNow` says whether the running turn has it. */
export type CurrentPlan = { entries: Turn['plan']; isNow: boolean }

/** The list of the running turn, or else that of the last turn if some of it is not done; null without one. */
export function currentPlan(chat: Pick<ChatState, 'open' | 'entries'>): CurrentPlan | null {
  const { open } = chat
  if (open?.kind === 'turn' && open.plan.length > 0) return { entries: withCurrent(open.plan), isNow: true }
  const entries = lastTurn(sessionEntries(chat))?.plan ?? []
  return entries.some(({ status }) => status !== 'completed') ? { entries, isNow: false } : null
}

/** Whether all of a list is done, and none of it was to be done before: it tells what was done, and is no plan. */
export function isDoneAtFirst(chat: Pick<ChatState, 'open' | 'entries'>, entries: Turn['plan']): boolean {
  return entries.every(({ status }) => status === 'completed') && currentPlan(chat) === null
}

/** Marks the first item that is not done as in progress if none is, since lists in answers rarely mark it. */
function withCurrent(entries: Turn['plan']): Turn['plan'] {
  if (entries.some(({ status }) => status === 'in_progress')) return entries
  const at = entries.findIndex(({ status }) => status !== 'completed')
  return entries.map((entry, index) => (index === at ? { ...entry, status: 'in_progress' } : entry))
}

/** The item that the agent works on: the first in progress, or else the first that is not done. */
export function currentStep(entries: Turn['plan']): Turn['plan'][number] | null {
  return (
    entries.find(({ status }) => status === 'in_progress') ??
    entries.find(({ status }) => status !== 'completed') ??
    null
  )
}
