/** The records of the conversations in the background of this machine: the process of each, and its socket. */
import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { UserError } from '../platform/errors.ts'
import { makeFolder, namesIn } from '../platform/folders.ts'
import { keepsFolders } from '../platform/keeps-folders.ts'
import { readTextSync } from '../platform/regular-file.ts'
import { isOfThisMachine, ownName } from '../platform/owner.ts'
import { isOwnerDead } from '../platform/owner-state.ts'
import { replaceFile } from '../storage/replace-file.ts'
import { parseJson, toJson } from '../text/json.ts'

const recordSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  /** The process that holds it, with its start time: see `platform/owner.ts`. */
  owner: z.string(),
  socket: z.string(),
  folder: z.string(),
  agent: z.string(),
  startedAt: z.number(),
})
export type BackgroundRecord = z.infer<typeof recordSchema>

/** The longest socket path that every system accepts, in bytes. */
const LONGEST_SOCKET = 100
/** The longest parent folder, in bytes: this leaves room for the names of a folder and a socket in it. */
const LONGEST_PARENT = 70
const GROUP_AND_OTHERS = 0o077
/** The name of a record, and that of one whose socket is not there yet. */
const [PUBLISHED, STARTING] = ['record.json', 'starting.json']
/** Milliseconds after which a conversation of another machine has certainly ended. */
const LONGEST = 30 * 86_400_000

const placeOf = (stateFolder: string): string => join(stateFolder, 'held')

/**
 * Makes the folder for the record and the one for the socket. Call `publish` once the socket is there.
 *
 * @throws the error of the system.
 */
export function makeRecord(
  stateFolder: string,
  facts: Pick<BackgroundRecord, 'id' | 'folder' | 'agent' | 'startedAt'>,
): { socket: string; publish: () => void; remove: () => void } {
  const folder = join(placeOf(stateFolder), facts.id)
  makeFolder(folder)
  const near = join(folder, 'socket')
  const isShort = Buffer.byteLength(near) <= LONGEST_SOCKET
  const socketFolder = isShort ? folder : join(shortParent(), `zotui-${randomBytes(6).toString('hex')}`)
  const socket = join(socketFolder, 'socket')
  const record: BackgroundRecord = { version: 1, ...facts, owner: ownName(), socket }
  // If this process is killed before it can publish the record, others know what to remove.
  replaceFile(join(folder, STARTING), `${toJson(record)}\n`)
  if (!isShort) mkdirSync(socketFolder, { mode: 0o700 })
  return {
    socket,
    publish() {
      chmodSync(socket, 0o600)
      renameSync(join(folder, STARTING), join(folder, PUBLISHED))
    },
    remove() {
      rmSync(folder, { recursive: true, force: true })
      rmSync(socketFolder, { recursive: true, force: true })
    },
  }
}

/** A folder with a short name that lasts as long as a process. */
function shortParent(): string {
  const runtime = process.env['XDG_RUNTIME_DIR'] ?? ''
  return [runtime, tmpdir()].find(isShortFolder) ?? '/tmp'
}

function isShortFolder(path: string): boolean {
  if (path === '' || Buffer.byteLength(path) > LONGEST_PARENT) return false
  return (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false) && keepsFolders(path)
}

/** The conversations whose processes are alive. Files of a killed process are removed. */
export function liveRecords(stateFolder: string): BackgroundRecord[] {
  return namesIn(placeOf(stateFolder)).flatMap(name => {
    const published = readRecord(stateFolder, name, PUBLISHED)
    const record = published ?? readRecord(stateFolder, name, STARTING)
    if (!record) return []
    const isHere = isOfThisMachine(record.owner)
    const hasEnded = isHere
      ? isOwnerDead(record.owner, () => record.startedAt, Date.now())
      : Date.now() - record.startedAt > LONGEST
    if (hasEnded) removeLeft(stateFolder, record)
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
function readRecord(stateFolder: string, name: string, file: string): BackgroundRecord | null {
  const folder = join(placeOf(stateFolder), name)
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
function removeLeft(stateFolder: string, { id, socket }: BackgroundRecord): void {
  if (isOwnSocket(socket)) rmSync(socket, { force: true })
  const folder = dirname(socket)
  if (
    /^zotui-(?:\w{6}|[\da-f]{12})$/.test(folder.slice(folder.lastIndexOf('/') + 1)) &&
    isPrivate(folder, 'isDirectory')
  ) {
    if (namesIn(folder).length === 0) rmSync(folder, { recursive: true, force: true })
  }
  rmSync(join(placeOf(stateFolder), id), { recursive: true, force: true })
}
