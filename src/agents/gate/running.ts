/** The commands that run here for an agent, and what earlier ones left in the background. */
import type { Reply } from '../../agent/backend.ts'
import type { RunningCommand } from '../../agent/permission.ts'
import { endProcess, GONE } from '../calls/end-process.ts'
import { readProcesses, type ProcessRow } from '../calls/process-table.ts'

export type RunningHere = {
  /** A command was started, as the leader of a process session. Returns a function to call when it has ended. */
  began(leader: number, callId: string, command: string): () => void
  list(): Promise<readonly RunningCommand[]>
  end(pid: number): Promise<Reply>
  /** Ends all of them. */
  endAll(): Promise<void>
}

export function createRunningHere(read: () => Promise<readonly ProcessRow[]> = readProcesses): RunningHere {
  /** By the ids of the leaders; null for a command that has ended. */
  const leaders = new Map<number, { callId: string; command: string } | null>()

  async function look(): Promise<{ rows: readonly ProcessRow[]; running: RunningCommand[] }> {
    if (leaders.size === 0) return { rows: [], running: [] }
    const rows = await read()
    const ours = rows.filter(({ session, group }) => leaders.has(session ?? group))
    const pids = new Set(ours.map(({ pid }) => pid))
    const running = ours.flatMap(({ pid, parent, session, group, startedAt, command }): RunningCommand[] => {
      const call = leaders.get(session ?? group)
      if (call) return pid === (session ?? group) ? [{ pid, startedAt, ...call }] : []
      return pids.has(parent) ? [] : [{ pid, startedAt, command, callId: null }]
    })
    return { rows, running }
  }

  return {
    began(leader, callId, command) {
      leaders.set(leader, { callId, command })
      return () => void leaders.set(leader, null)
    },
    list: async () => (await look()).running,
    async end(pid) {
      const { rows, running } = await look()
      const found = running.find(command => command.pid === pid)
      return found ? endProcess(found, rows) : GONE
    },
    async endAll() {
      const ended = [...leaders.keys()]
      const { rows, running } = await look()
      for (const command of running) endProcess(command, rows)
      // Others may have begun meanwhile.
      for (const leader of ended) leaders.delete(leader)
    },
  }
}
