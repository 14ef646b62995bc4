/** The current state of the file that a call changes. */
import { createHash } from 'node:crypto'
import type { ProjectFiles } from '../platform/project-files.ts'
import type { ToolPath } from './path.ts'
import { ToolFailure, type FileState } from './tool.ts'

/** Bytes of the longest file that is compared. */
export const MOST_COMPARED = 16 * 1024 * 1024

/** `bytes` is null for a file that is too long to compare. */
export type TargetFile = { state: FileState; exists: boolean; bytes: Buffer | null }

/** @throws ToolFailure for anything else than a regular file. */
export async function readTarget({ named, path }: ToolPath, place: ProjectFiles): Promise<TargetFile> {
  const stats = await place.stats(path)
  if (stats === null) return { state: { path, mark: null }, exists: false, bytes: Buffer.alloc(0) }
  if (stats.kind === 'folder') throw new ToolFailure(`open ${named}: is a directory`)
  if (stats.kind === 'file' && stats.size > MOST_COMPARED)
    return { state: { path, mark: stats.mark }, exists: true, bytes: null }
  const read = await place.readFile(path, MOST_COMPARED)
  if (!read.ok) throw new ToolFailure(`${named} ${read.reason}`)
  return {
    state: { path, mark: createHash('sha256').update(read.bytes).digest('hex') },
    exists: true,
    bytes: read.bytes,
  }
}

/** @throws ToolFailure if the user saw another file, or other content. */
export function checkUnchanged({ state }: TargetFile, expected: FileState | null | undefined): void {
  if (!expected || (expected.path === state.path && expected.mark === state.mark)) return
  throw new ToolFailure(
    `${state.path} has changed since this call was shown to the user. Nothing was changed: read it again.`,
  )
}
