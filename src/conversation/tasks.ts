/** Folds tasks: what works for the agent beside its own turn. */
import type { EventOf } from '../agent/event.ts'
import type { TaskState } from '../agent/task-events.ts'
import type { ChatState, AgentTask } from './state.ts'

/** The tasks that are kept: those that began last. */
const MOST_TASKS = 1000

const WORKS: ReadonlySet<TaskState> = new Set(['running', 'waiting'])

/** Whether a task works, or waits for the user. */
export function isAtWork({ state }: AgentTask): boolean {
  return WORKS.has(state)
}

export function taskReported(chat: ChatState, event: EventOf<'task_reported'>): ChatState {
  const { type: _type, at, id, remembered, ...facts } = event
  const known = chat.tasks.get(id)
  const task = { ...(known ?? begun(id, remembered ? null : at)), ...facts }
  const isOver = !isAtWork(task)
  return withTask(chat, { ...task, endedAt: isOver ? (known?.endedAt ?? at) : null })
}

/** An event of a subagent's conversation. It begins a task that was not reported. */
export function taskEvent(
  chat: ChatState,
  { id, at, event }: EventOf<'task_event'>,
  fold: (chat: ChatState | null, event: EventOf<'task_event'>['event']) => ChatState,
): ChatState {
  const task = chat.tasks.get(id) ?? { ...begun(id, at), kind: 'subagent' as const }
  return withTask(chat, { ...task, chat: fold(task.chat, event) })
}

function begun(id: string, startedAt: number | null): AgentTask {
  return {
    id,
    kind: 'other',
    parent: null,
    name: '',
    about: '',
    model: '',
    state: 'running',
    canStop: false,
    callId: null,
    outputPath: null,
    dueAt: null,
    summary: '',
    startedAt,
    endedAt: null,
    chat: null,
  }
}

function withTask(chat: ChatState, task: AgentTask): ChatState {
  const tasks = new Map(chat.tasks)
  tasks.set(task.id, task)
  for (const id of tasks.keys()) {
    if (tasks.size <= MOST_TASKS) break
    tasks.delete(id)
  }
  return { ...chat, tasks }
}
