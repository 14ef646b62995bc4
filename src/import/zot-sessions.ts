/** Lists and reads the sessions that zot stores itself. They can be resumed as sessions of ours. */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { UserError } from '../platform/errors.ts'
import { readableNamesIn } from '../platform/folders.ts'
import { createPace } from '../platform/pace.ts'
import { openCacheFile, type CacheFile } from '../storage/sessions/cache-file.ts'
import { FORMAT, type SessionHeader } from '../storage/sessions/session-format.ts'
import type { SessionContent } from '../storage/sessions/read-session.ts'
import { createRedactor, type Redactor } from '../storage/sessions/secrets.ts'
import type { ForeignSessions } from '../storage/sessions/sessions.ts'
import { emptySummary, summarise } from '../storage/sessions/summary.ts'
import { readingZotsession, readZotsession, type ZotSession } from './zotsession.ts'
import { summarySchema, type SessionSummary } from '../conversation/queries/session/session-summary.ts'

/** The beginning of our ids for zot's sessions. The ids of our own sessions begin with a date. */
const PREFIX = 'zot-'
const EXTENSION = '.jsonl'
/** Only the newest are listed, since a new or changed session has to be read completely. */
const MOST_LISTED = 1000
/** Milliseconds for which files are read before other work gets a turn. */
const SLICE = 10

/** The summary of a file of this size and time of change; a null `summary` is not listed. */
const recordSchema = z.object({
  path: z.string(),
  size: z.number(),
  changed: z.number(),
  summary: summarySchema.nullable(),
})
type Cache = CacheFile<z.infer<typeof recordSchema>>

export type ZotSessionsOptions = {
  /** The folder with the user's zot data. */
  zotFolder: string
  projectFolder: string
  /** The cache file of summaries. */
  cachePath: string
  /** Secrets to mask: zot stores them in plain text. */
  secrets: readonly string[]
}

type File = { path: string; id: string; size: number; changed: number }

/** Opening reads nothing. */
export function openZotSessions(options: ZotSessionsOptions): ForeignSessions {
  const root = join(options.zotFolder, 'sessions')
  // zot names the folder by the beginning of a checksum of the project's path.
  const mark = createHash('sha256').update(resolve(options.projectFolder)).digest('hex').slice(0, 16)
  const own = join(root, mark)
  const redactor = createRedactor(options.secrets)

  return {
    hasAny: scope => (scope === 'folder' ? [own] : foldersIn(root)).some(folder => filesIn(folder).length > 0),
    async list(scope) {
      const files = (scope === 'folder' ? [own] : foldersIn(root)).flatMap(filesIn)
      if (files.length === 0) return []
      const isWanted = (path: string): boolean => path.startsWith(root)
      const cache = openCacheFile(options.cachePath, {
        schema: recordSchema,
        keyOf: ({ path }) => path,
        isNeeded: isWanted,
      })
      const found: SessionSummary[] = []
      for (const file of files.toSorted((a, b) => b.changed - a.changed).slice(0, MOST_LISTED)) {
        const summary = await summaryOf(file, cache, redactor)
        if (summary) found.push(redacted(summary, redactor))
      }
      cache.save()
      return found
    },
    read(id) {
      const file = [own, ...foldersIn(root)].flatMap(filesIn).find(each => each.id === id)
      return file ? contentOf(id, read(file.path), redactor) : null
    },
  }
}

/** Masks secrets in a cached summary: a value may have become a secret since it was read. */
function redacted(summary: SessionSummary, { redact }: Redactor): SessionSummary {
  const { title, firstPrompt, lastPrompt, lastAnswer, prompts } = summary
  return {
    ...summary,
    title: redact(title),
    firstPrompt: redact(firstPrompt),
    lastPrompt: redact(lastPrompt),
    lastAnswer: redact(lastAnswer),
    prompts: redact(prompts),
  }
}

/** Null where the session is not listed. Yields to the event loop while reading. */
async function summaryOf(
  { path, id, size, changed }: File,
  cache: Cache,
  redactor: Redactor,
): Promise<SessionSummary | null> {
  const known = cache.get(path)
  if (known?.size === size && known.changed === changed) return known.summary
  const content = contentOf(id, await readInSlices(path), redactor)
  const lines = content?.header ? [content.header, ...content.events] : []
  const summary: SessionSummary = { ...lines.reduce(summarise, emptySummary(id)), title: content?.title ?? '' }
  const listed = summary.turns > 0 ? { ...summary, origin: 'zot' as const } : null
  cache.add({ path, size, changed, summary: listed })
  return listed
}

async function readInSlices(path: string): Promise<ZotSession | null> {
  const reading = readingZotsession(path)
  for (const pace = createPace(SLICE); ;) {
    const step = orNull(() => reading.next())
    if (step === null || step.done) return step?.value ?? null
    if (pace.isDue()) await pace.rest()
  }
}

function read(path: string): ZotSession | null {
  return orNull(() => readZotsession(path))
}

/** Null for a damaged session: zot does not list it either. */
function orNull<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

/** The content with secrets masked; null for hidden sessions. */
function contentOf(id: string, session: ZotSession | null, redactor: Redactor): SessionContent | null {
  if (session === null || session.meta.hide_from_sessions) return null
  const { meta, skipped } = session
  const title = redactor.redact(session.title)
  const events = [...session.events.flatMap(redactor.push), ...redactor.flush()]
  const header: SessionHeader = {
    type: 'session',
    format: FORMAT,
    id,
    folder: meta.cwd,
    createdAt: events[0]?.at ?? 0,
    agent: 'zot',
    agentVersion: meta.version,
    provider: meta.provider,
    model: meta.model,
    parent: null,
  }
  return { header, title, events, skipped }
}

function foldersIn(root: string): string[] {
  return readableNamesIn(root).map(name => join(root, name))
}

function filesIn(folder: string): File[] {
  return readableNamesIn(folder)
    .filter(name => name.endsWith(EXTENSION))
    .map(name => {
      const path = join(folder, name)
      const { size = 0, mtimeMs: changed = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
      return { path, id: PREFIX + name.slice(0, -EXTENSION.length), size, changed }
    })
}
