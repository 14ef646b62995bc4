/** Finds session files: `sessions` holds a folder for each project, and that a file for each session. */
import { rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { namesIn } from '../../platform/folders.ts'
import { createPace } from '../../platform/pace.ts'
import { storedFolderName } from '../folder-name.ts'
import { claim, isOpen, takeCutOff, type Claim } from './claim.ts'
import { notedAgent } from './noted-agent.ts'
import { sessionIds, sessionPath } from './session-path.ts'
import type { SummaryIndex } from './index-file.ts'
import type { SessionSummary, SessionScope } from '../../conversation/queries/session/session-summary.ts'

export type SessionFiles = {
  /** The folder of this project's sessions. */
  own: string
  /** The path of a session, in this project first; null where there is none of that name. */
  pathOf: (id: string) => string | null
  /** The short name of a session's last agent; undefined if none was noted. */
  agentOf: (id: string) => Promise<string | undefined>
  /** Claims a session; null where it is open in a program that still runs. */
  claim: (id: string, now: number) => Claim | null
  isOpen: (path: string, now: number) => boolean
  /** The summaries of sessions, in no order. Errors go to `report`. */
  list: (scope: SessionScope, report: (error: unknown) => void) => Promise<SessionSummary[]>
  /** The session of this project that was written last. */
  newest: () => string | null
  /** The session to continue: the newest that is not open, or the newest if all are open. */
  toContinue: (now: number) => string | null
  /** The sessions of this project whose program was killed. Each is returned once. */
  cutOff: (now: number) => string[]
  /** Removes sessions of all projects that have not changed for `age` milliseconds, except open ones. */
  expire: (now: number, age: number, report: (error: unknown) => void) => Promise<void>
  /** Whether no project has a session. */
  isEmpty: () => boolean
}

/** The folder of claims, next to the sessions. */
const OPEN = 'open'
/** The time for which many sessions are read before other work gets a turn, in milliseconds. */
const SLICE = 10
/** A valid session id: it cannot lead to another folder. */
const ID = /^[\w-]+$/

/** Opening reads and creates nothing. The methods throw what the system throws. */
export function openSessionFiles(stateFolder: string, projectFolder: string): SessionFiles {
  const root = join(stateFolder, 'sessions')
  const own = join(root, storedFolderName(projectFolder))

  const touched = (id: string): number => changed(sessionPath(own, id))
  const newestOf = (ids: readonly string[]): string | null =>
    ids.map(id => ({ id, at: touched(id) })).toSorted((a, b) => b.at - a.at)[0]?.id ?? null

  const pathOf = (id: string): string | null => {
    if (!ID.test(id)) return null
    const folders = [own, ...foldersIn(root)]
    return folders.map(folder => sessionPath(folder, id)).find(path => changed(path) > 0) ?? null
  }

  return {
    own,
    pathOf,
    async agentOf(id) {
      const path = pathOf(id)
      if (path === null) return undefined
      const noted = notedAgent(dirname(path), id)
      return noted ? noted.name : (await openIndex(dirname(path))).summaryOf(id)?.agent
    },
    claim: (id, now) => claim(join(own, OPEN), id, () => touched(id), now),
    isOpen: isOpenAt,
    async list(scope, report) {
      const found: SessionSummary[] = []
      await inEach(
        scope === 'folder' ? () => [own] : () => foldersIn(root),
        folder => listFolder(folder, found, report),
        report,
      )
      return found
    },
    async expire(now, age, report) {
      const removeOld = (folder: string): Promise<void> =>
        inSlices(sessionIds(folder), id => {
          const path = sessionPath(folder, id)
          if (now - changed(path) > age && !isOpenAt(path, now)) rmSync(path, { force: true })
        })
      await inEach(() => foldersIn(root), removeOld, report)
    },
    newest: () => newestOf(sessionIds(own)),
    toContinue(now) {
      const ids = sessionIds(own)
      return newestOf(ids.filter(id => !isOpenAt(sessionPath(own, id), now))) ?? newestOf(ids)
    },
    cutOff: now => takeCutOff(join(own, OPEN), touched, now).filter(id => touched(id) > 0),
    isEmpty: () => foldersIn(root).every(folder => sessionIds(folder).length === 0),
  }
}

function isOpenAt(path: string, now: number): boolean {
  return isOpen(join(dirname(path), OPEN), basename(path, '.jsonl'), () => changed(path), now)
}

/** Loaded late, since the first frame waits for the rest of this file and rarely needs summaries. */
async function openIndex(folder: string): Promise<SummaryIndex> {
  const { openSummaryIndex } = await import('./index-file.ts')
  return openSummaryIndex(folder)
}

async function listFolder(folder: string, found: SessionSummary[], report: (error: unknown) => void): Promise<void> {
  const index = await openIndex(folder)
  await inSlices(index.ids, id => {
    try {
      const summary = index.summaryOf(id)
      if (summary) found.push(summary)
    } catch (error) {
      // An unreadable session does not hide the others.
      report(error)
    }
  })
  index.save()
}

/** Does the work for each id, and yields to the event loop in between. */
async function inSlices(ids: readonly string[], work: (id: string) => void): Promise<void> {
  const pace = createPace(SLICE)
  for (const id of ids) {
    work(id)
    if (pace.isDue()) await pace.rest()
  }
}

/** Does the work in each folder. An error in one is reported and does not stop the others. */
async function inEach(
  folders: () => string[],
  work: (folder: string) => Promise<void>,
  report: (error: unknown) => void,
): Promise<void> {
  let all: string[] = []
  try {
    all = folders()
  } catch (error) {
    report(error)
  }
  for (const folder of all) await work(folder).catch(report)
}

function foldersIn(root: string): string[] {
  return namesIn(root).map(name => join(root, name))
}

/** When a file was last written, in milliseconds since the Unix epoch; 0 where there is none. */
function changed(path: string): number {
  const file = statSync(path, { throwIfNoEntry: false })
  return file?.isFile() === true ? file.mtimeMs : 0
}
