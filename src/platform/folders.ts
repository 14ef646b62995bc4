import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder for the person alone, with those above it that are missing. Node can do so by itself, but goes on for ever
 * where the system says of a folder that is there that in it nothing is: in /proc.
 *
 * @throws what the system throws.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (isFolder(path)) return
    const above = dirname(path)
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isMissing || above === path || isFolder(above)) throw error
    makeFolder(above)
    makeFolder(path)
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // Not there, or not ours to see.
    return false
  }
}
