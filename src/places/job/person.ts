/** The label by which a person finds the Jobs that they have started: a cluster's namespace is often shared. It says nothing about them. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, UserError } from '../../platform/errors.ts'
import { readTextSync } from '../../platform/regular-file.ts'

const MOST = 100

/** @throws UserError if it can be neither read nor kept: without it, what was started would not be found again. */
export function personLabel(stateFolder: string): string {
  const path = join(stateFolder, 'kubernetes-person')
  try {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 })
    writeFileSync(path, `${randomBytes(8).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw new UserError(`${path} cannot be written (${codeOf(error)}).`, '', 2)
  }
  const label = readTextSync(path, MOST).trim()
  if (!/^[\da-f]{16}$/.test(label)) throw new UserError(`${path} is damaged.`, 'Remove it.', 2)
  return label
}
