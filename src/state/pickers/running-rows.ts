/** What works in a conversation as rows: its subagents as a tree, other tasks, commands of the agent, and the side question. */
import type { RunningCommand } from '../../agent/requests.ts'
import type { AgentTask, ChatState } from '../../conversation/state.ts'
import { isAtWork } from '../../agent/task-events.ts'

/** The last side question. */
export type SideWork = { question: string; isRunning: boolean; model: string; lastLine: string }

export type RunningRow =
  /** `depth` counts from 0. `pid` is that of the command that it is. */
  | { kind: 'task'; id: string; depth: number; task: AgentTask; pid: number | null }
  | { kind: 'command'; id: string; command: RunningCommand }
  | { kind: 'side'; id: string; side: SideWork }

type Work = { tasks: ChatState['tasks']; commands: readonly RunningCommand[]; side: SideWork | null }

/** Those at work come first, and then the newest. */
export function runningRows({ tasks, commands, side }: Work): RunningRow[] {
  const all = [...tasks]
  const pids = new Map(all.flatMap(task => pairOf(task, commands)))
  const taken = new Set(pids.values())
  return [
    ...tree(all).map(({ task, depth }) => {
      return { kind: 'task' as const, id: `task ${task.id}`, depth, task, pid: pids.get(task.id) ?? null }
    }),
    ...commands
      .filter(({ pid }) => !taken.has(pid))
      .map(command => ({ kind: 'command' as const, id: `command ${command.pid}`, command })),
    ...(side ? [{ kind: 'side' as const, id: 'side', side }] : []),
  ]
}

type OpenWork = {
  rows: readonly RunningRow[]
  selected: number
  commands: readonly RunningCommand[] | null
  side: SideWork | null
}

/** The open list with its current rows. The same one stays selected. */
export function withWork<Open extends OpenWork>(list: Open, tasks: ChatState['tasks']): Open {
  const { side, commands, selected } = list
  const rows = runningRows({ tasks, commands: commands ?? [], side })
  const was = list.rows[selected]?.id
  const same = rows.findIndex(({ id }) => id === was)
  return { ...list, rows, selected: same < 0 ? Math.max(0, Math.min(selected, rows.length - 1)) : same }
}

/** The process that a task is: one of its call, or the only one with the same words. */
function pairOf(
  { id, kind, callId, about, name, state }: AgentTask,
  commands: readonly RunningCommand[],
): [string, number][] {
  if (kind !== 'command' || !isAtWork({ state })) return []
  const same = commands.find(each => callId !== null && each.callId === callId)
  const alike = commands.filter(({ command }) => command === about || command === name)
  const found = same ?? (alike.length === 1 ? alike[0] : undefined)
  return found ? [[id, found.pid]] : []
}

/** The tasks, each below the one that began it. Those whose parent is unknown, and one of each circle, are at the top. */
function tree(tasks: readonly AgentTask[]): { task: AgentTask; depth: number }[] {
  const known = new Map(tasks.map(task => [task.id, task]))
  const below = new Map<string | null, AgentTask[]>()
  for (const task of tasks) {
    const parent = task.parent !== null && known.has(task.parent) ? task.parent : null
    below.set(parent, [...(below.get(parent) ?? []), task])
  }
  const shown = new Set<string>()
  const rows: { task: AgentTask; depth: number }[] = []
  const add = (first: AgentTask): void => {
    // No recursion: a chain may be as long as there are tasks.
    const open = [{ task: first, depth: 0 }]
    for (let next = open.pop(); next; next = open.pop()) {
      const { task, depth } = next
      if (shown.has(task.id)) continue
      shown.add(task.id)
      rows.push(next)
      for (const child of inOrder(below.get(task.id) ?? []).toReversed()) open.push({ task: child, depth: depth + 1 })
    }
  }
  for (const task of inOrder(below.get(null) ?? [])) add(task)
  for (const task of inOrder(tasks)) add(task)
  return rows
}

function inOrder(tasks: readonly AgentTask[]): AgentTask[] {
  return [...tasks.filter(isAtWork), ...tasks.filter(task => !isAtWork(task)).toReversed()]
}
