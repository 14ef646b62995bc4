/** What outlives the program: the prompts of before, what was typed and not sent, and the sessions. */
import { homedir } from 'node:os'
import process from 'node:process'
import { openZotSessions } from '../src/import/zot-sessions.ts'
import { openDrafts, type Drafts } from '../src/journal/drafts.ts'
import { openHistory, type HistoryJournal } from '../src/journal/history.ts'
import { openSessions, type ForeignSessions, type Sessions } from '../src/session/sessions.ts'
import { openLedger, type Ledger } from '../src/usage/ledger.ts'
import { zotHome } from '../src/zot/home.ts'

export type OpenJournals = { history: HistoryJournal; drafts: Drafts; sessions: Sessions; ledger: Ledger }

export const timers = {
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Opens all; `onProblem` is called at most once for each kind of trouble, with one line. */
export function openJournals(
  stateFolder: string,
  projectFolder: string,
  onProblem: (words: string) => void,
): OpenJournals {
  const place = { stateFolder, projectFolder, now: Date.now, onProblem }
  const history = openHistory(place)
  return {
    history,
    drafts: openDrafts({ ...place, timers, remember: history.append }),
    sessions: openSessions({ ...place, timers, foreign: zotSessions(projectFolder) }),
    ledger: openLedger(place),
  }
}

/** What zot keeps by itself, for this folder and the others. */
export function zotSessions(projectFolder: string): ForeignSessions {
  const { env, platform } = process
  return openZotSessions(zotHome(env, platform, homedir()), projectFolder)
}

/** Writes what waits, and lets go. */
export function closeJournals({ drafts, sessions }: OpenJournals): void {
  drafts.close()
  sessions.close()
}
