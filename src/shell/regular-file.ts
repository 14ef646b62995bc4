/** Reads files that somebody else named: never a pipe that blocks, a device that acts, or more than was asked for. */
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { open, realpath, stat, type FileHandle } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { formatBytes } from '../text/format.ts'
import { isWithin } from './within.ts'

export type FileRead =
  | { ok: true; bytes: Buffer }
  /** `reason` completes a sentence that begins with the file's name: `is not there`. */
  | { ok: false; reason: string }

/** Windows has no such flag. */
const NOT_BLOCKING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
const CHUNK = 1024 * 1024

/** The bytes of a regular file of at most `limit` bytes. Never throws. */
export async function readRegularFile(path: string, limit: number): Promise<FileRead> {
  try {
    // Before opening, since opening alone makes some devices act; and after it, since the name may mean another by then.
    const before = refusal(await stat(path), limit)
    if (before !== null) return { ok: false, reason: before }
    const file = await open(path, NOT_BLOCKING)
    try {
      const reason = refusal(await file.stat(), limit)
      if (reason !== null) return { ok: false, reason }
      const bytes = await readUpTo(file, limit + 1)
      return bytes.length > limit ? { ok: false, reason: tooBig(limit) } : { ok: true, bytes }
    } finally {
      await file.close()
    }
  } catch (error) {
    return { ok: false, reason: explained(error) }
  }
}

/**
 * The same of a file that must be in a folder after all links have been followed: for what a stranger put there, who may not
 * name other files of the person. `called` is the folder in words, for the reason. Never throws.
 */
export async function readRegularFileWithin(
  path: string,
  { folder, called }: { folder: string; called: string },
  limit: number,
): Promise<FileRead> {
  try {
    const [end, root] = [await realpath(path), await realpath(folder)]
    if (!isWithin(root, end)) return { ok: false, reason: `is a link that leads out of ${called}` }
    // Where it led when that was looked at: the link may lead elsewhere by now.
    return await readRegularFile(end, limit)
  } catch (error) {
    return { ok: false, reason: explained(error) }
  }
}

/** At once: the first `most` bytes of a regular file of at most `limit` bytes, null for anything else. Never throws. */
export function readRegularFileSync(path: string, limit: number, most = limit): Buffer | null {
  try {
    if (refusal(statSync(path), limit) !== null) return null
    const file = openSync(path, NOT_BLOCKING)
    try {
      const stats = fstatSync(file)
      return refusal(stats, limit) === null ? readAllSync(file, Math.min(stats.size, most)) : null
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

function readAllSync(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let length = 0
  while (length < size) {
    const read = readSync(file, bytes, length, size - length, null)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}

function refusal(stats: Stats, limit: number): string | null {
  if (stats.isDirectory()) return 'is a folder'
  if (stats.isFIFO()) return 'is a pipe, not a file'
  if (stats.isSocket()) return 'is a socket, not a file'
  if (!stats.isFile()) return 'is a device, not a file'
  return stats.size > limit ? tooBig(limit) : null
}

function tooBig(limit: number): string {
  return `holds more than ${formatBytes(limit)}`
}

/** Until the end rather than the told size: a file may grow, and those in /proc say that they are empty. */
async function readUpTo(file: FileHandle, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  while (size < most) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, most - size))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null)
    if (bytesRead === 0) break
    chunks.push(chunk.subarray(0, bytesRead))
    size += bytesRead
  }
  return Buffer.concat(chunks)
}

function explained(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'is not there'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read (permission denied)'
    case 'ENAMETOOLONG':
      return 'has too long a name'
    default:
      return `cannot be read (${code === '' ? String(error) : code})`
  }
}
