/** A state folder with sessions, and the index of them without its thread. */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { createPace } from '../../../src/platform/pace.ts'
import { storedFolderName } from '../../../src/storage/folder-name.ts'
import { jsonLine } from '../../../src/storage/jsonl-write.ts'
import { catchUp } from '../../../src/storage/find/catch-up.ts'
import { FindDatabase } from '../../../src/storage/find/database.ts'
import type { FindAnswer, FindQuery, FoundPassage } from '../../../src/storage/find/passage.ts'
import { search } from '../../../src/storage/find/search.ts'
import { sessionPath } from '../../../src/storage/sessions/session-path.ts'
import { timed, type Told } from '../../conversation/events.ts'

export const NOW = Date.UTC(2026, 10, 27)
const DAY = 86_400_000

export function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'find-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

export type Written = { project?: string; agent?: string; daysAgo?: number }

/** Adds events to a session's file, which begins with a header, and returns its path. */
export function writeEvents(state: string, id: string, events: readonly Told[], options: Written = {}): string {
  const { project = '/home/me/project', agent = 'zot', daysAgo = 0 } = options
  const folder = join(state, 'sessions', storedFolderName(project))
  mkdirSync(folder, { recursive: true })
  const path = sessionPath(folder, id)
  const begun = NOW - daysAgo * DAY
  const fields = { agentVersion: '1', provider: 'p', model: 'm', parent: null }
  const header = { type: 'session', format: 1, id, folder: project, createdAt: begun, agent, ...fields }
  const lines = [...(existsSync(path) ? [] : [header]), ...timed(events, begun)]
  appendFileSync(path, lines.map(jsonLine).join(''))
  utimesSync(path, begun / 1000, begun / 1000)
  return path
}

export function openIndex(state: string): FindDatabase {
  const database = new FindDatabase(join(state, 'find.db'), path => new DatabaseSync(path))
  onTestFinished(() => database.close())
  return database
}

export type Index = {
  database: FindDatabase
  catchUp: () => Promise<void>
  /** What is found, and all of the answer. */
  ask: (words: string, more?: Partial<FindQuery>) => Promise<Extract<FindAnswer, { ok: true }>>
  find: (words: string, more?: Partial<FindQuery>) => Promise<readonly FoundPassage[]>
}

/** The index of the sessions in a state folder. Answers of a second ago count as settled only with a later `now`. */
export function indexOf(state: string, { now = NOW, owner = 'test' }: { now?: number; owner?: string } = {}): Index {
  const database = openIndex(state)
  const root = join(state, 'sessions')
  const pace = createPace(1000)
  const ask: Index['ask'] = async (words, more = {}) => {
    const query = { words, folder: null, agent: null, since: null, kinds: null, failed: false, ...more }
    const answer = await search(query, 50, {
      database,
      root,
      now: () => now,
      pace,
      patience: Infinity,
      isOver: () => false,
    })
    if (!answer.ok) throw new Error(answer.why)
    return answer
  }
  return {
    database,
    catchUp: () => catchUp({ database, root, owner, pace, now: () => now, isClosed: () => false }),
    ask,
    find: async (words, more) => (await ask(words, more)).found,
  }
}
