/** The commands that run here for an agent, and what earlier ones left in the background. */
import type { Reply } from '../../agent/backend.ts'
import type { RunningCommand } from '../../agent/requests.ts'
import { CLOCK, endProcess, GONE, signalProcess } from './end-process.ts'
import { dayOf, processNow, readProcesses, type ProcessRow } from './process-table.ts'

export type RunningHere = {
  /** A command was started, as the leader of a process session. Returns a function to call when it has ended. */
  began(leader: number, callId: string, command: string): () => void
  list(): Promise<readonly RunningCommand[]>
  end(pid: number): Promise<Reply>
  endAll(): Promise<void>
}

/** Milliseconds that a command has to end by itself. */
const GRACE = 2000

/** A command, and when it ended; null while it runs. */
type BegunCommand = { callId: string; command: string; endedAt: number | null }

export function createRunningHere(
  read: () => Promise<readonly ProcessRow[]> = readProcesses,
  now: () => number = processNow,
): RunningHere {
  /** By the ids of the leaders. */
  const leaders = new Map<number, BegunCommand>()

  async function look(): Promise<{ rows: readonly ProcessRow[]; running: RunningCommand[] }> {
    if (leaders.size === 0) return { rows: [], running: [] }
    const asked = now()
    const rows = await read()
    forgetOthers(rows, asked)
    const ours = rows.filter(({ session, group }) => leaders.has(session ?? group))
    const pids = new Set(ours.map(({ pid }) => pid))
    const running = ours.flatMap(({ pid, parent, session, group, startedAt, command }): RunningCommand[] => {
      const leader = session ?? group
      const { callId, command: whole, endedAt } = leaders.get(leader) ?? { callId: null, command, endedAt: 0 }
      if (endedAt === null) return pid === leader ? [{ pid, startedAt: dayOf(startedAt), command: whole, callId }] : []
      return pids.has(parent) ? [] : [{ pid, startedAt: dayOf(startedAt), command, callId: null }]
    })
    return { rows, running }
  }

  /**
   * The system gives the number of a session again once nothing is left of it. A session of ours has no leader any more after its command,
   * and something that was begun before. The rows may still have the leader of a command that ended after `asked`.
   */
  function forgetOthers(rows: readonly ProcessRow[], asked: number): void {
    for (const [leader, { endedAt }] of leaders) {
      if (endedAt === null || endedAt > asked || rows.length === 0) continue
      const members = rows.filter(({ session, group }) => (session ?? group) === leader)
      const isOurs =
        members.every(({ pid }) => pid !== leader) && members.some(each => each.startedAt <= endedAt + CLOCK)
      if (!isOurs) leaders.delete(leader)
    }
  }

  /** What is left of a command. The first process of a box ignores a mere request to end. */
  async function endRest({ pid: leader, startedAt }: ProcessRow): Promise<void> {
    const left = (await read()).filter(row => row.group === leader)
    // The system may have given the number to another one.
    const isAnother = left.some(row => row.pid === leader && Math.abs(row.startedAt - startedAt) > CLOCK)
    if (left.length > 0 && !isAnother) signalProcess(-leader, 'SIGKILL')
  }

  return {
    began(leader, callId, command) {
      const begun: BegunCommand = { callId, command, endedAt: null }
      leaders.set(leader, begun)
      return () => void (begun.endedAt = now())
    },
    list: async () => (await look()).running,
    async end(pid) {
      const { rows, running } = await look()
      const found = running.find(command => command.pid === pid)
      if (!found) return GONE
      const reply = endProcess(found.pid, rows)
      const leader = rows.find(row => row.pid === pid && row.group === pid)
      if (leader) setTimeout(() => void endRest(leader), GRACE).unref()
      return reply
    },
    async endAll() {
      const ended = [...leaders.keys()]
      const { rows, running } = await look()
      for (const command of running) endProcess(command.pid, rows)
      // Others may have begun meanwhile.
      for (const leader of ended) leaders.delete(leader)
    },
  }
}
