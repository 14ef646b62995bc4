/** The commands that zot runs now, and what earlier ones left in the background. */
import type { Reply } from '../../../agent/backend.ts'
import type { RunningCommand } from '../../../agent/permission.ts'
import { endProcess, GONE } from '../../calls/end-process.ts'
import { readProcesses, type ProcessRow } from '../../calls/process-table.ts'

export type RunningCommands = {
  /** A command was passed to zot's shell. `line` stands before it while it waits at a gate. */
  began(callId: string, command: string, line?: string): void
  ended(callId: string): void
  list(): Promise<readonly RunningCommand[]>
  end(pid: number): Promise<Reply>
  /** Ends the command of a call after its own `timeout`, a number of seconds if it has one, unless `turn` is aborted before. */
  limit(callId: string, timeout: unknown, turn: AbortSignal): void
}

export type RunningOptions = {
  /** The ids of the zot whose commands these are, and of its guard; undefined before they are known. */
  processes: () => { zot: number; guard: number } | undefined
  /** Whether the call waits at its gate: it does not run yet. */
  isWaiting: (callId: string) => boolean
  read?: () => Promise<readonly ProcessRow[]>
}

/** The longest delay of Node's timers, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1

type PassedCommand = { command: string; line: string }

export function createRunningCommands({ processes, isWaiting, read = readProcesses }: RunningOptions): RunningCommands {
  const begun = new Map<string, PassedCommand>()
  /** The process groups of commands that were seen, for systems that do not tell the session. */
  const groups = new Set<number>()

  function shown(row: ProcessRow, callId: string | null): RunningCommand {
    const { pid, startedAt } = row
    const call = callId === null ? undefined : begun.get(callId)
    return { pid, command: call?.command ?? row.command, startedAt, callId }
  }

  async function look(): Promise<RunningCommand[]> {
    const known = processes()
    if (!known) return []
    const rows = await read()
    const { zot: leader, guard } = known
    // Those of zot itself are in its process group, and the guard in that or in one of its own.
    const own = new Set(rows.flatMap(({ pid, group }) => (pid === leader || pid === guard ? [group] : [])))
    const ours = rows.filter(
      ({ parent, group, session }) => !own.has(group) && (parent === leader || session === leader || groups.has(group)),
    )
    const shells = ours.filter(({ pid, parent, group }) => parent === leader && pid === group)
    for (const { group } of shells) groups.add(group)
    const commands = shells.flatMap(row => {
      const [callId] = [...begun].find(([, { command, line }]) => row.command === line + command) ?? [null]
      return callId !== null && isWaiting(callId) ? [] : [shown(row, callId ?? 'unknown')]
    })
    const live = new Set(shells.map(({ group }) => group))
    const pids = new Set(ours.map(({ pid }) => pid))
    const left = ours.filter(({ group, parent }) => !live.has(group) && !pids.has(parent) && parent !== leader)
    return [...commands, ...left.map(row => shown(row, null))]
  }

  async function endCall(callId: string): Promise<void> {
    const found = (await look()).find(command => command.callId === callId)
    if (found) endProcess(found, await read())
  }

  return {
    began: (callId, command, line = '') => void begun.set(callId, { command, line }),
    ended: callId => void begun.delete(callId),
    list: look,
    async end(pid) {
      const found = (await look()).find(command => command.pid === pid)
      return found ? endProcess(found, await read()) : GONE
    },
    limit(callId, timeout, turn) {
      if (typeof timeout !== 'number' || timeout <= 0) return
      const timer = setTimeout(() => void endCall(callId), Math.min(timeout * 1000, LONGEST_TIMER))
      timer.unref()
      turn.addEventListener('abort', () => clearTimeout(timer))
    },
  }
}
