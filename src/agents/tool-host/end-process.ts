/** Ends a command that an agent runs, or what it left in the background. */
import process from 'node:process'
import type { Reply } from '../../agent/backend.ts'
import type { ProcessRow } from './process-table.ts'

/** The most that two readings of one process's start may differ, in milliseconds: `ps` reports whole seconds. */
export const CLOCK = 1500
export const GONE: Reply = { ok: false, message: 'it has ended already' }

/** Ends a whole command, or one process in the background with all that it started. */
export function endProcess(pid: number, rows: readonly ProcessRow[]): Reply {
  const row = rows.find(found => found.pid === pid)
  if (!row) return GONE
  const targets = row.group === pid ? [-pid] : [pid, ...descendantsOf(pid, rows)]
  const reached = targets.filter(target => signalProcess(target, 'SIGTERM'))
  return reached.length > 0 ? { ok: true, value: undefined } : GONE
}

function descendantsOf(pid: number, rows: readonly ProcessRow[]): number[] {
  const children = rows.filter(({ parent }) => parent === pid).map(row => row.pid)
  return children.concat(children.flatMap(child => descendantsOf(child, rows)))
}

/** Whether a process, or the group of a negative number, was there to get it. */
export function signalProcess(target: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    return process.kill(target, signal)
  } catch {
    // It has ended since the processes were listed.
    return false
  }
}
