/** The program that owns a journal or a claim, and whether it still runs. The file's name says both, so nothing has to be read. */
import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import process from 'node:process'
import { codeOf } from './errors.ts'
import { processStat } from './processes.ts'

/** Machines that share a home cannot see each other's processes. Those of other machines count as alive for this long, in ms. */
const FAR_AWAY = 3_600_000

let knownHost: string | undefined

/** A short name of this machine, computed at its first use. */
function host(): string {
  return (knownHost ??= createHash('sha256').update(hostname()).digest('hex').slice(0, 8))
}

/** The name of a journal whose program ended normally begins with this. */
const LEFT = 'left'

/** A new name for a journal of this process; each call returns another one. */
export function ownName(): string {
  return [host(), process.pid, processStat(process.pid)?.began ?? '0', randomBytes(6).toString('hex')].join('-')
}

/** The part of a journal's name that stays when another program takes the journal over. */
export function identityOf(name: string): string {
  return name.split('-').at(-1) ?? name
}

/** The name of a journal after its program has released it. */
export function leftName(name: string): string {
  return `${LEFT}-${identityOf(name)}`
}

/** Whether the program that owns this runs or ran on this machine, whose processes can be seen. */
export function isOfThisMachine(name: string): boolean {
  return name.startsWith(`${host()}-`)
}

/**
 * Whether the program that owns a journal has ended. A name that is not a journal's counts as owned, so it is not touched.
 * `touched` returns when the journal last changed; `now` is the current time. Both are milliseconds since the Unix epoch.
 */
export function isOwnerDead(name: string, touched: () => number, now: number): boolean {
  if (/^left-[\da-f]+$/.test(name)) return true
  const [, machine, pid, began] = /^([\da-f]{8})-(\d+)-(\d+)-[\da-f]+$/.exec(name) ?? []
  if (pid === undefined) return false
  if (machine !== host()) return now - touched() > FAR_AWAY
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
