/** The to-do list of a session, from the results of the `task_` tools. Pure. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { PlanEntry } from '../../../agent/turn-events.ts'
import type { WireMeerkatBlock } from '../frame.ts'
import { tasksIn, type Task } from './result.ts'

export type Tasks = {
  /** Takes the result of a tool. */
  reported(tool: string, blocks: readonly WireMeerkatBlock[], at: number): AgentEvent[]
}

export function createTasks(): Tasks {
  let tasks = new Map<string, Task>()

  return {
    reported(tool, blocks, at) {
      if (!tool.startsWith('task_')) return []
      const changed = blocks.flatMap(({ data }) => tasksIn(data))
      if (changed.length === 0) return []
      const before = JSON.stringify([...tasks])
      if (tool === 'task_list') tasks = new Map()
      for (const task of changed) tasks.set(task.id, task)
      if (JSON.stringify([...tasks]) === before) return []
      return [{ type: 'plan_changed', at, entries: [...tasks.values()].map(toEntry) }]
    },
  }
}

function toEntry({ text, status, priority }: Task): PlanEntry {
  const known = status === 'in_progress' || status === 'completed' ? status : 'pending'
  return { text, status: known, ...(priority !== '' && { priority }) }
}
