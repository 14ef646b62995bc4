/** The tasks of a conversation. A change of one does not copy the others, since very many may report very often. */
import { List } from './list.ts'
import { isAtWork } from '../agent/task-events.ts'
import type { AgentTask, ChatState } from './state.ts'

/** The tasks that are kept, but for a few more until the next are dropped. */
const MOST_TASKS = 1000
const SLACK = 100
/** About the characters of all their conversations that are kept. */
export const MOST_OF_ALL = 16 * 1024 * 1024

/** Immutable. The tasks are in the order in which they began. */
export class TaskList implements Iterable<AgentTask> {
  readonly #list: List<AgentTask>
  readonly #places: ReadonlyMap<string, number>
  /** About the characters of all conversations. */
  readonly #kept: number

  private constructor(list: List<AgentTask>, places: ReadonlyMap<string, number>, kept: number) {
    this.#list = list
    this.#places = places
    this.#kept = kept
  }

  static of(tasks: readonly AgentTask[]): TaskList {
    const kept = tasks.reduce((sum, task) => sum + task.kept, 0)
    return new TaskList(List.of(tasks), new Map(tasks.map((task, place) => [task.id, place])), kept)
  }

  get size(): number {
    return this.#list.length
  }

  get(id: string): AgentTask | undefined {
    return this.#list.get(this.#places.get(id) ?? -1)
  }

  [Symbol.iterator](): IterableIterator<AgentTask> {
    return this.#list[Symbol.iterator]()
  }

  /** An array in JSON, which would otherwise silently omit the private fields. */
  toJSON(): AgentTask[] {
    return this.#list.slice()
  }

  /** With this task in the place of the one with its id. The oldest that are over are dropped first where there are too many. */
  with(task: AgentTask): TaskList {
    const place = this.#places.get(task.id)
    if (place === undefined) return this.#plus(task)
    const kept = this.#kept + task.kept - (this.#list.get(place)?.kept ?? 0)
    return new TaskList(this.#list.with(place, task), this.#places, kept).#bounded()
  }

  /** With a change of each task; this if it changes none. */
  changed(change: (task: AgentTask) => AgentTask): TaskList {
    const list = this.#list.changed(0, this.size, change)
    return list === this.#list ? this : TaskList.of(list.slice())
  }

  #plus(task: AgentTask): TaskList {
    if (this.size >= MOST_TASKS + SLACK) return TaskList.of(newest(this.#list.slice(), MOST_TASKS)).with(task)
    const places = new Map(this.#places).set(task.id, this.size)
    return new TaskList(this.#list.plus(task), places, this.#kept + task.kept).#bounded()
  }

  /** The conversations of the oldest tasks are dropped where all together are too long: first of those that are over. */
  #bounded(): TaskList {
    if (this.#kept <= MOST_OF_ALL) return this
    let room = this.#kept - MOST_OF_ALL / 2
    const dropped = new Set<string>()
    for (const task of overFirst(this.#list.slice())) {
      if (room <= 0) break
      if (task.kept > 0) dropped.add(task.id)
      room -= task.kept
    }
    return this.changed(task =>
      dropped.has(task.id) ? { ...task, chat: null, kept: 0, omitted: task.omitted + task.kept } : task,
    )
  }
}

/** The tasks with this one in the place of the one with its id, or as the last. */
export function withTask(tasks: ChatState['tasks'], task: AgentTask): TaskList {
  return (tasks instanceof TaskList ? tasks : TaskList.of([...tasks])).with(task)
}

/** The tasks with a change of each; the same if it changes none. */
export function changedTasks(tasks: ChatState['tasks'], change: (task: AgentTask) => AgentTask): ChatState['tasks'] {
  return tasks instanceof TaskList ? tasks.changed(change) : tasks
}

function overFirst(tasks: readonly AgentTask[]): AgentTask[] {
  return [...tasks.filter(task => !isAtWork(task)), ...tasks.filter(isAtWork)]
}

function newest(tasks: readonly AgentTask[], most: number): AgentTask[] {
  const dropped = new Set(overFirst(tasks).slice(0, Math.max(0, tasks.length - most)))
  return tasks.filter(task => !dropped.has(task))
}
