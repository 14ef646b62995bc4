import { readdirSync } from 'node:fs'
import { readTextSync } from '../../platform/regular-file.ts'

/** How long, in milliseconds, what is asked to end may take for it. */
const GRACE = 1000

/**
 * The processes of a session: what its leader started and what those started, process groups of their own included, as long
 * as they did not leave for another session. Found in `/proc`; empty on systems without it.
 */
export function processesOfSession(leader: number): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number)
      .filter(pid => sessionOf(pid) === leader)
  } catch {
    // No /proc here: then only the leader's own process group can be reached.
    return []
  }
}

function sessionOf(pid: number): number | null {
  try {
    const stat = readTextSync(`/proc/${pid}/stat`)
    // The name stands in parentheses and may hold anything; behind it: state, parent, group, session.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3])
  } catch {
    // It has ended meanwhile.
    return null
  }
}

/** Ends every process of the session but its leader, without asking. */
export function killSession(leader: number): void {
  signalSession(leader, 'SIGKILL')
}

/**
 * Ends what is left of a session whose leader has ended: a server in the background, such as is started with `&`. Asks
 * first; whoever is there a second later is not asked. Holds nobody up: `onEnd` is called when that is over.
 */
export function endSession(leader: number, onEnd: () => void): void {
  if (!signalSession(leader, 'SIGTERM')) return onEnd()
  const kill = (): void => {
    signalSession(leader, 'SIGKILL')
    onEnd()
  }
  setTimeout(kill, GRACE).unref()
}

/** Whether there was anybody but the leader to get it. */
function signalSession(leader: number, signal: NodeJS.Signals): boolean {
  const members = processesOfSession(leader).filter(pid => pid !== leader)
  for (const pid of members) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
  return members.length > 0
}
