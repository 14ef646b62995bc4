/** The tool `glob` as later versions of zot have it (docs/zot-protocol.md, 22), carried out here. */
import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import { holdFolder } from '../../platform/held-folder.ts'
import { createPace, type Pace } from '../../platform/pace.ts'
import { readRegularFile } from '../../platform/regular-file.ts'
import { isIgnoredBy, readIgnoreFile, type IgnoreFile } from '../../text/patterns/ignore-file.ts'
import { defineTool } from '../define-tool.ts'
import { locate, onlyOne, type ToolPath } from '../path.ts'
import { text, ToolFailure } from '../tool.ts'
import { readGlob, type GlobPattern } from './glob-pattern.ts'

const MOST_MATCHES = 500
const DEEPEST = 24
/** Bytes of an ignore file. */
const LARGEST_RULES = 128 * 1024
/** Entries of all folders, so that a search ends. */
const MOST_ENTRIES = 2_000_000

export const globTool = defineTool(
  {
    name: 'glob',
    kind: 'read',
    description:
      'Find files matching a glob pattern (e.g. "**/*.go", "*.json", "src/**/*.ts"). Honors .gitignore rules.',
    schema: {
      type: 'object',
      properties: {
        pattern: {
          type: 'string',
          description: 'Glob pattern to match files against (e.g. "**/*.go", "*.json", "src/**/*.ts")',
        },
        path: { type: 'string', description: 'Directory to search within, relative to CWD (defaults to ".")' },
        hidden: { type: 'boolean', description: 'Whether to include hidden files and directories (default false)' },
      },
      required: ['pattern'],
    },
  },
  z.object({
    pattern: z.string().refine(pattern => pattern.trim() !== '', 'pattern is required'),
    path: z.string().nullish(),
    hidden: z.boolean().nullish(),
  }),
  {
    places: async ({ path }, folder, files) => [await locate(folder, path ?? '', files)],
    async run({ pattern, path, hidden }, { folder, signal }, places) {
      const place = onlyOne(places)
      const written = path ?? ''
      const glob = readGlob(pattern)
      if (!glob) throw new ToolFailure(`invalid glob pattern "${pattern}"`)
      await checkFolder(place, written)
      const found: string[] = []
      const search = { top: place.path, glob, isHidden: hidden ?? false, found, signal, pace: createPace(10), seen: 0 }
      const rules = await rulesAbove(place.path, await realpath(folder))
      if (rules) await searchFolder(search, '', rules, 0)
      if (found.length === 0) return text('No files matched the pattern.')
      const isCut = found.length >= MOST_MATCHES
      const prefix = written === '' || written === '.' ? '' : `${written.replace(/\/$/, '')}/`
      const rows = found.map(name => prefix + name).toSorted(byBytes)
      const note = isCut ? `\n\n(Truncated: showing first ${MOST_MATCHES} matches)` : ''
      return { ...text(rows.join('\n') + note), ...(isCut && { isCut }) }
    },
  },
)

type Search = {
  /** The folder, after all links. */
  top: string
  glob: GlobPattern
  isHidden: boolean
  found: string[]
  signal: AbortSignal
  pace: Pace
  seen: number
}

/** The ignore file of a folder; the last one is the nearest. */
type RulesOfFolders = readonly { folder: string; file: IgnoreFile }[]

async function checkFolder({ named }: ToolPath, written: string): Promise<void> {
  const stats = await stat(named).catch(() => {
    throw new ToolFailure(`stat ${named}: no such file or directory`)
  })
  if (!stats.isDirectory()) throw new ToolFailure(`${written} is not a directory`)
}

/** `at` is the folder below `top`, with a slash at its end; links are not followed. False once enough is found. */
async function searchFolder(search: Search, at: string, above: RulesOfFolders, depth: number): Promise<boolean> {
  const { top, glob, isHidden, found, signal, pace } = search
  const path = join(top, at)
  const entries = await entriesOf(path).catch(() => [])
  const rules = depth === 0 ? above : await withRulesOf(path, above)
  for (const entry of entries.toSorted((one, other) => byBytes(one.name, other.name))) {
    search.seen += 1
    if (search.seen > MOST_ENTRIES) return false
    if (pace.isDue()) await pace.rest()
    signal.throwIfAborted()
    const { name } = entry
    const isFolder = entry.isDirectory()
    if (isHidden ? isFolder && name === '.git' : name.startsWith('.')) continue
    if (isIgnored(join(path, name), isFolder, rules)) continue
    const own = at + name
    if (isFolder) {
      if (depth + 1 < DEEPEST && !(await searchFolder(search, `${own}/`, rules, depth + 1))) return false
    } else if (glob.matches(glob.isOfPath ? own : name)) {
      found.push(own)
      if (found.length >= MOST_MATCHES) return false
    }
  }
  return true
}

async function entriesOf(path: string): Promise<Dirent[]> {
  const folder = holdFolder(path)
  try {
    const entries = await readdir(folder.at(''), { withFileTypes: true })
    folder.check()
    return entries
  } finally {
    folder.close()
  }
}

/** The rules that hold in a folder: of itself and, inside the working folder, of those above. Null if it is ignored itself. */
async function rulesAbove(path: string, folder: string): Promise<RulesOfFolders | null> {
  const within = relative(folder, path)
  const isWithin = within !== '..' && !within.startsWith(`..${sep}`) && !isAbsolute(within)
  let rules = await withRulesOf(isWithin ? folder : path, [])
  let current = folder
  for (const name of isWithin && within !== '' ? within.split(sep) : []) {
    current = resolve(current, name)
    if (isIgnored(current, true, rules)) return null
    rules = await withRulesOf(current, rules)
  }
  return rules
}

async function withRulesOf(folder: string, above: RulesOfFolders): Promise<RulesOfFolders> {
  const read = await readRegularFile(join(folder, '.gitignore'), LARGEST_RULES)
  return read.ok ? [...above, { folder, file: readIgnoreFile(read.bytes.toString('utf8')) }] : above
}

/** The nearest rule that matches decides. */
function isIgnored(path: string, isFolder: boolean, rules: RulesOfFolders): boolean {
  for (const { folder, file } of rules.toReversed()) {
    const isMatched = isIgnoredBy(file, relative(folder, path).split(sep).join('/'), isFolder)
    if (isMatched !== null) return isMatched
  }
  return false
}

/** zot compares names byte by byte. */
function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
