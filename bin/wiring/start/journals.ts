/** Opens everything that outlives the program: history, drafts, sessions, usage and recent models. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { openZotSessions } from '../../../src/import/zot-sessions.ts'
import { openDrafts, type Drafts } from '../../../src/storage/journal/drafts.ts'
import { openHistory, type HistoryJournal } from '../../../src/storage/journal/history.ts'
import { openRecentModels, type RecentModels } from '../../../src/storage/journal/recent-models.ts'
import { openSessions, type ForeignSessions, type Sessions } from '../../../src/storage/sessions/sessions.ts'
import { openLedger, type Ledger } from '../../../src/storage/usage/ledger.ts'
import { statePath } from '../../../src/storage/log.ts'
import { zotHome } from '../../../src/agents/zot/program/home.ts'

export type OpenJournals = {
  history: HistoryJournal
  drafts: Drafts
  sessions: Sessions
  ledger: Ledger
  recentModels: RecentModels
}

export const timers = {
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** The journals that all conversations of a program have in common. */
export type SharedJournals = Pick<OpenJournals, 'history' | 'recentModels'>

export type JournalsOptions = {
  stateFolder: string
  projectFolder: string
  /** Values to mask. */
  secrets: readonly string[]
  /** Called at most once for each kind of problem, with one line. */
  onProblem: (words: string) => void
}

export function openJournals({ secrets, ...rest }: JournalsOptions, shared?: SharedJournals): OpenJournals {
  const place = { ...rest, now: Date.now }
  const history = shared?.history ?? openHistory(place)
  return {
    history,
    drafts: openDrafts({ ...place, timers, remember: history.append }),
    sessions: openSessions({ ...place, timers, foreign: zotSessions(rest.projectFolder, secrets) }),
    ledger: openLedger(place),
    recentModels: shared?.recentModels ?? openRecentModels(place),
  }
}

/** The sessions that zot itself keeps, for this folder and the others. */
export function zotSessions(projectFolder: string, secrets: readonly string[]): ForeignSessions {
  const { env, platform } = process
  const zotFolder = zotHome(env, platform, homedir())
  return openZotSessions({ zotFolder, projectFolder, cachePath: join(statePath(), 'zot-sessions.jsonl'), secrets })
}

/** Writes pending data and releases the claims. */
export function closeJournals({ drafts, sessions }: OpenJournals): void {
  drafts.close()
  sessions.close()
}
