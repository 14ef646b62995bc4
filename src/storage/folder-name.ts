import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'

/**
 * The name under which data of a project's folder is stored. It is safe as a file name, and a user can recognise it: the last
 * part of the path and a hash of the whole path. At most 140 bytes.
 */
export function storedFolderName(projectFolder: string): string {
  const path = resolve(projectFolder)
  const readable = basename(path)
    .slice(0, 40)
    .replaceAll(/[^\p{L}\p{N}._-]/gu, '_')
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 16)
  return `${readable}-${hash}`
}
