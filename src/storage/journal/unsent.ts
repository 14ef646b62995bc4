/**
 * A journal of unsent text on disk: a folder with `state.json`, which is only ever replaced as a whole, and, under `from-...`,
 * the journals of others that it has taken over and not yet taken in. Everything here throws what the system throws.
 *
 * After a kill at any instant there is the state of before or the one being written. Nothing is forced out to the disk: that
 * would cost milliseconds at each key, and a machine that loses power may lose the last seconds.
 */
import { renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, isMissing } from '../../platform/errors.ts'
import { makeFolder, namesIn } from '../../platform/folders.ts'
import { dropImages, keepImages, moveImages, type KeptImage, type UnsentImage } from './kept-images.ts'
import { identityOf } from '../owner.ts'
import { replaceFile } from '../replace-file.ts'
import { parseJson } from '../../text/json.ts'
import { readTextSync } from '../../platform/regular-file.ts'

/** What is typed and not sent. */
export type Unsent = {
  draft: string
  /** A draft that was put aside. */
  stash?: string
  /** What was typed before a prompt of before was taken and changed, where there are both others as well. */
  behind?: string
  /** First the one to be sent first. */
  queue: readonly string[]
  /** Nothing of the queue is sent by itself. */
  held: boolean
  /** The images in these texts. */
  images?: readonly UnsentImage[]
}

export type SavedUnsent = Unsent & {
  /** When it was last changed, in milliseconds since the Unix epoch. */
  at: number
  /** Of what was taken over, the names whose content is in here: they may still lie beside it after a kill. */
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

/** Replaces what the journal holds, and makes the journal where there is none. */
export function writeState(folder: string, state: SavedUnsent): void {
  const images = state.images ?? []
  let trouble: unknown = null
  try {
    keepImages(folder, images)
  } catch (error) {
    // A disk that has no room for an image may still have some for the text.
    trouble = error
  }
  replaceFile(join(folder, STATE), JSON.stringify(state), join(folder, UNFINISHED))
  dropImages(folder, images)
  if (trouble !== null) throw trouble
}

/**
 * Takes the state away. While something that it included lies beside it, that has to go first: without the state it would
 * count again.
 */
export function removeState(folder: string, includes: readonly string[]): void {
  dropTaken(folder, includes)
  for (const name of [UNFINISHED, STATE]) rmSync(join(folder, name), { force: true })
  dropImages(folder, [])
}

/** Takes the journal's folder away if nothing is in it. */
export function removeIfBare(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It holds something, or was never made.
  }
}

/** Gives the journal the name of one that nobody owns, if there is one. */
export function release(folder: string, name: string): void {
  try {
    renameSync(folder, name)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/**
 * Takes `journals` over into `folder`, by moving them. Of several programs that want the same one, one gets it. With what it
 * had taken over itself, each moves as a whole. What cannot be moved is told to `report` and stays.
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
      // Another program was faster. On Windows that is EPERM while it moves.
      if (!isMissing(error) && codeOf(error) !== 'EPERM') report(error)
    }
  }
  removeIfBare(folder)
}

/** What was taken over and lies beside the journal's own state. */
export function takenIn(folder: string): string[] {
  return namesIn(folder).filter(name => name.startsWith(TAKEN))
}

/** Takes away what the journal's own state includes by now. */
export function dropTaken(folder: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Brings the images of what was taken over into the journal's own place. */
export function gatherImages(folder: string): void {
  for (const name of takenIn(folder)) {
    gatherImages(join(folder, name))
    moveImages(join(folder, name), folder)
  }
}

/** All states in a journal and in what it has taken over, each once, in no order. What cannot be understood is left out. */
export function readJournal(folder: string): SavedUnsent[] {
  // What is complete and was not yet put in place is the newer one.
  const own = readState(join(folder, UNFINISHED)) ?? readState(join(folder, STATE))
  const open = takenIn(folder).filter(name => own?.includes.includes(name) !== true)
  return [...open.flatMap(name => readJournal(join(folder, name))), ...(own === null ? [] : [own])]
}

/** Null where there is none, or a torn one. */
function readState(path: string): SavedUnsent | null {
  try {
    const value = parseJson(readTextSync(path))
    if (!isSaved(value)) return null
    const { images, ...state } = value
    // Of what is wrong with an image the text must not suffer.
    const known = Array.isArray(images) ? images.filter(isImage) : []
    return known.length > 0 ? { ...state, images: known } : state
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function isSaved(value: unknown): value is SavedUnsent {
  if (typeof value !== 'object' || value === null) return false
  const { draft, stash, behind, queue, held, at, includes } = value as Record<string, unknown>
  const fits = typeof draft === 'string' && typeof held === 'boolean' && typeof at === 'number' && Number.isFinite(at)
  const fitsToo = [stash, behind].every(text => text === undefined || typeof text === 'string')
  return fits && fitsToo && isTexts(queue) && isTexts(includes)
}

function isImage(value: unknown): value is KeptImage {
  if (typeof value !== 'object' || value === null) return false
  const { label, at, in: place, sha256, path } = value as Record<string, unknown>
  const isPlace = place === 'draft' || place === 'stash' || place === 'behind' || Number.isSafeInteger(place)
  // A hash is a file's name, too.
  const isHash = typeof sha256 === 'string' && /^[\da-f]{64}$/.test(sha256)
  const isKnown = path === undefined || typeof path === 'string'
  return isPlace && isHash && isKnown && typeof label === 'string' && Number.isSafeInteger(at)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(text => typeof text === 'string')
}
