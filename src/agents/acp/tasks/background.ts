/** What goes on for an agent in the background of its turns: commands, monitors and wake-ups. Known from its calls. Pure. */
import type { AgentEvent, EventOf } from '../../../agent/event.ts'
import type { TaskKind, TaskState } from '../../../agent/task-events.ts'
import type { TurnCause } from '../../../agent/turn-events.ts'
import { memberAt, textAt } from '../../../text/member.ts'
import type { AcpCall } from '../turn/call.ts'
import { taskId } from './task-id.ts'

/** A command that goes on, and the call that has begun it. */
export type BackgroundCommand = { readonly id: string; readonly callId: string }

/** Why a turn begins, and the events about its cause. */
export type TurnReason = { cause: TurnCause; about?: string; task?: string; events: AgentEvent[] }

type BackgroundTask = {
  id: string
  /** The agent's own id of it; null if it has none. */
  agentId: string | null
  callId: string
  kind: TaskKind
  name: string
  dueAt: number | null
  /** When a monitor ends at the latest; null if it has no such time. */
  endsAt: number | null
  /** A wake-up that comes again and again. */
  isRepeated: boolean
  /** Whether its end is reported with its call. */
  isReported: boolean
  /** Whether its process was found, so that its end is, too. */
  isFound: boolean
  /** How often it was looked for in vain. */
  looks: number
  isStopping: boolean
}

/** The tasks that are known at a time. */
const MOST = 500

/** The seconds between which Claude Code puts a wake-up. */
const [LEAST_DELAY, MOST_DELAY] = [60, 3600]

/** So often a command is looked for that was never found, and a wake-up is waited for that is due. */
const [COMMAND_LOOKS, WAKEUP_LOOKS] = [3, 30]

/** A turn that begins so long before a wake-up is due is none of it, in milliseconds. */
const EARLY = 2000

export class BackgroundTasks {
  /** False while the history of a session is repeated, whose tasks are of the past. */
  isLive: boolean
  readonly #session: () => string
  readonly #tasks = new Map<string, BackgroundTask>()
  /** Ended since the last turn that began without a prompt: the agent may report them. */
  #ended: BackgroundTask[] = []
  /** What the agent works towards by itself; null if that is not known. */
  #goal: string | null = null
  /** The task that has begun the turn that runs without a prompt. */
  #told: string | undefined

  constructor(session: () => string, isLive: boolean) {
    this.#session = session
    this.isLive = isLive
  }

