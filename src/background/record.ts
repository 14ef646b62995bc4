/** The records of this machine: of the conversations in the background, and of the UIs. Each has the process, and its socket. */
import { lstatSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { UserError } from '../platform/errors.ts'
import { namesIn } from '../platform/folders.ts'
import { readTextSync } from '../platform/regular-file.ts'
import { isOfThisMachine } from '../platform/owner.ts'
import { isOwnerDead } from '../platform/owner-state.ts'
import { parseJson } from '../text/json.ts'
import { PUBLISHED, RECORD, type RecordKind, recordsFolder, STARTING } from './make-record.ts'

const recordSchema = z.object({
  version: z.literal(RECORD),
  id: z.string(),
  /** The process that holds it, with its start time: see `platform/owner.ts`. */
  owner: z.string(),
  socket: z.string(),
  folder: z.string(),
  agent: z.string(),
  startedAt: z.number(),
})
export type BackgroundRecord = z.infer<typeof recordSchema>

const GROUP_AND_OTHERS = 0o077
/** Milliseconds after which a conversation of another machine has certainly ended. */
const LONGEST = 30 * 86_400_000

/** Those whose processes are alive. Files of a killed process are removed. */
export function liveRecords(stateFolder: string, kind: RecordKind = 'held'): BackgroundRecord[] {
  const place = recordsFolder(stateFolder, kind)
  return namesIn(place).flatMap(name => {
    const published = readRecord(place, name, PUBLISHED)
    const record = published ?? readRecord(place, name, STARTING)
    if (!record) return []
    const isHere = isOfThisMachine(record.owner)
    const hasEnded = isHere
      ? isOwnerDead(record.owner, () => record.startedAt, Date.now())
      : Date.now() - record.startedAt > LONGEST
    if (hasEnded) removeLeft(place, record)
    // A socket of another machine cannot be reached from here.
    return isHere && !hasEnded && published ? [published] : []
  })
}

/**
 * The live conversation with this ID, or the only one whose ID begins with it.
 *
 * @throws UserError with exit code 2 if there is none, if there are several, or if its socket is not the user's own.
 */
export function findRecord(stateFolder: string, id: string): BackgroundRecord {
  const live = liveRecords(stateFolder)
  const found = live.find(record => record.id === id)
  const like = found ? [found] : live.filter(record => id !== '' && record.id.startsWith(id))
  const [record] = like
  if (!record) {
    const hint = '`zotui conversations` lists those that are; `zotui --resume` resumes one that has ended.'
    throw new UserError(`No conversation ${id} runs in the background.`, hint, 2)
  }
  if (like.length > 1) throw new UserError(`${like.length} conversations begin with ${id}.`, 'Use the whole ID.', 2)
  if (!isOwnSocket(record.socket)) {
    throw new UserError(
      `The socket of ${record.id} is gone, or is not yours.`,
      `Its session: zotui --resume ${record.id}`,
      2,
    )
  }
  return record
}

/** Null for anything but a valid record of the user's own. */
function readRecord(place: string, name: string, file: string): BackgroundRecord | null {
  const folder = join(place, name)
  const path = join(folder, file)
  if (!isPrivate(folder, 'isDirectory') || !isPrivate(path, 'isFile')) return null
  try {
    const { success, data } = recordSchema.safeParse(parseJson(readTextSync(path)))
    return success && data.id === name ? data : null
  } catch {
    // The conversation may have ended meanwhile.
    return null
  }
}

/** True if the socket and its folder belong to the user, and no other user may use them. */
export function isOwnSocket(path: string): boolean {
  return isPrivate(dirname(path), 'isDirectory') && isPrivate(path, 'isSocket')
}

/** A link does not count as private. */
function isPrivate(path: string, kind: 'isDirectory' | 'isFile' | 'isSocket'): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found?.[kind]()) return false
  return found.uid === process.getuid?.() && (found.mode & GROUP_AND_OTHERS) === 0
}

/** Removes the files of a killed background process. Of the files that a record names, only its own socket can be removed. */
function removeLeft(place: string, { id, socket }: BackgroundRecord): void {
  if (isOwnSocket(socket)) rmSync(socket, { force: true })
  const folder = dirname(socket)
  if (
    /^zotui-(?:\w{6}|[\da-f]{12})$/.test(folder.slice(folder.lastIndexOf('/') + 1)) &&
    isPrivate(folder, 'isDirectory')
  ) {
    if (namesIn(folder).length === 0) rmSync(folder, { recursive: true, force: true })
  }
  rmSync(join(place, id), { recursive: true, force: true })
}
