/** Reads files that others named: never a pipe that blocks, a device that reacts, or more bytes than allowed. */
import { closeSync, constants, fstatSync, openSync, read, readSync, statSync, type Stats } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { promisify } from 'node:util'
import { formatBytes } from '../text/format.ts'
import { codeOf } from './errors.ts'
import { isWithin } from './within.ts'

export type FileRead =
  | { ok: true; bytes: Buffer }
  /** `reason` completes a sentence that begins with the file's name: `is not there`. */
  | { ok: false; reason: string }

/** Windows has no such flag. */
export const NOT_BLOCKING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
/** Bytes that are read at once, and of the first read where the size is not known. */
const CHUNK = 1024 * 1024
const PAGE = 4096
/** Bytes of the longest text that the engine can hold. */
const LONGEST_TEXT = 512 * 1024 * 1024

/** Whether there is anything at the path, also what may not be looked at. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/** The bytes of a regular file of at most `limit` bytes, which `open` opens. Never throws. */
export async function readRegularFile(path: string, limit: number, open = openRegularFileSync): Promise<FileRead> {
  const read = await readOpening(path, limit, limit + 1, open)
  return read.ok && read.bytes.length > limit ? { ok: false, reason: tooBig(limit) } : read
}

/** The first `most` bytes of a regular file of any size. Never throws. */
export async function readRegularFileStart(path: string, most: number, open = openRegularFileSync): Promise<FileRead> {
  return readOpening(path, Infinity, most, open)
}

/** The last `most` bytes of a regular file of any size; null for anything else. Synchronous. Never throws. */
export function readRegularFileEndSync(path: string, most: number): Buffer | null {
  try {
    const file = openRegularFileSync(path)
    try {
      const { size } = fstatSync(file)
      const room = Buffer.allocUnsafe(Math.min(size, most))
      return room.subarray(0, readSync(file, room, 0, room.length, Math.max(0, size - most)))
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

/** Looks for the file at once, and reads its bytes in a thread: a slow disk must hold up nothing else. */
async function readOpening(
  path: string,
  limit: number,
  most: number,
  open: typeof openRegularFileSync,
): Promise<FileRead> {
  try {
    const file = open(path, limit)
    try {
      return { ok: true, bytes: await readUpTo(file, most) }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    return { ok: false, reason: error instanceof UnreadableFile ? error.reason : explained(error) }
  }
}

/**
 * Reads a file that must be in a folder after all links have been followed: a stranger's project must not name other files of the
 * user. `called` is the folder in words, for the reason. Never throws.
 */
export async function readRegularFileWithin(
  path: string,
  { folder, called }: { folder: string; called: string },
  limit: number,
): Promise<FileRead> {
  try {
    const [end, root] = [await realpath(path), await realpath(folder)]
    if (!isWithin(root, end)) return { ok: false, reason: `is a link that points outside ${called}` }
    // The checked target is read, since the link may have changed.
    return await readRegularFile(end, limit)
  } catch (error) {
    return { ok: false, reason: explained(error) }
  }
}

/** Synchronous: the first `most` bytes of a regular file of at most `limit` bytes, null for anything else. Never throws. */
export function readRegularFileSync(path: string, limit: number, most = limit): Buffer | null {
  try {
    return readOpened(openRegularFileSync(path, limit), most)
  } catch {
    return null
  }
}

/**
 * Synchronous: the text of a regular file.
 *
 * @throws what the system throws, and `UnreadableFile` for anything else than a regular file of at most `limit` bytes.
 */
export function readTextSync(path: string, limit = LONGEST_TEXT): string {
  return readOpened(openRegularFileSync(path, limit), limit).toString('utf8')
}

/**
 * Opens a regular file for reading, as a descriptor that the caller closes.
 *
 * @throws what the system throws, and `UnreadableFile` for anything else than a regular file of at most `limit` bytes.
 */
export function openRegularFileSync(path: string, limit = Infinity): number {
  // Checked before opening, since opening makes some devices react, and again after it, since the file may have been replaced.
  checkRegular(path, statSync(path), limit)
  const file = openSync(path, NOT_BLOCKING)
  try {
    checkRegular(path, fstatSync(file), limit)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** The path is not a regular file, or the file is too large. */
export class UnreadableFile extends Error {
  /** Completes a sentence that begins with the file's name: `is a pipe, not a file`. */
  readonly reason: string

  constructor(path: string, reason: string) {
    super(`${path} ${reason}`)
    this.reason = reason
  }
}

/** @throws `UnreadableFile` for anything else than a regular file of at most `limit` bytes. */
export function checkRegular(path: string, stats: Stats, limit: number): void {
  const reason = refusal(stats, limit)
  if (reason !== null) throw new UnreadableFile(path, reason)
}

/** Reads to the end rather than to the reported size, as `readUpTo` does. Closes the file. */
function readOpened(file: number, most: number): Buffer {
  try {
    const chunks: Buffer[] = []
    let size = 0
    let chunk = Buffer.allocUnsafe(firstRoom(fstatSync(file).size, most))
    let filled = 0
    while (size < most) {
      const count = readSync(file, chunk, filled, chunk.length - filled, null)
      if (count === 0) break
      filled += count
      size += count
      if (filled < chunk.length) continue
      chunks.push(chunk)
      chunk = Buffer.allocUnsafe(Math.min(CHUNK, most - size))
      filled = 0
    }
    const last = chunk.subarray(0, filled)
    return chunks.length === 0 ? last : Buffer.concat([...chunks, last])
  } finally {
    closeSync(file)
  }
}

/** One byte more than reported, so that the end is met without another chunk. Files in /proc report 0, and most of them are short. */
function firstRoom(reported: number, most: number): number {
  return Math.min((reported || PAGE) + 1, most)
}

function refusal(stats: Stats, limit: number): string | null {
  if (stats.isDirectory()) return 'is a folder'
  if (stats.isFIFO()) return 'is a pipe, not a file'
  if (stats.isSocket()) return 'is a socket, not a file'
  if (!stats.isFile()) return 'is a device, not a file'
  return stats.size > limit ? tooBig(limit) : null
}

function tooBig(limit: number): string {
  return `is larger than ${formatBytes(limit)}`
}

const readPart = promisify(read)

/** Reads to the end rather than to the reported size: a file may grow, and those in /proc report 0. */
async function readUpTo(file: number, most: number): Promise<Buffer> {
  const reported = fstatSync(file).size
  const chunks: Buffer[] = []
  let size = 0
  let chunk = Buffer.allocUnsafe(Math.min(firstRoom(reported, most), CHUNK))
  let filled = 0
  while (size < most) {
    const { bytesRead } = await readPart(file, chunk, filled, chunk.length - filled, null)
    filled += bytesRead
    size += bytesRead
    // There was room for more.
    if (bytesRead === 0 || (size === reported && filled < chunk.length)) break
    if (filled < chunk.length) continue
    chunks.push(chunk)
    chunk = Buffer.allocUnsafe(Math.min(CHUNK, most - size))
    filled = 0
  }
  const last = chunk.subarray(0, filled)
  return chunks.length === 0 ? last : Buffer.concat([...chunks, last])
}

function explained(error: unknown): string {
  const code = codeOf(error)
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'is not there'
    case 'EACCES':
    case 'EPERM':
      return 'cannot be read (permission denied)'
    case 'ENAMETOOLONG':
      return 'has a name that is too long'
    default:
      return `cannot be read (${code === '' ? String(error) : code})`
  }
}
