/**
 * A journal of unsent text on disk: a folder with `state.json`, which is always replaced as a whole, and with the journals of other
 * programs under `from-...`, which it has taken over and not yet merged. Everything here throws what the system throws.
 *
 * After a kill at any moment the old state or the new one is there. Nothing is forced out to the disk, since that would take
 * milliseconds at each key; a machine that loses power may lose the last seconds.
 */
import { renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { codeOf, isMissing } from '../../platform/errors.ts'
import { makeFolder, namesIn } from '../../platform/folders.ts'
import { dropImages, keepImages, keptImageSchema, moveImages, type UnsentImage } from './kept-images.ts'
import { identityOf } from '../../platform/owner.ts'
import { replaceFile } from '../replace-file.ts'
import { parseJson } from '../../text/json.ts'
import { readTextSync } from '../../platform/regular-file.ts'

/** Text that was typed and not sent. */
export type Unsent = {
  draft: string
  /** A draft that was stashed. */
  stash?: string
  /** The draft that gave way to an earlier prompt which was recalled and changed, if the stash is in use. */
  behind?: string
  /** In the order in which they are sent. */
  queue: readonly string[]
  /** Whether the queue is paused. */
  held: boolean
  /** The images in these texts. */
  images?: readonly UnsentImage[]
}

export type SavedUnsent = Unsent & {
  /** When it was last changed, in milliseconds since the Unix epoch. */
  at: number
  /** The journals that were taken over and whose content is in this state. After a kill they may still be in the folder. */
  includes: readonly string[]
}

const STATE = 'state.json'
const UNFINISHED = 'state.json.next'
const TAKEN = 'from-'

export function isEmpty(state: Unsent): boolean {
  return (
    state.draft.trim() === '' &&
    (state.stash ?? '').trim() === '' &&
    (state.behind ?? '').trim() === '' &&
    state.queue.length === 0
  )
}

/** Replaces the state of the journal, and creates the journal where it is missing. */
export function writeState(folder: string, state: SavedUnsent): void {
  const images = state.images ?? []
  let trouble: unknown = null
  try {
    keepImages(folder, images)
  } catch (error) {
    // A disk without room for an image may still have room for the text.
    trouble = error
  }
  replaceFile(join(folder, STATE), JSON.stringify(state), join(folder, UNFINISHED))
  dropImages(folder, images)
  if (trouble !== null) throw trouble
}

/**
 * Removes the state. The journals that it includes are removed first, since without the state their content would count again.
 */
export function removeState(folder: string, includes: readonly string[]): void {
  dropTaken(folder, includes)
  for (const name of [UNFINISHED, STATE]) rmSync(join(folder, name), { force: true })
  dropImages(folder, [])
}

/** Removes the journal's folder if it is empty. */
export function removeIfBare(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // The folder is not empty, or was never created.
  }
}

/** Renames the journal, if it exists, to a name without an owner. */
export function release(folder: string, name: string): void {
  try {
    renameSync(folder, name)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/**
 * Takes over `journals` by moving them into `folder`, each with the journals that it had taken over itself. If several programs
 * want the same journal, one gets it. A journal that cannot be moved stays and is reported.
 */
export function takeOver(
  parent: string,
  journals: readonly string[],
  folder: string,
  report: (error: unknown) => void,
): void {
  makeFolder(folder)
  for (const name of journals) {
    try {
      renameSync(join(parent, name), join(folder, TAKEN + identityOf(name)))
    } catch (error) {
      // Another program was faster. On Windows this is EPERM during the move.
      if (!isMissing(error) && codeOf(error) !== 'EPERM') report(error)
    }
  }
  removeIfBare(folder)
}

/** The names of the journals that were taken over. */
export function takenIn(folder: string): string[] {
  return namesIn(folder).filter(name => name.startsWith(TAKEN))
}

/** Removes journals whose content is now in the journal's own state. */
export function dropTaken(folder: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Moves the images of journals that were taken over into the journal's own folder. */
export function gatherImages(folder: string): void {
  for (const name of takenIn(folder)) {
    gatherImages(join(folder, name))
    moveImages(join(folder, name), folder)
  }
}

/** The states of a journal and of those that it has taken over, each once, in no order. Damaged states are omitted. */
export function readJournal(folder: string): SavedUnsent[] {
  // A complete unfinished file is the newer state.
  const own = readState(join(folder, UNFINISHED)) ?? readState(join(folder, STATE))
  const open = takenIn(folder).filter(name => own?.includes.includes(name) !== true)
  return [...open.flatMap(name => readJournal(join(folder, name))), ...(own === null ? [] : [own])]
}

/** Null where the file is missing or torn. */
function readState(path: string): SavedUnsent | null {
  try {
    const saved = savedSchema.safeParse(parseJson(readTextSync(path))).data
    if (!saved) return null
    const { images, ...state } = saved
    const known = images.filter(image => image !== null)
    return known.length > 0 ? { ...state, images: known } : state
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

const savedSchema = z.object({
  draft: z.string(),
  stash: z.string().exactOptional(),
  behind: z.string().exactOptional(),
  queue: z.array(z.string()),
  held: z.boolean(),
  at: z.number(),
  includes: z.array(z.string()),
  // A damaged image must not cost the text.
  images: z.array(keptImageSchema.nullable().catch(null)).catch([]),
})
