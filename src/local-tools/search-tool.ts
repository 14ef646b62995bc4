import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { walk } from '../platform/files/walk.ts'
import { createPace } from '../platform/pace.ts'
import { here } from '../platform/project-files.ts'
import { isWithin } from '../platform/within.ts'
import { defineTool } from './define-tool.ts'
import { isBinary } from './line-diff.ts'
import type { Matcher } from './matcher.ts'
import { cutOutput } from './output-limits.ts'
import { locate, onlyOne, type ToolPath } from './path.ts'
import { text, ToolFailure } from './tool.ts'

const MOST_FILES = 50_000
const MOST_MATCHES = 500
/** Bytes of the longest file that is searched. */
const MOST_BYTES = 2 * 1024 * 1024
/** Milliseconds of all. */
const LIMIT = 30_000

/** `search`: the lines that match a regular expression, in files that the ignore rules do not exclude. */
export const searchTool = defineTool(
  {
    name: 'search',
    kind: 'read',
    description: 'Search files by a JavaScript regular expression, line by line. Ignored and binary files are skipped.',
    schema: {
      type: 'object',
      properties: { pattern: { type: 'string' }, path: { type: 'string' }, ignoreCase: { type: 'boolean' } },
      required: ['pattern'],
    },
  },
  z.object({
    pattern: z.string().min(1, 'pattern is required'),
    path: z.string().default('.'),
    ignoreCase: z.boolean().default(false),
  }),
  {
    places: async ({ path }, folder, files) => [await locate(folder, path, files)],
    async run({ pattern, path, ignoreCase }, { signal, limit = LIMIT }, places) {
      const place = onlyOne(places)
      // A pattern can take practically forever: it runs in a thread that can be terminated.
      const until = AbortSignal.any([signal, AbortSignal.timeout(limit)])
      // Threads are loaded only here, since every start loads this file.
      const { createMatcher } = await import('./matcher.ts')
      const matcher = createMatcher(pattern, ignoreCase, until)
      try {
        const { rows, isWhole } = await searched(place, path, matcher, until)
        signal.throwIfAborted()
        if (rows.length === 0 && isWhole) return text('No matches.')
        const note = isWhole ? '' : `... [stopped: ${rows.length} matches, or ${limit / 1000} s]\n`
        const { text: words, isCut } = cutOutput(rows.map(row => `${row}\n`).join(''))
        return { ...text(words + note), ...((isCut || !isWhole) && { isCut: true }) }
      } finally {
        await matcher.end()
      }
    },
  },
)

async function searched(place: ToolPath, path: string, matcher: Matcher, until: AbortSignal) {
  const rows: string[] = []
  for (const name of await namesAt(place, until)) {
    if (until.aborted || rows.length >= MOST_MATCHES) return { rows, isWhole: false }
    const end = await here.realPath(join(place.path, name)).catch(() => null)
    // A link may lead to a file outside of what is searched.
    if (end === null || !isWithin(place.path, end)) continue
    const read = await here.resolved.readFile(end, MOST_BYTES)
    if (!read.ok || isBinary(read.bytes)) continue
    const shown = join(path, name)
    const found = await matcher.match(read.bytes.toString('utf8'), MOST_MATCHES - rows.length)
    if (found === null) return { rows, isWhole: false }
    rows.push(...found.map(({ number, line }) => `${shown}:${number}: ${line}`))
  }
  return { rows, isWhole: rows.length < MOST_MATCHES }
}

/** The files below a folder; '' for a file itself. A link is listed, but not read if its target is outside the folder. */
async function namesAt({ path, named }: ToolPath, signal: AbortSignal): Promise<string[]> {
  const stats = await stat(path)
  if (stats.isFile()) return ['']
  if (!stats.isDirectory()) throw new ToolFailure(`${named} is neither a file nor a folder`)
  const names: string[] = []
  const add = (name: string): boolean => {
    if (!name.endsWith('/')) names.push(name)
    return names.length < MOST_FILES
  }
  await walk({ folder: path, add, pace: createPace(10), signal })
  return names
}
