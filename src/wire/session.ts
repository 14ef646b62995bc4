import { readdirSync, readFileSync } from 'node:fs'

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
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name stands in parentheses and may hold anything; behind it: state, parent, group, session.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3])
  } catch {
    // It has ended meanwhile.
    return null
  }
}

/** Ends every process of the session but its leader, without asking. */
export function killSession(leader: number): void {
  for (const pid of processesOfSession(leader)) {
    if (pid === leader) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}
