/**
 * Stores images that have no file of their own, such as those from the clipboard. Each is in the journal's folder under its hash,
 * for as long as a text in the journal names it. Everything here throws what the system throws.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { makeFolder, namesIn } from '../../platform/folders.ts'
import { replaceFile } from '../replace-file.ts'

export const keptImageSchema = z.object({
  /** Its label in the text, and the offset of the label. */
  label: z.string(),
  at: z.int(),
  /** The text that contains it; a number is a place in the queue. */
  in: z.union([z.enum(['draft', 'stash', 'behind']), z.int()]),
  /** The hash of its content, in hex; it is used as a file name. */
  sha256: z.string().regex(/^[\da-f]{64}$/),
  /** The path of its file. Without one its content is stored with the journal. */
  path: z.string().exactOptional(),
})
/** An image in unsent text: its position, and how to find its content. */
export type KeptImage = z.infer<typeof keptImageSchema>

/** `content` is for an image without a path; it returns null where the content is not available. */
export type UnsentImage = KeptImage & { content?: () => Buffer | null }

const FOLDER = 'images'

/** The path of an image's content in a journal, whether or not it is stored there. */
export function keptPath(folder: string, sha256: string): string {
  return join(folder, FOLDER, sha256)
}

/** Writes the images that are not stored yet. */
export function keepImages(folder: string, images: readonly UnsentImage[]): void {
  for (const { sha256, path, content } of images) {
    const place = keptPath(folder, sha256)
    if (path !== undefined || existsSync(place)) continue
    const bytes = content?.()
    if (bytes) replaceFile(place, bytes)
  }
}

/** Removes images that no text names any more. */
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
