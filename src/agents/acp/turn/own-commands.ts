/**
 * The commands that an agent runs itself, and which of them still run when their turn is over. The protocol does not report them: they are looked
 * up among the processes below the agent's own.
 */
import type { Reply } from '../../../agent/backend.ts'
import type { AgentEvent } from '../../../agent/event.ts'
import type { ToolKind } from '../../../agent/permission.ts'
import type { RunningCommand } from '../../../agent/requests.ts'
import { isAtWork } from '../../../agent/task-events.ts'
import { CLOCK, endProcess, GONE } from '../../tool-host/end-process.ts'
import { dayOf, processNow, readProcesses, type ProcessRow } from '../../tool-host/process-table.ts'
import { commandIn } from './command-in.ts'

export type OwnCommands = {
  /** Takes every event of the run. */
  note(event: AgentEvent): void
  list(): Promise<readonly RunningCommand[]>
  end(pid: number): Promise<Reply>
  /** Ends the command of a call. */
  endOf(callId: string): Promise<Reply>
  /** The calls whose commands run. */
  callsRunning(): Promise<ReadonlySet<string>>
  /** The agent has ended. */
  close(): void
}

export type OwnCommandsOptions = {
  /** The name of the agent. */
  name: string
  /** The agent's process. */
  pid: number | undefined
  /** Milliseconds in which the agent ends its commands after a turn, and in which a command ends that we end. */
  grace: number
  now: () => number
  emit: (event: AgentEvent) => void
  read?: () => Promise<readonly ProcessRow[]>
}

type BegunByAgent = {
  callId: string
  command: string
  /** By the clock of processes. */
  begunAt: number
  /** Whether the agent has reported its end. */
  isOver: boolean
  /** Whether the agent does nothing but wait for it. */
  isAwaited: boolean
  /** Whether the turn ended while it ran: it belongs to no call on the screen any more. */
  isLeft: boolean
  /** The subagent that runs it; null for the agent itself. */
  task: string | null
  /** Whether it is a task of its own, which says that it goes on. */
  isTask: boolean
}

/** The number of commands that are looked for; the oldest are forgotten first. */
const MOST = 200
/** Characters of a command in a message. */
const LONGEST = 100

