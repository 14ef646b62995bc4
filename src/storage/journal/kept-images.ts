/**
 * Images of which there is no file but ours, such as the clipboard's: their content lies in the journal's folder, each under its
 * hash, for as long as a text of the journal names it. Everything here throws what the system throws.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, namesIn } from '../../platform/folders.ts'
import { replaceFile } from '../replace-file.ts'

/** An image in what is typed: where it stands, and enough to find it again. */
export type KeptImage = {
  /** What stands for it in the text, and at which offset. */
  label: string
  at: number
  /** Which text that is: a number is a place in the queue. */
  in: 'draft' | 'stash' | 'behind' | number
  /** Of its content, in hex. */
  sha256: string
  /** Where it was read. Without a path its content is kept with the journal. */
  path?: string
}

/** `content` is for an image without a path: null where it is not at hand. */
export type UnsentImage = KeptImage & { content?: () => Buffer | null }

const FOLDER = 'images'

/** Where the content of an image lies in a journal, if it keeps it. */
export function keptPath(folder: string, sha256: string): string {
  return join(folder, FOLDER, sha256)
}

/** Writes what is not there yet. The journal's folder must exist. */
export function keepImages(folder: string, images: readonly UnsentImage[]): void {
  for (const { sha256, path, content } of images) {
    const place = keptPath(folder, sha256)
    if (path !== undefined || existsSync(place)) continue
    const bytes = content?.()
    if (bytes) replaceFile(place, bytes)
  }
}

/** Takes away what no text names any more. */
export function dropImages(folder: string, images: readonly UnsentImage[]): void {
  const named = new Set(images.flatMap(({ sha256, path }) => (path === undefined ? [sha256] : [])))
  if (named.size === 0) return rmSync(join(folder, FOLDER), { recursive: true, force: true })
  for (const name of namesIn(join(folder, FOLDER))) {
    if (!named.has(name)) rmSync(join(folder, FOLDER, name), { force: true })
  }
}

/** Moves the images of a journal that was taken over into the one that has it now. */
export function moveImages(from: string, to: string): void {
  for (const name of namesIn(join(from, FOLDER))) {
    makeFolder(join(to, FOLDER))
    renameSync(join(from, FOLDER, name), join(to, FOLDER, name))
  }
}
