/** The sessions that zot keeps by itself: to be listed beside ours, read, and gone on with as a session of ours. */
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { UserError } from '../errors.ts'
import type { SessionHeader } from '../session/format.ts'
import type { SessionContent } from '../session/read.ts'
import type { ForeignSessions } from '../session/sessions.ts'
import { emptySummary, summarise, type SessionSummary } from '../session/summary.ts'
import { readZotsession } from './zotsession.ts'

/** Our name for one: no session of ours begins so. */
const PREFIX = 'zot-'
const EXTENSION = '.jsonl'
/** Of very many the newest are listed: each has to be read as a whole. */
const MOST_LISTED = 200

/** `zotFolder` is where zot keeps what is the person's. Nothing is read by opening. */
export function openZotSessions(zotFolder: string, projectFolder: string): ForeignSessions {
  const root = join(zotFolder, 'sessions')
  // zot names the folder by the beginning of a checksum of the project's path.
  const own = join(root, createHash('sha256').update(resolve(projectFolder)).digest('hex').slice(0, 16))

  return {
    async list(scope) {
      const files = (scope === 'folder' ? [own] : foldersIn(root)).flatMap(filesIn)
      const newest = files.toSorted((a, b) => b.changed - a.changed).slice(0, MOST_LISTED)
      const found: SessionSummary[] = []
      for (const { path, id } of newest) {
        const summary = summaryOf(path, id)
        if (summary && summary.turns > 0) found.push(summary)
        // Nobody waits for all of them.
        await setImmediate()
      }
      return found
    },
    read(id) {
      const path = [own, ...foldersIn(root)].flatMap(filesIn).find(file => file.id === id)?.path
      return path === undefined ? null : contentOf(path, id)
    },
  }
}

function summaryOf(path: string, id: string): SessionSummary | null {
  const content = contentOf(path, id)
  if (!content?.header) return null
  const lines = [content.header, ...content.events]
  return { ...lines.reduce(summarise, emptySummary(id)), title: content.title, origin: 'zot' }
}

/** Null for what is damaged or hidden: zot does not list it either. */
function contentOf(path: string, id: string): SessionContent | null {
  try {
    const { meta, title, events, skipped } = readZotsession(path)
    if (meta.hide_from_sessions) return null
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
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

function foldersIn(root: string): string[] {
  return namesIn(root).map(name => join(root, name))
}

function filesIn(folder: string): { path: string; id: string; changed: number }[] {
  return namesIn(folder)
    .filter(name => name.endsWith(EXTENSION))
    .map(name => {
      const path = join(folder, name)
      const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
      return { path, id: PREFIX + name.slice(0, -EXTENSION.length), changed }
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