export function createOwnCommands(options: OwnCommandsOptions): OwnCommands {
  const { name, pid: agent, grace, now, emit, read = readProcesses } = options
  let commands: BegunByAgent[] = []
  /** The calls of this turn and of subagents: their kinds, titles and commands, and who makes them. */
  const calls = new Map<
    string,
    { kind: ToolKind | undefined; title: string; command: string | null; task: string | null }
  >()
  /** The processes that were reported already. */
  const reported = new Set<number>()
  let isAborted = false
  /** Whether the agent repeats an earlier turn. */
  let isRemembered = false
  let timer: NodeJS.Timeout | undefined

  return {
    note,
    async list() {
      const { running } = await look()
      return running.map(({ row, of }) => toRunning(row, of))
    },
    async end(pid) {
      const { rows, running } = await look()
      const found = running.find(({ row }) => row.pid === pid)
      return found ? endProcess(found.row.pid, rows) : GONE
    },
    async endOf(callId) {
      const { rows, running } = await look()
      const found = running.find(({ of }) => of.callId === callId)
      return found ? endProcess(found.row.pid, rows) : GONE
    },
    async callsRunning() {
      const { running } = await look()
      return new Set(running.map(({ of }) => of.callId))
    },
    close() {
      clearTimeout(timer)
      commands = []
    },
  }

  function note(event: AgentEvent): void {
    if (event.type === 'task_reported') {
      for (const command of commands) if (command.callId === event.callId) command.isTask = true
      if (event.state && !isAtWork({ state: event.state })) forgetCalls(event.id)
      return
    }
    if (event.type === 'task_event') return noteCall(event.event, event.id)
    if (event.type === 'prompt_sent' || event.type === 'turn_begun') {
      isAborted = false
      isRemembered = event.type === 'prompt_sent' && (event.remembered ?? false)
    }
    if (isRemembered) return
    if (event.type === 'abort_requested') isAborted = true
    else if (event.type === 'turn_ended') leave()
    else if (event.type === 'text_received' || event.type === 'thought_received') passOthers(null)
    else noteCall(event, null)
  }

  function noteCall(event: AgentEvent, task: string | null): void {
    if (event.type === 'tool_drafted') {
      if (task === null) passOthers(event.id)
      calls.set(event.id, { kind: undefined, title: '', command: null, task })
    } else if (event.type === 'tool_started') begin(event.id, task)
    else if (event.type === 'tool_finished') {
      calls.delete(event.id)
      for (const command of commands) if (command.callId === event.id) command.isOver = true
    } else if (event.type === 'tool_described' || event.type === 'tool_called') {
      const call = calls.get(event.id)
      if (!call) return
      if (event.type === 'tool_called') call.command = commandIn(event.arguments)
      else Object.assign(call, { kind: event.kind ?? call.kind, title: event.title ?? call.title })
    }
  }

  function begin(callId: string, task: string | null): void {
    const { kind, title = '', command } = calls.get(callId) ?? {}
    const text = command ?? title
    if (kind !== 'command' || text === '') return
    const isAwaited = task === null
    commands.push({
      callId,
      command: text,
      begunAt: processNow(),
      isOver: false,
      isAwaited,
      isLeft: false,
      task,
      isTask: false,
    })
    commands = commands.slice(-MOST)
  }

  /** The agent continues: what it has begun runs beside it. */
  function passOthers(callId: string | null): void {
    for (const command of commands) if (command.callId !== callId) command.isAwaited = false
  }

  function forgetCalls(of: string | null): void {
    for (const [id, { task }] of calls) if (task === of) calls.delete(id)
  }

  /** The agent's own turn is over. Its subagents may go on. */
  function leave(): void {
    forgetCalls(null)
    const left = commands.filter(({ isLeft, task }) => !isLeft && task === null)
    for (const command of left) command.isLeft = true
    if (left.length === 0 || agent === undefined) return
    const stopped = isAborted ? left.filter(({ isAwaited, isOver }) => isAwaited && !isOver) : []
    clearTimeout(timer)
    timer = setTimeout(() => void endLeft(stopped), grace)
  }

  /** Ends what a stopped turn was waiting for and still runs, and reports the rest. */
  async function endLeft(stopped: readonly BegunByAgent[]): Promise<void> {
    const { rows, running } = await look()
    const ended = running.filter(({ row, of }) => stopped.includes(of) && endProcess(row.pid, rows).ok)
    for (const each of running)
      if (!ended.includes(each) && each.of.task === null && !each.of.isTask) reportRunning(each)
    if (ended.length === 0) return
    timer = setTimeout(() => void reportEnded(ended), grace)
  }

  async function reportEnded(ended: readonly RunningOfAgent[]): Promise<void> {
    const { running } = await look()
    for (const each of ended) {
      if (running.some(({ row }) => row.pid === each.row.pid)) reportRunning(each)
      else notify(`Ended a command that ${name} had not stopped: ${shown(each.of.command)}`)
    }
  }

  function reportRunning({ row, of }: RunningOfAgent): void {
    if (reported.has(row.pid)) return
    reported.add(row.pid)
    notify(`${name} has left a command running: ${shown(of.command)}`, '/running ends it')
  }

  function notify(text: string, hint: string | null = null): void {
    emit({ type: 'remark_made', at: now(), level: 'info', text, hint, markdown: false })
  }

  async function look(): Promise<{ rows: readonly ProcessRow[]; running: RunningOfAgent[] }> {
    if (commands.length === 0 || agent === undefined) return { rows: [], running: [] }
    const rows = await read()
    return { rows, running: findRunning(commands, below(agent, rows)) }
  }
}

type RunningOfAgent = { row: ProcessRow; of: BegunByAgent }

function toRunning({ pid, startedAt }: ProcessRow, { command, callId, isLeft }: BegunByAgent): RunningCommand {
  return { pid, startedAt: dayOf(startedAt), command, callId: isLeft ? null : callId }
}

/** The processes that run these commands, without what they have started in turn. */
function findRunning(commands: readonly BegunByAgent[], rows: readonly ProcessRow[]): RunningOfAgent[] {
  const found = new Map<number, RunningOfAgent>()
  for (const row of rows) {
    const matching = commands.filter(({ command, begunAt }) => row.startedAt >= begunAt - CLOCK && has(row, command))
    // A short command may be a part of another one.
    const [of] = matching.toSorted((one, other) => other.command.length - one.command.length)
    if (of) found.set(row.pid, { row, of })
  }
  return [...found.values()].filter(({ row }) => !found.has(row.parent))
}

/** Whether the process runs the command: alone, or in the script of a shell, in which agents put more around it. */
function has({ command: words }: ProcessRow, command: string): boolean {
  const at = words.indexOf(command)
  return at >= 0 && !isInWord(words[at - 1]) && !isInWord(words[at + command.length])
}

function isInWord(character: string | undefined): boolean {
  return character !== undefined && /[\w./-]/.test(character)
}

/** The processes that this one has started, and all that they have. */
function below(pid: number, rows: readonly ProcessRow[]): ProcessRow[] {
  const children = rows.filter(({ parent }) => parent === pid)
  return children.concat(children.flatMap(child => below(child.pid, rows)))
}

function shown(command: string): string {
  const [first = '', ...others] = command.trim().split('\n')
  return first.length > LONGEST || others.length > 0 ? `${first.slice(0, LONGEST)}…` : first
}
