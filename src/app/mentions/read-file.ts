/** Reads the part of a mentioned file or folder that fits into a prompt. */
import { isUtf8 } from 'node:buffer'
import type { AttachedFile } from '../../agent/attached-file.ts'
import type { PromptImage, PromptResource } from '../../agent/backend.ts'
import type { MentionReading } from '../../composer/mentions.ts'
import { imageOf, IMAGE_LIMIT } from '../../platform/images/read-image.ts'
import { looksLikeImage } from '../../platform/images/paths.ts'
import type { FileFacts, ProjectFiles } from '../../platform/project-files.ts'
import { formatBytes, formatTokens } from '../../text/format.ts'
import { estimateTokens } from '../../text/tokens.ts'
import { contentText, listingText } from './file-text.ts'

/** A file, and the part of it that is sent: a text, an image, or nothing. */
export type ReadMention = { file: AttachedFile; text?: string; image?: PromptImage; resource?: PromptResource }

/** The room that is left in the prompt: estimated tokens of text, and bytes of images. */
export type PromptRoom = { tokens: number; imageBytes: number; all: number }

export type FoundFile = { mention: MentionReading; path: string; facts: FileFacts }

/** The maximum of paths of a folder that are listed. */
const MOST_LISTED = 300
/** Bytes of the longest file of which lines are read. */
const MOST_CUT = 50_000_000
/** Bytes up to which the tokens of a file are counted even if there is less room. */
const COUNTED = 1_000_000
/** The maximum of bytes in a token: no script has longer ones. */
const TOKEN_BYTES = 8

/** Lists at most `most` paths in a folder. */
export type ListFolder = (folder: string, most: number) => Promise<readonly string[]>

export async function readMention(found: FoundFile, files: ProjectFiles, list: ListFolder, room: PromptRoom) {
  const { mention, facts } = found
  if (facts.kind === 'folder') return readFolder(found, await list(found.path, MOST_LISTED + 1), room)
  if (facts.kind === 'other') return onlyNamed(mention, 'is a device or pipe, not a file')
  return readFile(found, files, room)
}

/** Only the name is sent. `because` completes a sentence whose subject is the file. */
export function onlyNamed({ path }: MentionReading, because: string): ReadMention {
  return { file: { path, sent: 'name', because } }
}

function readFolder({ mention }: FoundFile, paths: readonly string[], room: PromptRoom): ReadMention {
  const text = listingText(mention.path, paths.slice(0, MOST_LISTED), paths.length > MOST_LISTED)
  const tokens = estimateTokens(text)
  if (tokens > room.tokens) return onlyNamed(mention, tooLarge(tokens, room))
  return { file: { path: mention.path, sent: 'listing', tokens }, text }
}

async function readFile(found: FoundFile, files: ProjectFiles, room: PromptRoom): Promise<ReadMention> {
  const { mention, path, facts } = found
  const isImage = looksLikeImage(path)
  const most = isImage ? IMAGE_LIMIT : mention.lines === null ? Math.max(room.tokens * TOKEN_BYTES, COUNTED) : MOST_CUT
  if (facts.size > most) return onlyNamed(mention, isImage ? imageLimit(facts.size) : sizeLimit(facts.size, room))
  const read = await files.readFile(path, most)
  if (!read.ok) return onlyNamed(mention, read.reason)
  if (isImage) return readImage(mention, read.bytes, path, room)
  if (read.bytes.includes(0) || !isUtf8(read.bytes)) return onlyNamed(mention, 'is not a UTF-8 text file')
  return readText(found, read.bytes.toString('utf8'), room)
}

function readImage(mention: MentionReading, data: Buffer, path: string, room: PromptRoom): ReadMention {
  const read = imageOf(data)
  if (!read.ok) return onlyNamed(mention, read.reason)
  const { mimeType, data: base64, sha256, bytes } = read.image
  if (bytes > room.imageBytes) return onlyNamed(mention, imageLimit(bytes))
  const image = { mimeType, data: base64, path, sha256 }
  return { file: { path: mention.path, sent: 'image', bytes }, image }
}

function readText(
  { mention: { path, lines }, path: whereItIs }: FoundFile,
  whole: string,
  room: PromptRoom,
): ReadMention {
  const all = lines === null ? 0 : whole.replace(/\n$/, '').split('\n').length
  if (lines !== null && lines.from > all)
    return onlyNamed({ path, lines }, `has only ${all === 1 ? 'one line' : `${all} lines`}`)
  const cut = lines && { from: lines.from, to: Math.min(lines.to, all), all }
  const part =
    cut === null
      ? whole
      : whole
          .split('\n')
          .slice(cut.from - 1, cut.to)
          .join('\n')
  const text = contentText(path, part, cut)
  const tokens = estimateTokens(text)
  if (tokens > room.tokens) return onlyNamed({ path, lines }, tooLarge(tokens, room))
  const range = cut && { lines: { from: cut.from, to: cut.to } }
  const resource = { path: whereItIs, ...range, text: part, instead: text }
  return { file: { path, sent: 'content', ...range, tokens }, text, resource }
}

function tooLarge(tokens: number, room: PromptRoom): string {
  return `is too large: about ${formatTokens(tokens)} tokens, ${roomLeft(room)}`
}

function sizeLimit(bytes: number, room: PromptRoom): string {
  return `is too large: ${formatBytes(bytes)}, ${roomLeft(room)}`
}

function roomLeft({ tokens, all }: PromptRoom): string {
  const most = `and the limit for files in a prompt is ${formatTokens(all)} tokens`
  const left = formatTokens(tokens)
  return left === formatTokens(all) ? most : `${most} (${left} left)`
}

function imageLimit(bytes: number): string {
  return `is too large: ${formatBytes(bytes)}, and the limit for images in a prompt is ${formatBytes(IMAGE_LIMIT)}`
}
