/** The sessions that zot keeps by itself: to be listed beside ours, read, and gone on with as a session of ours. */
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import { UserError } from '../platform/errors.ts'
import { openCacheFile, type CacheFile } from '../storage/sessions/cache-file.ts'
import type { SessionHeader } from '../storage/sessions/format.ts'
import type { SessionContent } from '../storage/sessions/read.ts'
import { createRedactor, type Redactor } from '../storage/sessions/secrets.ts'
import type { ForeignSessions } from '../storage/sessions/sessions.ts'
import { emptySummary, summarise } from '../storage/sessions/summary.ts'
import { readingZotsession, readZotsession, type ZotSession } from './zotsession.ts'
import { summarySchema, type SessionSummary } from '../conversation/session-summary.ts'

/** Our name for one: no session of ours begins so. */
const PREFIX = 'zot-'
const EXTENSION = '.jsonl'
/** Of very many the newest are listed: one that is new or has changed has to be read as a whole. */
const MOST_LISTED = 1000
/** How long reading them may hold up what else there is to do, in milliseconds. */
const SLICE = 10

/** What was found in a file when it was as large as that and written last then; null for what is not listed. */
const recordSchema = z.object({
  path: z.string(),
  size: z.number(),
  changed: z.number(),
  summary: summarySchema.nullable(),
})
type Cache = CacheFile<z.infer<typeof recordSchema>>

export type ZotSessionsOptions = {
  /** Where zot keeps what is the person's. */
  zotFolder: string
  projectFolder: string
  /** The file that remembers what was found in zot's. */
  cachePath: string
  /** Values that nobody may see: zot keeps them as they came. */
  secrets: readonly string[]
}

type File = { path: string; id: string; size: number; changed: number }

/** Nothing is read by opening. */
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
      const cache = openCacheFile(options.cachePath, { schema: recordSchema, keyOf: ({ path }) => path, isWanted })
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

/** As far as a person can see it in the list: what is a secret now may have been none when it was read. */
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

/** Null for what is not listed. Lets others have their turn while it reads. */
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
  for (let begun = performance.now(); ;) {
    const step = orNull(() => reading.next())
    if (step === null || step.done) return step?.value ?? null
    if (performance.now() - begun < SLICE) continue
    await setImmediate()
    begun = performance.now()
  }
}

function read(path: string): ZotSession | null {
  return orNull(() => readZotsession(path))
}

/** What is damaged is none: zot does not list it either. */
function orNull<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

/** Without secrets; null for what is to be hidden. */
function contentOf(id: string, session: ZotSession | null, redactor: Redactor): SessionContent | null {
  if (session === null || session.meta.hide_from_sessions) return null
  const { meta, skipped } = session
  const title = redactor.redact(session.title)
  const events = [...session.events.flatMap(redactor.push), ...redactor.flush()]
  const header: SessionHeader = {
    type: 'session',
    format: 1,
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
  return namesIn(root).map(name => join(root, name))
}

function filesIn(folder: string): File[] {
  return namesIn(folder)
    .filter(name => name.endsWith(EXTENSION))
    .map(name => {
      const path = join(folder, name)
      const { size = 0, mtimeMs: changed = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
      return { path, id: PREFIX + name.slice(0, -EXTENSION.length), size, changed }
    })
}

/** Who has no zot, or may not read what it keeps, has none of these sessions. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
