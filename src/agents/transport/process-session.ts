import { processIds, processStat } from '../../platform/processes.ts'

/** Milliseconds that processes have to end after SIGTERM. */
const GRACE = 1000

/**
 * Lists the processes of a session in all its process groups: the leader's descendants that did not move to another session.
 * Reads `/proc`; empty on systems without it.
 */
export function processesOfSession(leader: number): number[] {
  // Without /proc only the leader's own process group can be reached.
  return processIds().filter(pid => processStat(pid)?.session === leader)
}

/** Kills every process of the session except its leader. */
export function killSession(leader: number): void {
  signalSession(leader, 'SIGKILL')
}

/**
 * Ends the rest of a session whose leader has ended, such as a server started with `&`. Sends SIGTERM, and SIGKILL a second
 * later. Returns at once; `onEnd` is called when it is done.
 */
export function endSession(leader: number, onEnd: () => void): void {
  if (!signalSession(leader, 'SIGTERM')) return onEnd()
  const kill = (): void => {
    signalSession(leader, 'SIGKILL')
    onEnd()
  }
  setTimeout(kill, GRACE).unref()
}

/** Signals all members but the leader. Returns whether there were any. */
function signalSession(leader: number, signal: NodeJS.Signals): boolean {
  const members = processesOfSession(leader).filter(pid => pid !== leader)
  for (const pid of members) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended in the meantime.
    }
  }
  return members.length > 0
}
