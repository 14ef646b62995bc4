import { createHash } from 'node:crypto'

/** The id of a task for zotui. The same one after the session was opened again, so that its end reaches the task that is stored. */
export function taskId(session: string, agentId: string): string {
  return `task-${createHash('sha256').update(`${session}\n${agentId}`).digest('hex').slice(0, 16)}`
}
