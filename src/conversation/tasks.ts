/** Folds tasks: what works for the agent beside its own turn. */
import type { EventOf, PlainEvent } from '../agent/event.ts'
import { isAtWork, type TaskState } from '../agent/task-events.ts'
import { finishedLate } from './calls/late-calls.ts'
import { MOST_OF_TASK, shortened, sizeOf } from './shorten-task.ts'
import { initialChat, type AgentTask, type ChatState } from './state.ts'
import { changedTasks, withTask } from './task-list.ts'

type FoldEvent = (chat: ChatState | null, event: PlainEvent) => ChatState

export function taskReported(chat: ChatState, event: EventOf<'task_reported'>, fold: FoldEvent): ChatState {
  const { type: _type, at, id, remembered, ...facts } = event
  const known = chat.tasks.get(id)
  const task = { ...(known ?? begun(id, remembered ? null : at)), ...facts }
  if (isAtWork(task)) return { ...chat, tasks: withTask(chat.tasks, { ...task, endedAt: null }) }
  const over = { ...task, endedAt: known?.endedAt ?? at, chat: endings(task, at).reduce(fold, task.chat) }
  return withoutQuestionsOf({ ...chat, tasks: withTask(chat.tasks, over) }, id)
}

/** What ends the open turn of a task that is over: the agent need not report it. */
function endings({ chat, state }: AgentTask, at: number): PlainEvent[] {
  if (!chat?.open || state === 'unknown') return []
  const stop = STOPS[state]
  return [{ type: 'turn_ended', at, ...(stop !== undefined && { stop }) }]
}

const STOPS: Readonly<Partial<Record<TaskState, string>>> = { failed: 'error', stopped: 'cancelled' }

/** An event of a subagent's conversation, of which only the end is kept if it is long. It begins a task that was not reported. */
export function taskEvent(chat: ChatState, event: EventOf<'task_event'>, fold: FoldEvent): ChatState {
  const task = taskWith(chat, event, fold)
  if (task.chat === null || task.kept <= MOST_OF_TASK) return { ...chat, tasks: withTask(chat.tasks, task) }
  const short = shortened(task.chat)
  const omitted = task.omitted + Math.max(0, task.kept - short.kept)
  return { ...chat, tasks: withTask(chat.tasks, { ...task, ...short, omitted }) }
}

/** Like `taskEvent`, but all of the conversation is kept. */
export function wholeTaskEvent(chat: ChatState, event: EventOf<'task_event'>, fold: FoldEvent): ChatState {
  return { ...chat, tasks: withTask(chat.tasks, { ...taskWith(chat, event, fold), kept: 0 }) }
}

function taskWith(chat: ChatState, { id, at, event }: EventOf<'task_event'>, fold: FoldEvent): AgentTask {
  const task = chat.tasks.get(id) ?? { ...begun(id, at), kind: 'subagent' as const }
  const before = needsTurn(task.chat, event) ? fold(task.chat, beginning(at)) : task.chat
  return { ...task, chat: lateEnd(before, event, chat) ?? fold(before, event), kept: task.kept + sizeOf(event) }
}

/** A command that a subagent left in the background ends after its turn. It is a task beside the subagent. */
function lateEnd(own: ChatState | null, event: PlainEvent, { tasks }: ChatState): ChatState | null {
  const late = own && event.type === 'tool_finished' ? finishedLate({ ...own, tasks }, event) : null
  return own && late && { ...late, tasks: own.tasks }
}

/** What an agent may report of a subagent whose beginning it has not reported, or that was dropped. */
const OF_A_TURN: ReadonlySet<PlainEvent['type']> = new Set([
  'text_received',
  'thought_received',
  'tool_drafted',
  'tool_called',
  'answer_finished',
])

function needsTurn(chat: ChatState | null, { type }: PlainEvent): boolean {
  return chat?.open?.kind !== 'turn' && OF_A_TURN.has(type)
}

function beginning(at: number): PlainEvent {
  return { type: 'turn_begun', at, cause: 'other' }
}

/** Ends every task that works, since nothing reports it any more: its agent ended, or has another session. */
export function tasksCutOff(chat: ChatState, at: number, fold: FoldEvent): ChatState {
  const end: PlainEvent = { type: 'agent_ended', at, code: null, signal: null, expected: true, reason: '', hint: '' }
  const tasks = changedTasks(chat.tasks, task => {
    const { state, canStop, endedAt } = task
    if (!isAtWork(task) && !canStop && !task.chat?.open) return task
    const closed = task.chat?.open ? fold(task.chat, end) : task.chat
    const over = isAtWork(task) ? 'stopped' : state
    return { ...task, state: over, canStop: false, endedAt: endedAt ?? at, chat: closed }
  })
  return tasks === chat.tasks ? chat : { ...chat, tasks }
}

/** The tasks of a session that is left belong to no other one. */
export function withoutTasks(chat: ChatState): ChatState {
  return chat.tasks.size === 0 ? chat : { ...chat, tasks: initialChat.tasks }
}

/** Nobody waits for the answers any more. */
function withoutQuestionsOf(chat: ChatState, task: string): ChatState {
  const isOf = (question: { task?: string | undefined }): boolean => question.task === task
  if (!chat.questions.some(isOf) && !chat.forms.some(isOf)) return chat
  return {
    ...chat,
    questions: chat.questions.filter(each => !isOf(each)),
    forms: chat.forms.filter(each => !isOf(each)),
  }
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
    kept: 0,
    omitted: 0,
  }
}
