/** The folder of the commands that come with zotui. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** From the shipped chunks, from the shipped entry, and from the sources. */
const FOLDERS = ['../../prompts/', '../prompts/', '../../../prompts/']

/** Null where the installation lacks it. */
export function shippedCommandsFolder(): string | null {
  // A folder of another package may have the same name.
  const found = FOLDERS.find(path => existsSync(new URL(`${path}review.md`, import.meta.url)))
  return found === undefined ? null : fileURLToPath(new URL(found, import.meta.url))
}
