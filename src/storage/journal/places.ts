/** Where the journals of a project's folder live, and how their failures are told. */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'

/**
 * A name for a project's folder that is safe as a file name and that a person can recognise: its last part and a hash of the
 * whole path. At most 140 bytes.
 */
export function placeName(projectFolder: string): string {
  const path = resolve(projectFolder)
  const readable = basename(path)
    .slice(0, 40)
    .replaceAll(/[^\p{L}\p{N}._-]/gu, '_')
  const mark = createHash('sha256').update(path).digest('hex').slice(0, 16)
  return `${readable}-${mark}`
}

/** Tells of the first failure only: a full disk would fail at every key. */
export function createReporter(what: string, onProblem: (words: string) => void): (error: unknown) => void {
  let told = false
  return error => {
    if (told) return
    told = true
    onProblem(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Whether the error says that there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
}

/** The names in a folder; a folder that is not there is empty. */
export function listing(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** The system's name of an error, such as `EACCES`; empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