  /** The commands whose end no call reports. */
  get unreported(): readonly BackgroundCommand[] {
    return [...this.#tasks.values()].filter(({ kind, isReported }) => kind === 'command' && !isReported)
  }

  /** Whether something with a time is waited for. */
  get hasTimes(): boolean {
    return [...this.#tasks.values()].some(({ dueAt, endsAt }) => (dueAt ?? endsAt) !== null)
  }

  /** The call that began a command that can be stopped; null if there is none. */
  commandOf(task: string): string | null {
    const found = this.#tasks.get(task)
    return found?.kind === 'command' ? found.callId : null
  }

  /** It was stopped: that is how it ends. */
  stopping(id: string): void {
    const task = this.#tasks.get(id)
    if (task) task.isStopping = true
  }

  /** A call ended well: it may have begun something, or ended it. */
  called(call: AcpCall, at: number): AgentEvent[] {
    if (!this.isLive) return []
    const { response, rawOutput } = call
    const words = typeof rawOutput === 'string' ? rawOutput : ''
    switch (call.name) {
      case 'Bash':
        return this.#command(call, textAt(response, 'backgroundTaskId') ?? BACKGROUND.exec(words)?.[1], words, at)
      case 'Monitor':
        return this.#monitor(call, textAt(response, 'taskId'), at)
      case 'ScheduleWakeup':
        return this.#wakeup(call, memberAt(response, 'scheduledFor'), at)
      case 'CronCreate':
        return this.#repeated(call, textAt(response, 'id'), at)
      case 'CronDelete':
        return this.#endOf(textAt(call.arguments, 'id'), 'stopped', at)
      case 'TaskStop':
        return this.#endOf(textAt(call.arguments, 'task_id') ?? textAt(call.arguments, 'shell_id'), 'stopped', at)
      default:
        return []
    }
  }

  /** The turn of a command ends, and it goes on. */
  outlives(call: AcpCall, at: number): AgentEvent[] {
    return this.#begin(call, { kind: 'command', agentId: null, name: call.title, isReported: true, canStop: true }, at)
  }

  /** The call of such a command has ended. */
  outlived(call: AcpCall, failed: boolean, summary: string, at: number): AgentEvent[] {
    const task = this.#tasks.get(taskId(this.#session(), call.id))
    return task ? this.#end(task, task.isStopping ? 'stopped' : failed ? 'failed' : 'done', at, summary) : []
  }

  /** The user has sent this to an agent that works towards a goal by itself, and tells of it only other clients. */
  prompted(text: string): void {
    const [, words = ''] = GOAL.exec(text) ?? []
    if (words === '') return
    if (words === 'clear' || words === 'pause') this.#goal = null
    else if (words === 'resume') this.#goal ??= ''
    else this.#goal = words
  }

  /** The process of a command runs. */
  found(id: string): void {
    const task = this.#tasks.get(id)
    if (task) task.isFound = true
  }

  /** The process of a command is not there: it is gone if it was. One that was never found is not observed for ever. */
  missing(id: string, at: number): AgentEvent[] {
    const task = this.#tasks.get(id)
    // The turn about its end reports that.
    if (!task || id === this.#told) return []
    if (task.isFound) return this.#end(task, task.isStopping ? 'stopped' : 'done', at)
    task.looks += 1
    return task.looks < COMMAND_LOOKS ? [] : this.#end(task, task.isStopping ? 'stopped' : 'unknown', at)
  }

  /** Wake-ups that are due and do not come end, too, and monitors whose time is over. Their looks are counted: a machine that slept has its wake-ups late. */
  overdue(at: number): AgentEvent[] {
    const due = [...this.#tasks.values()].filter(({ dueAt, endsAt }) => (dueAt ?? endsAt ?? Infinity) <= at)
    for (const task of due) task.looks += 1
    return due.filter(({ looks }) => looks > WAKEUP_LOOKS).flatMap(task => this.#end(task, 'unknown', at))
  }

  /** A turn begins without a prompt. */
  turnBegins(at: number): TurnReason {
    const due = [...this.#tasks.values()].find(({ dueAt }) => dueAt !== null && dueAt - EARLY <= at)
    const ended = this.#ended
    this.#ended = []
    if (due) return { ...causeOf('wakeup', due), events: due.isRepeated ? [] : this.#end(due, 'done', at) }
    const [task, ...others] =
      ended.length > 0
        ? ended
        : [...this.#tasks.values()].filter(({ kind, isReported }) => kind !== 'wakeup' && !isReported)
    if (!task) return this.#goal === null ? { cause: 'other', events: [] } : this.#goalReason()
    if (others.length > 0) return { cause: 'task', events: [] }
    this.#told = task.id
    return { ...causeOf('task', task), events: [] }
  }

  /** A turn that a task began has ended: so has its command, if nothing else will say when. */
  turnEnded(task: string | undefined, at: number): AgentEvent[] {
    this.#told = undefined
    const found = task === undefined ? undefined : this.#tasks.get(task)
    return found?.kind === 'command' && !found.isReported && !found.isFound
      ? this.#end(found, found.isStopping ? 'stopped' : 'done', at)
      : []
  }

  /** A subagent has ended. */
  subagentEnded(id: string, name: string): void {
    const task = {
      agentId: null,
      callId: '',
      dueAt: null,
      endsAt: null,
      isRepeated: false,
      isReported: false,
      isFound: false,
      looks: 0,
      isStopping: false,
    }
    this.#ended = [...this.#ended, { ...task, id, name, kind: 'subagent' as const }].slice(-MOST)
  }

  /** The agent has heard of all that ended meanwhile. */
  turnOver(): void {
    this.#ended = []
  }

  /** The session was left, or the agent has ended. */
  left(state: 'unknown' | 'stopped', at: number): AgentEvent[] {
    return [...this.#tasks.values()].flatMap(task => this.#end(task, state, at))
  }

  #goalReason(): TurnReason {
    return { cause: 'goal', ...(this.#goal && { about: this.#goal }), events: [] }
  }

  #command(call: AcpCall, agentId: string | undefined, words: string, at: number): AgentEvent[] {
    if (agentId === undefined) return []
    const outputPath = OUTPUT.exec(words)?.[1]
    const about = textAt(call.arguments, 'description')
    return this.#begin(call, { kind: 'command', agentId, name: call.title, about, outputPath, canStop: true }, at)
  }

  #monitor(call: AcpCall, agentId: string | undefined, at: number): AgentEvent[] {
    if (agentId === undefined) return []
    const name = textAt(call.arguments, 'description') ?? call.title
    const timeout = memberAt(call.response, 'timeoutMs')
    const endsAt = typeof timeout === 'number' && timeout > 0 ? at + timeout : null
    return this.#begin(call, { kind: 'monitor', agentId, name, about: textAt(call.arguments, 'command'), endsAt }, at)
  }

  #wakeup(call: AcpCall, scheduledFor: unknown, at: number): AgentEvent[] {
    const earlier = [...this.#tasks.values()].filter(({ kind, isRepeated }) => kind === 'wakeup' && !isRepeated)
    if (memberAt(call.arguments, 'stop') === true) return earlier.flatMap(task => this.#end(task, 'stopped', at))
    const delay = memberAt(call.arguments, 'delaySeconds')
    const dueAt =
      typeof scheduledFor === 'number' && Number.isFinite(scheduledFor)
        ? scheduledFor
        : typeof delay === 'number'
          ? at + Math.min(Math.max(delay, LEAST_DELAY), MOST_DELAY) * 1000
          : undefined
    if (dueAt === undefined) return []
    const about = textAt(call.arguments, 'prompt')
    const name = textAt(call.arguments, 'reason') ?? call.title
    return this.#begin(call, { kind: 'wakeup', agentId: null, name, about, dueAt }, at)
  }

  #repeated(call: AcpCall, agentId: string | undefined, at: number): AgentEvent[] {
    const cron = textAt(call.arguments, 'cron')
    if (cron === undefined) return []
    const about = textAt(call.arguments, 'prompt')
    return this.#begin(call, { kind: 'wakeup', agentId: agentId ?? null, name: cron, about, isRepeated: true }, at)
  }

  #begin(
    call: AcpCall,
    facts: Pick<BackgroundTask, 'kind' | 'name' | 'agentId'> & {
      about?: string | undefined
      outputPath?: string | undefined
      dueAt?: number
      endsAt?: number | null
      canStop?: true
      isRepeated?: true
      isReported?: true
    },
    at: number,
  ): AgentEvent[] {
    const { kind, name, agentId, about, outputPath, dueAt = null, endsAt = null, canStop } = facts
    const id = taskId(this.#session(), agentId ?? call.id)
    if (this.#tasks.has(id) || this.#tasks.size >= MOST) return []
    const isRepeated = facts.isRepeated ?? false
    const isReported = facts.isReported ?? false
    this.#tasks.set(id, {
      id,
      agentId,
      callId: call.id,
      kind,
      name,
      dueAt,
      endsAt,
      isRepeated,
      isReported,
      isFound: false,
      looks: 0,
      isStopping: false,
    })
    const event: EventOf<'task_reported'> = {
      type: 'task_reported',
      at,
      id,
      kind,
      name,
      ...(about !== undefined && { about }),
      state: 'running',
      canStop: canStop ?? false,
      callId: call.id,
      ...(outputPath !== undefined && { outputPath }),
      ...(dueAt !== null && { dueAt }),
    }
    return [event]
  }

  #endOf(agentId: string | undefined, state: TaskState, at: number): AgentEvent[] {
    const task = [...this.#tasks.values()].find(each => agentId !== undefined && each.agentId === agentId)
    return task ? this.#end(task, state, at) : []
  }

  #end(task: BackgroundTask, state: TaskState, at: number, summary = ''): AgentEvent[] {
    this.#tasks.delete(task.id)
    // The end of a call that goes on is no news that begins a turn, and neither is that of a wake-up.
    const isNews = !task.isReported && task.kind !== 'wakeup'
    if (isNews && (state === 'done' || state === 'unknown')) this.#ended = [...this.#ended, task].slice(-MOST)
    const { id } = task
    return [{ type: 'task_reported', at, id, state, canStop: false, ...(summary !== '' && { summary }) }]
  }
}

function causeOf(cause: TurnCause, { name, id }: BackgroundTask): Omit<TurnReason, 'events'> {
  return { cause, ...(name !== '' && { about: name }), task: id }
}

/** Codex's command for its goal. */
const GOAL = /^\/goal(?:\s+([^]*\S))?\s*$/

/** Claude Code's result of a command that goes on, also of one that words to the running turn have moved there. */
const BACKGROUND = /^Command (?:running in background with ID: |was moved to the background \(ID: )([\w-]+)/
const OUTPUT = /Output is being written to: (.+?)\.(?:\s|$)/
