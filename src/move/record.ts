/** What is known here of a conversation that has moved: where it came from, and how its folder was then. */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isOwnerDead } from '../platform/owner-state.ts'
import { ownName } from '../platform/owner.ts'
import { readTextSync } from '../platform/regular-file.ts'
import { replaceFile } from '../storage/replace-file.ts'
import { parseJson } from '../text/json.ts'
import { MoveProblem } from './problem.ts'

const oid = z.string().regex(/^[\da-f]{40,64}$/)

const schema = z.object({
  version: z.literal(1),
  id: z.string().regex(/^[\da-f]+$/),
  /** The machine, such as `ssh:build`, and the folder there. */
  machine: z.string(),
  there: z.object({ folder: z.string(), top: z.string(), branch: z.string().nullable() }),
  /** The folder here that it came from, and the top of its repository. */
  folder: z.string(),
  top: z.string(),
  /** How that was then. */
  branch: z.string().nullable(),
  head: oid,
  commit: oid,
  tree: oid,
  /** Milliseconds since the Unix epoch, by the clock of this machine. */
  at: z.number(),
  /** A way back that has begun here: the zotui that does it, what the folder becomes, and when. A kill leaves it. */
  bringing: z
    .object({ owner: z.string(), head: oid, commit: oid, tree: oid, isWorktree: z.boolean(), at: z.number() })
    .nullable()
    .default(null),
})

export type MoveRecord = Omit<z.infer<typeof schema>, 'version'>

type Bringing = NonNullable<MoveRecord['bringing']>

/** The mark of a way back that this zotui begins now. */
export const beginBringing = (facts: Omit<Bringing, 'owner' | 'at'>): Bringing => {
  return { ...facts, owner: ownName(), at: Date.now() }
}

/** @throws MoveProblem if the zotui that does it still runs. */
export function requireCutOff({ owner, at }: Bringing): void {
  if (!isOwnerDead(owner, () => at, Date.now())) throw new MoveProblem('another zotui brings it back at this moment')
}

/** The name of the machine and the folder there lead to the record. */
function pathOf(stateFolder: string, machine: string, folder: string): string {
  const name = createHash('sha256').update(`${machine}\0${folder}`).digest('hex').slice(0, 32)
  return join(stateFolder, 'moves', `${name}.json`)
}

/** @throws what the system throws. */
export function writeMove(stateFolder: string, record: MoveRecord): void {
  const text = JSON.stringify({ version: 1, ...record } satisfies z.infer<typeof schema>)
  replaceFile(pathOf(stateFolder, record.machine, record.there.folder), text)
}

/** Null if the folder there came from nowhere, or the record is damaged. Never throws. */
export function readMove(stateFolder: string, machine: string, folder: string): MoveRecord | null {
  try {
    const read = schema.safeParse(parseJson(readTextSync(pathOf(stateFolder, machine, folder))))
    if (!read.success || read.data.machine !== machine || read.data.there.folder !== folder) return null
    const { version: _version, ...record } = read.data
    return record
  } catch {
    // There is none.
    return null
  }
}

/** Forgets it. Never throws. */
export function forgetMove(stateFolder: string, { machine, there }: Pick<MoveRecord, 'machine' | 'there'>): void {
  try {
    rmSync(pathOf(stateFolder, machine, there.folder), { force: true })
  } catch {
    // It stays, and the next move there replaces it.
  }
}

/** The reference here that keeps the files as they were, for git. */
export const keptRef = ({ id }: Pick<MoveRecord, 'id'>): string => `refs/zotui/moved/${id}`
