import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isMissing } from '../platform/errors.ts'
import { makeFolder } from '../platform/folders.ts'
import { beginUnfinished } from '../platform/unfinished.ts'

/**
 * Replaces a file in one step: a reader finds the old content or the new content, never a part of it. Makes the folder where it
 * is missing; only the user may read the file. Nothing is forced out to the disk, since that takes milliseconds.
 *
 * `write-file-atomic` would follow a link at the path, choose the unfinished file's name itself, and not make the folder.
 *
 * The content is first written to `unfinished`. A caller that names this file also looks after it when a write fails or the
 * program is killed; otherwise a failure removes it, and a later program does after a kill.
 *
 * @throws what the system throws.
 */
export function replaceFile(path: string, content: string | Uint8Array, unfinished?: string): void {
  if (unfinished !== undefined) return writeAndRename(path, content, unfinished)
  const { fresh, end, named } = beginUnfinished(path)
  try {
    writeAndRename(path, content, fresh)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw named(error)
  } finally {
    end()
  }
}

function writeAndRename(path: string, content: string | Uint8Array, fresh: string): void {
  write(fresh, content)
  renameSync(fresh, path)
}

function write(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content, { mode: 0o600 })
  } catch (error) {
    if (!isMissing(error)) throw error
    makeFolder(dirname(path))
    writeFileSync(path, content, { mode: 0o600 })
  }
}
