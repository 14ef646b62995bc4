import type { ChatState } from '../../conversation/state.ts'
import { isAtWork } from '../../conversation/queries/work-beside.ts'

/** True if something works for the agent of a conversation beside its turn. */
export function hasTasksAtWork({ tasks }: Pick<ChatState, 'tasks'>): boolean {
  return [...tasks].some(isAtWork)
}
