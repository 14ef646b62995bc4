import { z } from 'zod'
import { readImage } from '../platform/images/read-image.ts'
import { here } from '../platform/project-files.ts'
import { isBinary } from './line-diff.ts'
import { cutOutput } from './output-limits.ts'
import { defineTool } from './define-tool.ts'
import { locate, onlyOne } from './path.ts'
import { text, ToolFailure, type ToolOutcome } from './tool.ts'

/** Bytes of the longest file that is searched for the lines that were asked for. */
const MOST_READ = 64 * 1024 * 1024

/** `read` as a model sees it, whichever program carries it out. */
export const readDefinition = {
  name: 'read',
  kind: 'read',
  description: 'Read a file. Images (png/jpg/gif/webp) return inline.',
  schema: {
    type: 'object',
    properties: { path: { type: 'string' }, offset: { type: 'integer' }, limit: { type: 'integer' } },
    required: ['path'],
  },
} as const

/** `read`: the lines of a text file, without numbers, or an image. */
export const readTool = defineTool(
  readDefinition,
  z.object({
    path: z.string().min(1, 'path is required'),
    /** The first line, counted from 1. */
    offset: z.int().min(0).optional(),
    limit: z.int().min(0).optional(),
  }),
  {
    places: async ({ path }, folder, files) => [await locate(folder, path, files)],
    async run({ path, offset = 0, limit = 0 }, _context, places) {
      const place = onlyOne(places)
      if (/\.(?:png|jpe?g|gif|webp)$/i.test(path)) return imageAt(place.path, place.named)
      const read = await here.resolved.readFile(place.path, MOST_READ)
      if (!read.ok) throw new ToolFailure(whyNot(place.named, read.reason))
      if (isBinary(read.bytes)) throw new ToolFailure(`${path} looks binary; refusing to read as text`)
      const lines = read.bytes.toString('utf8').split('\n')
      if (lines.at(-1) === '') lines.pop()
      const first = Math.max(0, offset - 1)
      const chosen = lines.slice(first, limit > 0 ? first + limit : undefined)
      const { text: words, isCut } = cutOutput(chosen.map(line => `${line}\n`).join(''))
      return { ...text(words), ...(isCut && { isCut }) }
    },
  },
)

async function imageAt(path: string, named: string): Promise<ToolOutcome> {
  const read = await readImage(path, here.resolved)
  if (!read.ok) throw new ToolFailure(whyNot(named, read.reason))
  const { mimeType, data } = read.image
  return { content: [{ type: 'image', mimeType, data }], isError: false }
}

/** The wording that models know for the usual errors. */
export function whyNot(named: string, reason: string): string {
  if (reason === 'is not there') return `stat ${named}: no such file or directory`
  if (reason === 'cannot be read (permission denied)') return `open ${named}: permission denied`
  return `${named} ${reason === 'is a folder' ? 'is a directory' : reason}`
}
