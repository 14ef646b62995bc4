/** Linux's processes, from `/proc`. */
import { readableNamesIn } from './folders.ts'
import { readTextSync } from './regular-file.ts'

/** `began` is in ticks since the machine started. A zombie counts as ended. */
export type ProcessStat = { parent: number; group: number; session: number; began: string; hasEnded: boolean }

/** All processes; empty on systems without `/proc`. */
export function processIds(): number[] {
  return readableNamesIn('/proc').flatMap(name => (/^\d+$/.test(name) ? [Number(name)] : []))
}

/** Null where the process has ended, and on systems without `/proc`. */
export function processStat(pid: number): ProcessStat | null {
  try {
    const stat = readTextSync(`/proc/${pid}/stat`)
    // The name is in parentheses and may contain anything, so the fields are counted from its end.
    const [state, parent, group, session, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ids = { parent: Number(parent), group: Number(group), session: Number(session) }
    return { ...ids, began: rest[15] ?? '0', hasEnded: state === 'Z' || state === 'X' }
  } catch {
    return null
  }
}
