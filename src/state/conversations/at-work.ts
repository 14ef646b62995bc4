import { isAtWork } from '../../agent/task-events.ts'
import type { ChatState } from '../../conversation/state.ts'

/**
 * True if something works for the agent of a conversation beside its turn, and so the agent must go on. A wake-up counts if it has a time: one
 * that comes again and again never ends.
 */
export function hasTasksAtWork({ tasks }: Pick<ChatState, 'tasks'>): boolean {
  return [...tasks].some(task => isAtWork(task) && (task.kind !== 'wakeup' || task.dueAt !== null))
}
