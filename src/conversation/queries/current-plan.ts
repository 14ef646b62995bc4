/** The to-do list of the running turn. */
import type { ChatState, Turn } from '../state.ts'
import { lastTurn } from './last-turn.ts'
import { sessionEntries } from './session/session-entries.ts'

/** The list of the running turn; null without one. */
export function currentPlan({ open }: Pick<ChatState, 'open'>): Turn['plan'] | null {
  return open?.kind === 'turn' && open.plan.length > 0 ? withCurrent(open.plan) : null
}

const isOpen = ({ status }: Turn['plan'][number]): boolean => status !== 'completed'

/** Whether all of a list is done, and none of it was to be done before: it reports what was done, and is no plan. */
export function isDoneAtFirst(chat: Pick<ChatState, 'open' | 'entries'>, entries: Turn['plan']): boolean {
  if (entries.some(isOpen) || currentPlan(chat) !== null) return false
  return !(lastTurn(sessionEntries(chat))?.plan.some(isOpen) ?? false)
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
