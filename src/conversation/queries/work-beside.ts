/** What works beside the turn. The first frame needs only this of tasks. */
import { isAtWork, type TaskKind } from '../../agent/task-events.ts'
import { counted } from '../../text/counted.ts'
import type { AgentTask, ChatState } from '../state.ts'

const KINDS: Readonly<Record<TaskKind, string>> = {
  subagent: 'subagent',
  command: 'command',
  wakeup: 'wake-up',
  monitor: 'monitor',
  other: 'task',
}

/** Characters of a name. It is drawn again for each frame, and an agent may send any length. */
export const LONGEST_NAME = 500

/** Its name, or else what kind of task it is. */
export function taskName({ name, kind }: Pick<AgentTask, 'name' | 'kind'>): string {
  return name.trim().slice(0, LONGEST_NAME) || KINDS[kind]
}

/** The tasks that work, or wait for the user, as they began. A wake-up only waits for its time. */
export function workBeside({ tasks }: Pick<ChatState, 'tasks'>): AgentTask[] {
  return tasks.size === 0 ? [] : [...tasks].filter(task => isAtWork(task) && task.kind !== 'wakeup')
}

/** How many work, such as `2 agents, 1 command`; '' for none. */
export function workCounts(work: readonly Pick<AgentTask, 'kind'>[]): string {
  const count = (kinds: readonly TaskKind[]): number => work.filter(({ kind }) => kinds.includes(kind)).length
  const counts = [
    [count(['subagent']), 'agent'],
    [count(['command']), 'command'],
    [count(['monitor', 'wakeup', 'other']), 'task'],
  ] as const
  return counts.flatMap(([number, noun]) => (number === 0 ? [] : [counted(number, noun)])).join(', ')
}
