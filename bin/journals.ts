/** What outlives the program: the prompts of before, and what was typed and not sent. */
import { openDrafts, type Drafts } from '../src/journal/drafts.ts'
import { openHistory, type HistoryJournal } from '../src/journal/history.ts'

export type OpenJournals = { history: HistoryJournal; drafts: Drafts }

/** Opens both; `onProblem` is called at most once for each of them, with one line. */
export function openJournals(
  stateFolder: string,
  projectFolder: string,
  onProblem: (words: string) => void,
): OpenJournals {
  const place = { stateFolder, projectFolder, now: Date.now, onProblem }
  const history = openHistory(place)
  const timers = {
    after(ms: number, run: () => void) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  }
  return { history, drafts: openDrafts({ ...place, timers, remember: history.append }) }
}
