/** The content of a file, as far as it can be shown and compared. */
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { here, type ProjectFiles } from '../platform/project-files.ts'

export type FileContent =
  | { kind: 'text'; text: string; isUtf8: boolean }
  | { kind: 'binary'; bytes: number; hash: string }
  | { kind: 'link'; text: string }
  /** The file does not exist. */
  | { kind: 'none' }
  /** It exists but was not read: too large, a pipe, no permission. `why` completes a sentence that begins with its name. */
  | { kind: 'unread'; why: string }

/** Reads a file. A symbolic link is read as its target's path and never followed. Never throws. */
export async function readContent(file: string, limit: number, files: ProjectFiles = here): Promise<FileContent> {
  try {
    const text = await files.linkTarget(file)
    if (text !== null) return { kind: 'link', text }
  } catch {
    return { kind: 'unread', why: 'cannot be read: permission denied' }
  }
  const read = await files.readFile(file, limit)
  if (read.ok) return contentOf(read.bytes)
  return read.reason === 'is not there' ? { kind: 'none' } : { kind: 'unread', why: read.reason }
}

/** Bytes searched for a NUL, which marks a binary file, as in git. */
const LOOKED_AT = 8000

export function contentOf(bytes: Buffer): FileContent {
  if (bytes.subarray(0, LOOKED_AT).includes(0)) {
    return { kind: 'binary', bytes: bytes.length, hash: createHash('sha256').update(bytes).digest('hex') }
  }
  return { kind: 'text', ...decoded(bytes) }
}

/** Decodes bytes as UTF-8, or else as Latin-1, in which every byte is a character. */
export function decoded(bytes: Buffer): { text: string; isUtf8: boolean } {
  return isUtf8(bytes)
    ? { text: bytes.toString('utf8'), isUtf8: true }
    : { text: bytes.toString('latin1'), isUtf8: false }
}

export function isSame(a: FileContent, b: FileContent): boolean {
  if (a.kind === 'text' || a.kind === 'link') return b.kind === a.kind && a.text === b.text
  if (a.kind === 'binary') return b.kind === 'binary' && a.hash === b.hash
  return a.kind === 'none' && b.kind === 'none'
}
