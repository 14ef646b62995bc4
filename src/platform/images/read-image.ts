/** Images to be sent with a prompt. */
import { createHash } from 'node:crypto'
import { here, type ProjectFiles } from '../project-files.ts'
import { readRegularFileSync } from '../regular-file.ts'
import { formatBytes } from '../../text/format.ts'
import { inspectImage } from './inspect.ts'

/** An image for the agent (`mimeType`, `data`), and its facts for the user and the session. */
export type Image = {
  mimeType: string
  /** Base64 of the file's bytes. */
  data: string
  /** In pixels. */
  width: number
  height: number
  /** The size of the file. */
  bytes: number
  /** The hash of the file's bytes, in hex. */
  sha256: string
}

export type ImageRead = { ok: true; image: Image } | { ok: false; reason: string }

/**
 * The most bytes of images in one prompt. In base64 they are a third more, and the agent's longest line is 16 MiB, which
 * has to hold the text as well.
 */
export const IMAGE_LIMIT = 11_000_000

/** Reads an image file. `reason` completes a sentence that begins with the file's name: `is not an image`. Never throws. */
export async function readImage(path: string, files: Pick<ProjectFiles, 'readFile'> = here): Promise<ImageRead> {
  const read = await files.readFile(path, IMAGE_LIMIT)
  return read.ok ? imageOf(read.bytes) : read
}

/** An image of bytes that are in memory already, such as the clipboard's. */
export function imageOf(bytes: Buffer): ImageRead {
  if (bytes.length > IMAGE_LIMIT) return { ok: false, reason: `is larger than ${formatBytes(IMAGE_LIMIT)}` }
  const facts = inspectImage(bytes)
  if (facts === null) return { ok: false, reason: 'is not a PNG, JPEG, GIF or WebP image' }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { ok: true, image: { ...facts, data: bytes.toString('base64'), bytes: bytes.length, sha256 } }
}

/** The most bytes of a file that is drawn in the terminal. */
export const PICTURE_LIMIT = 4_000_000

/** The most pixels of one: the terminal unpacks them all. */
const PICTURE_PIXELS = 50_000_000

/** The image of a file for the terminal, read at once; null where it is no image, or too large for that. Never throws. */
export function readPicture(path: string): { mimeType: string; bytes: Buffer } | null {
  const bytes = readRegularFileSync(path, PICTURE_LIMIT)
  const facts = bytes && inspectImage(bytes)
  return facts && facts.width * facts.height <= PICTURE_PIXELS ? { mimeType: facts.mimeType, bytes } : null
}
