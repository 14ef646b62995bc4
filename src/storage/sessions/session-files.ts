/** Finds session files: `sessions` holds a folder for each project, and that a file for each session. */
import { rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { namesIn } from '../../platform/folders.ts'
import { createPace } from '../../platform/pace.ts'
import { storedFolderName } from '../folder-name.ts'
import { changedBeside, removeBeside, sessionsWithMore } from './beside.ts'
import { claim, isOpen, takeCutOff, type Claim } from './claim.ts'
import { notedFacts, type NotedFacts } from './noted-facts.ts'
import { isSessionId, sessionIds, sessionPath } from './session-path.ts'
import type { SummaryIndex } from './index-file.ts'
import { hasFailed } from '../../conversation/queries/session/session-kind.ts'
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
  /** The newest session of this project that is not open, or the newest if all are open; null for none. */
  newestClosed: (now: number) => string | null
  /**
   * The session for `--continue`, of those with a turn that did not fail: on a screen the one that was on one last, and
   * without (`isPrinting`) the newest, except those that another conversation began. One that is open only if all are.
   */
  toContinue: (now: number, isPrinting: boolean) => Promise<string | null>
  /** The sessions of this project whose program was killed. Each is returned once. */
  cutOff: (now: number) => string[]
  /** Removes sessions of all projects, with what is beside them, that have not changed for `age` milliseconds, except open ones. */
  expire: (now: number, age: number, report: (error: unknown) => void) => Promise<void>
  /** Whether no project has a session. */
  isEmpty: () => boolean
}

/** The folder of claims, next to the sessions. */
const OPEN = 'open'
/** The time for which many sessions are read before other work gets a turn, in milliseconds. */
const SLICE = 10

/** Opening reads and creates nothing. The methods throw what the system throws. */
export function openSessionFiles(stateFolder: string, projectFolder: string): SessionFiles {
  const root = join(stateFolder, 'sessions')
  const own = join(root, storedFolderName(projectFolder))

  const touched = (id: string): number => changed(sessionPath(own, id))
  const newestOf = (ids: readonly string[]): string | null =>
    ids.map(id => ({ id, at: touched(id) })).toSorted((a, b) => b.at - a.at)[0]?.id ?? null

  const pathOf = (id: string): string | null => {
    if (!isSessionId(id)) return null
    const folders = [own, ...foldersIn(root)]
    return folders.map(folder => sessionPath(folder, id)).find(path => changed(path) > 0) ?? null
  }

  return {
    own,
    pathOf,
    async agentOf(id) {
      const path = pathOf(id)
      return path === null ? undefined : (await factsIn(dirname(path))(id))?.agent
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
      // A session whose comments have changed is as new as they are. Comments may also be of a session that never began.
      const removeOld = (folder: string): Promise<void> =>
        inSlices([...new Set([...sessionIds(folder), ...sessionsWithMore(folder)])], id => {
          const path = sessionPath(folder, id)
          if (now - Math.max(changed(path), changedBeside(folder, id)) <= age || isOpenAt(path, now)) return
          rmSync(path, { force: true })
          removeBeside(folder, id)
        })
      await inEach(() => foldersIn(root), removeOld, report)
    },
    newest: () => newestOf(sessionIds(own)),
    newestClosed(now) {
      const ids = sessionIds(own)
      return newestOf(ids.filter(id => !isOpenAt(sessionPath(own, id), now))) ?? newestOf(ids)
    },
    async toContinue(now, isPrinting) {
      const all = sessionIds(own).map(id => ({ id, changedAt: touched(id) }))
      const sorted = all.toSorted((a, b) => b.changedAt - a.changedAt)
      const closed = sorted.filter(({ id }) => !isOpenAt(sessionPath(own, id), now))
      const find = isPrinting ? newestWorked : lastShown
      const facts = factsIn(own)
      return (await find(closed, facts)) ?? (await find(sorted, facts))
    },
    cutOff: now => takeCutOff(join(own, OPEN), touched, now).filter(id => touched(id) > 0),
    isEmpty: () => foldersIn(root).every(folder => sessionIds(folder).length === 0),
  }
}

/** The facts of a folder's sessions that decide whether to continue one: from the index, or from its file. */
function factsIn(folder: string): FactsOf {
  const noted = notedFacts(folder)
  let index: Promise<SummaryIndex> | null = null
  return async id => noted(id) ?? (await (index ??= openIndex(folder))).summaryOf(id)
}

type FactsOf = (id: string) => Promise<NotedFacts | null>
/** Newest first. */
type ChangedSessions = readonly { id: string; changedAt: number }[]

/** A session that comes on the screen is noted in the session's file, so that one that changed before needs no look. */
async function lastShown(sessions: ChangedSessions, factsOf: FactsOf): Promise<string | null> {
  let best: { id: string; at: number } | null = null
  for (const { id, changedAt } of sessions) {
    // A rename sets the time of the file to whole seconds.
    if (best && changedAt < Math.floor(best.at / 1000) * 1000) break
    const facts = await factsOf(id)
    if (!facts || hasFailed(facts) || facts.shownAt === undefined) continue
    if (!best || facts.shownAt > best.at) best = { id, at: facts.shownAt }
  }
  return best?.id ?? null
}

async function newestWorked(sessions: ChangedSessions, factsOf: FactsOf): Promise<string | null> {
  for (const { id } of sessions) {
    const facts = await factsOf(id)
    if (facts && !hasFailed(facts) && (facts.kind !== 'spawned' || facts.shownAt !== undefined)) return id
  }
  return null
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
