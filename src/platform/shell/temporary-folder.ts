/** Folders for a while. A kill leaves them, and the next start removes them: see `platform/unfinished.ts`. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listedUntil } from '../unfinished.ts'

export type TemporaryFolder = {
  path: string
  /** Another program gets the file of this name to work with. */
  lend: (name: string) => void
  /** Removes it. Never throws: what cannot be removed stays in the list. */
  remove: () => void
  /** It stays for good. */
  keep: () => void
}

/**
 * Makes a folder that only the user may open.
 *
 * @throws what the system throws.
 */
export function makeTemporaryFolder(parent: string): TemporaryFolder {
  const path = join(parent, `zotui-${randomBytes(6).toString('hex')}`)
  const ends = [listedUntil({ folder: path })]
  const end = (): void => ends.splice(0).forEach(each => each())
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    end()
    throw error
  }
  return {
    path,
    lend(name) {
      ends.push(listedUntil({ folder: path, lent: { name, mtimeMs: statSync(join(path, name)).mtimeMs } }))
    },
    remove() {
      try {
        rmSync(path, { recursive: true, force: true })
        end()
      } catch {
        // The list of an ended program names it.
      }
    },
    keep() {
      ends.push(listedUntil({ folder: path, isKept: true }))
      end()
    },
  }
}
