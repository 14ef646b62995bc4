/** Opens everything that outlives the program: history, drafts, sessions, usage and recent models. */
import { openDrafts, type Drafts } from '../../../src/storage/journal/drafts.ts'
import { openHistory, type HistoryJournal } from '../../../src/storage/journal/history.ts'
import { openRecentModels, type RecentModels } from '../../../src/storage/journal/recent-models.ts'
import { openSessions, type Sessions } from '../../../src/storage/sessions/sessions.ts'
import { openLedger, type Ledger } from '../../../src/storage/usage/ledger.ts'
import { timers } from '../../../src/platform/timers.ts'
import type { SessionKind } from '../../../src/conversation/queries/session/session-kind.ts'
import { zotSessions } from './zot-sessions.ts'

export type OpenJournals = {
  history: HistoryJournal
  drafts: Drafts
  sessions: Sessions
  ledger: Ledger
  recentModels: RecentModels
}

/** The journals that all conversations of a program have in common. */
export type SharedJournals = Pick<OpenJournals, 'history' | 'recentModels'>

export type JournalsOptions = {
  stateFolder: string
  projectFolder: string
  /** Values to mask. */
  secrets: readonly string[]
  /** The beginning of new sessions; absent if on the user's screen. */
  kind?: SessionKind
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

/** Writes pending data and releases the claims. */
export function closeJournals({ drafts, sessions }: OpenJournals): void {
  drafts.close()
  sessions.close()
}
