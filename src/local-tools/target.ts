/** The file that a call changes, as it is now. */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { isMissing } from '../platform/errors.ts'
import { readRegularFile } from '../platform/regular-file.ts'
import type { Place } from './path.ts'
import { ToolFailure, type FileState } from './tool.ts'

/** Bytes of the longest file that is compared. */
export const MOST_COMPARED = 16 * 1024 * 1024

/** `bytes` is null for a file that is too long to compare. */
export type Target = { state: FileState; exists: boolean; bytes: Buffer | null }

/** @throws ToolFailure for anything else than a regular file. */
export async function readTarget({ named, path }: Place): Promise<Target> {
  try {
    const stats = await stat(path, { bigint: true })
    if (stats.isDirectory()) throw new ToolFailure(`open ${named}: is a directory`)
    if (stats.isFile() && stats.size > BigInt(MOST_COMPARED)) {
      const mark = [stats.size, stats.mtimeNs, stats.ino].join(' ')
      return { state: { path, mark }, exists: true, bytes: null }
    }
  } catch (error) {
    if (isMissing(error)) return { state: { path, mark: null }, exists: false, bytes: Buffer.alloc(0) }
    throw error
  }
  const read = await readRegularFile(path, MOST_COMPARED)
  if (!read.ok) throw new ToolFailure(`${named} ${read.reason}`)
  return {
    state: { path, mark: createHash('sha256').update(read.bytes).digest('hex') },
    exists: true,
    bytes: read.bytes,
  }
}

/** @throws ToolFailure if the user saw another file, or other content. */
export function checkUnchanged({ state }: Target, expected: FileState | null | undefined): void {
  if (!expected || (expected.path === state.path && expected.mark === state.mark)) return
  throw new ToolFailure(
    `${state.path} has changed since this call was shown to the user. Nothing was changed: read it again.`,
  )
}
