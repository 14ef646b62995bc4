/** Makes the record and the socket of a process with conversations. `record.ts` reads records; a UI makes its own without loading that. */
import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { makeFolder } from '../platform/folders.ts'
import { keepsFolders } from '../platform/keeps-folders.ts'
import { ownName } from '../platform/owner.ts'
import { replaceFile } from '../storage/replace-file.ts'
import { toJson } from '../text/json.ts'

/** `held`: a conversation in the background, whose ID is that of the record. `open`: a UI with its conversations. */
export type RecordKind = 'held' | 'open'

export type RecordFacts = {
  id: string
  folder: string
  agent: string
  startedAt: number
}

export type MadeRecord = {
  /** The path at which to listen. */
  socket: string
  publish: () => void
  remove: () => void
}

/** The version of records. */
export const RECORD = 1
/** The name of a record, and that of one whose socket is not there yet. */
export const [PUBLISHED, STARTING] = ['record.json', 'starting.json']
/** The longest socket path that every system accepts, in bytes. */
const LONGEST_SOCKET = 100
/** The longest parent folder, in bytes: this leaves room for the names of a folder and a socket in it. */
const LONGEST_PARENT = 70

/** The folder with the records. */
export const recordsFolder = (stateFolder: string, kind: RecordKind): string => join(stateFolder, kind)

/**
 * Makes the folder for the record and the one for the socket. Call `publish` once the socket is there.
 *
 * @throws the error of the system.
 */
export function makeRecord(stateFolder: string, facts: RecordFacts, kind: RecordKind = 'held'): MadeRecord {
  const folder = join(recordsFolder(stateFolder, kind), facts.id)
  try {
    return madeIn(folder, facts)
  } catch (error) {
    // A folder without a record would stay for ever.
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function madeIn(folder: string, facts: RecordFacts): MadeRecord {
  makeFolder(folder)
  const near = join(folder, 'socket')
  const isShort = Buffer.byteLength(near) <= LONGEST_SOCKET
  const socketFolder = isShort ? folder : join(shortParent(), `zotui-${randomBytes(6).toString('hex')}`)
  const socket = join(socketFolder, 'socket')
  const record = { version: RECORD, ...facts, owner: ownName(), socket }
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
