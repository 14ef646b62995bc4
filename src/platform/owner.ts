/** The program that owns a journal or a claim. The file's name says which, so nothing has to be read. */
import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import process from 'node:process'
import { processStat } from './processes.ts'

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
