/** The tool `read` as zot has it (docs/zot-protocol.md, 22), carried out here. */
import { extname } from 'node:path'
import { z } from 'zod'
import type { ProjectFiles } from '../../platform/project-files.ts'
import { defineTool } from '../define-tool.ts'
import { goText } from './go-text.ts'
import { isBinary } from '../line-diff.ts'
import { locate, onlyOne, type ToolPath } from '../path.ts'
import { readDefinition, whyNot } from '../read-tool.ts'
import type { FileRead } from '../../platform/regular-file.ts'
import { text, ToolFailure, type ToolOutcome } from '../tool.ts'

const MOST_LINES = 2000
const MOST_BYTES = 50 * 1024
/** Bytes of an image. zot reads no line of 4 MiB, and base64 is a third longer. */
const MOST_OF_IMAGE = 3_100_000
const imageTypes: ReadonlyMap<string, string> = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
])

export const readArguments = z.object({
  path: z.string().min(1, 'path is required'),
  /** The first line, counted from 1. Zero and less are the first one. */
  offset: z.int().nullish(),
  /** Zero and less are no limit. */
  limit: z.int().nullish(),
})

export const zotReadTool = defineTool(readDefinition, readArguments, {
  worksOn: 'files',
  places: async ({ path }, folder, files) => [await locate(folder, path, files)],
  begin: ({ path }, allowed, files) => contentOf(path, allowed, files),
  async run({ path, offset, limit }, { files }, places, begun) {
    const place = onlyOne(places)
    const read = await (begun ?? contentOf(path, place.path, files))
    const image = imageTypeOf(path)
    if (image !== undefined) return imageIn(read, place, image)
    if (!read.ok) throw new ToolFailure(whyNotAt(place, path, read.reason))
    const isLong = read.bytes.length > MOST_BYTES
    const bytes = read.bytes.subarray(0, MOST_BYTES)
    if (isBinary(bytes)) throw new ToolFailure(`${path} looks binary; refusing to read as text`)
    return partOf(goText(bytes), { first: (offset ?? 0) - 1, count: limit ?? 0, isLong })
  },
})

/** zot cuts the file before it takes the lines that were asked for. */
function partOf(whole: string, { first, count, isLong }: { first: number; count: number; isLong: boolean }) {
  const lines = whole.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const start = Math.max(0, first)
  const selected = lines.slice(start, count > 0 ? start + count : undefined)
  const isTall = selected.length > MOST_LINES
  const notes = [
    ...(isTall || isLong ? [''] : []),
    ...(isTall ? [`... [truncated at ${MOST_LINES} lines]`] : []),
    ...(isLong ? [`... [truncated at ${MOST_BYTES} bytes]`] : []),
  ]
  const words = [...selected.slice(0, MOST_LINES), ...notes].map(line => `${line}\n`).join('')
  return { ...text(words), ...((isTall || isLong) && { isCut: true }) }
}

const imageTypeOf = (path: string): string | undefined => imageTypes.get(extname(path).toLowerCase())

/** The bytes of the file of a call that names `path`: all of an image, the beginning of anything else. */
async function contentOf(path: string, file: string, { resolved: files }: ProjectFiles): Promise<FileRead> {
  return imageTypeOf(path) === undefined ? files.readStart(file, MOST_BYTES + 1) : files.readFile(file, MOST_OF_IMAGE)
}

/** The type is that of the bytes, since a model's provider refuses an image that is called something else. */
function imageIn(read: FileRead, place: ToolPath, byName: string): ToolOutcome {
  if (!read.ok) throw new ToolFailure(whyNot(place.named, read.reason))
  const mimeType = typeOfContent(read.bytes) ?? byName
  return { content: [{ type: 'image', mimeType, data: read.bytes.toString('base64') }], isError: false }
}

function typeOfContent(bytes: Buffer): string | null {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(start)) return 'image/gif'
  return /^RIFF.{4}WEBP$/s.test(start) ? 'image/webp' : null
}

function whyNotAt({ named }: ToolPath, path: string, reason: string): string {
  return reason === 'is a folder' ? `${path} is a directory` : whyNot(named, reason)
}
