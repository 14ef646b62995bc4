/** Whose a journal is, and whether that program still runs. Its name says both, so that nothing has to be read. */
import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import process from 'node:process'
import { codeOf } from './places.ts'
import { readTextSync } from '../../platform/regular-file.ts'

/** A home may be shared by machines that cannot see each other's processes: those are trusted to live this long, in ms. */
const FAR_AWAY = 3_600_000

const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/** What a journal is called whose program has left in good order. */
const LEFT = 'left'

/** A name for a journal of this process; each call gives another one. */
export function ownName(): string {
  return [host, process.pid, stateOf(process.pid)?.began ?? '0', randomBytes(6).toString('hex')].join('-')
}

/** The part of a journal's name that stays when it changes hands. */
export function identityOf(name: string): string {
  return name.split('-').at(-1) ?? name
}

/** What `name` is called from now on if its program goes on without it. */
export function leftName(name: string): string {
  return `${LEFT}-${identityOf(name)}`
}

/**
 * Whether the program that a journal belongs to is gone for good. What is no journal's name belongs to nobody we know, and
 * is left alone. `touched` says when the journal last changed, `now` what time it is: milliseconds since the Unix epoch.
 */
export function isOwnerDead(name: string, touched: () => number, now: number): boolean {
  if (/^left-[\da-f]+$/.test(name)) return true
  const [, machine, pid, began] = /^([\da-f]{8})-(\d+)-(\d+)-[\da-f]+$/.exec(name) ?? []
  if (pid === undefined) return false
  if (machine !== host) return now - touched() > FAR_AWAY
  return !isRunning(Number(pid), began ?? '0')
}

/** A number of a process goes to another one day; only with the time of its start it names one process for good. */
function isRunning(pid: number, began: string): boolean {
  const state = stateOf(pid)
  if (state !== null) return !state.ended && (began === '0' || state.began === began)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Anything else, such as EPERM, comes from a process that is there.
    return codeOf(error) !== 'ESRCH'
  }
}

/** What Linux tells of a process: when it began, in ticks since the machine started. Null elsewhere, or where it is gone. */
function stateOf(pid: number): { began: string; ended: boolean } | null {
  try {
    const stat = readTextSync(`/proc/${pid}/stat`)
    // The command's name stands in parentheses and may hold any character; the fields count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie writes nothing any more.
    return { began: fields[19] ?? '0', ended: fields[0] === 'Z' || fields[0] === 'X' }
  } catch {
    return null
  }
}
