/** Whether the program that owns a journal or a claim still runs. The file's name says which it is. */
import process from 'node:process'
import { codeOf } from './errors.ts'
import { isOfThisMachine } from './owner.ts'
import { processStat } from './processes.ts'

/** Machines that share a home cannot see each other's processes. Those of other machines count as alive for this long, in ms. */
const FAR_AWAY = 3_600_000

/**
 * Whether the program that owns a journal has ended. A name that is not a journal's counts as owned, so it is not touched.
 * `touched` returns when the journal last changed; `now` is the current time. Both are milliseconds since the Unix epoch.
 */
export function isOwnerDead(name: string, touched: () => number, now: number): boolean {
  if (/^left-[\da-f]+$/.test(name)) return true
  const [, pid, began] = /^[\da-f]{8}-(\d+)-(\d+)-[\da-f]+$/.exec(name) ?? []
  if (pid === undefined) return false
  if (!isOfThisMachine(name)) return now - touched() > FAR_AWAY
  return !isRunning(Number(pid), began ?? '0')
}

/** The system reuses process ids. Only together with the start time does an id stand for one process. */
function isRunning(pid: number, began: string): boolean {
  const stat = processStat(pid)
  if (stat !== null) return !stat.hasEnded && (began === '0' || stat.began === began)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Any other error, such as EPERM, means that the process exists.
    return codeOf(error) !== 'ESRCH'
  }
}
