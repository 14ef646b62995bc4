/** Reads a prompt from a file. */
import { withoutChips } from '../../composer/chips.ts'
import { normalisePaste } from '../../composer/paste.ts'
import { readRegularFile, readRegularFileWithin } from '../../platform/regular-file.ts'
import { readFrontmatter, type Frontmatter } from './frontmatter.ts'

/** In bytes. A longer prompt is not written by hand. */
const LARGEST = 64_000

export type PromptFile =
  | { ok: true; file: Frontmatter; text: string }
  /** `reason` completes a sentence that begins with the file's name: `is not there`. */
  | { ok: false; reason: string }

/**
 * Reads a prompt of at most 64 kB. `within`: the folder that it must be in after all links have been followed; null for
 * anywhere. Control characters are removed. Never throws.
 */
export async function readPromptFile(path: string, within: string | null): Promise<PromptFile> {
  const read = await (within === null
    ? readRegularFile(path, LARGEST)
    : readRegularFileWithin(path, { folder: within, called: 'the project' }, LARGEST))
  if (!read.ok) return read
  const text = decoded(read.bytes)
  if (text === null) return { ok: false, reason: 'is not UTF-8 text' }
  const clean = withoutChips(normalisePaste(text))
  const file = await readFrontmatter(clean)
  return file.body.trim() === '' ? { ok: false, reason: 'has no text' } : { ok: true, file, text: clean }
}

function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
