/** What /usage does beyond moving: it reads the records between two keys, newest first, copies and saves. */
import type { PageParts, UsageRequest } from '../../../src/app/pages/pages.ts'
import { usageCsv } from '../../../src/usage/csv.ts'
import { dayOf } from '../../../src/usage/days.ts'
import { firstDay, groupsOf, selectedCells, type UsageFormat } from '../../../src/usage/groups.ts'
import type { OpenPage, PageEffects } from '../page.ts'
import { DayReader } from './day-reader.ts'
import type { UsageReading } from './reading.ts'
import type { UsageState, UsageWork } from './state.ts'

/** More days that have been read before the bars are drawn with them. */
const SHOWN_AFTER = 10

export function usageEffects(
  page: OpenPage<UsageState, UsageReading>,
  { context, clipboard }: PageParts,
  { save, note }: UsageRequest,
): PageEffects<UsageWork> {
  const { ledger, hint, state: app } = context
  const nothing = { days: () => [], readDay: () => [] }
  let reader = createReader()
  /** Days that were read when the bars were drawn last. */
  let shownDays = 0
  /** The usage of the conversation when the records of today were read. */
  let seen = usageNow()

  return {
    works: {
      reload: begin,
      copy: () => void copy(),
      save_csv: () => void saveAs('csv'),
      save_json: () => void saveAs('json'),
      save_html: () => void saveAs('html'),
    },
    opened: begin,
    moved() {
      const state = page.state()
      if (!state.found.isReading && reader.hasMore(firstDay(state.selection, state.now))) show(true)
    },
    work() {
      const { selection, now, found } = page.state()
      if (reader.step(firstDay(selection, now))) {
        if (reader.count >= shownDays + SHOWN_AFTER) show(true)
        return true
      }
      if (found.isReading) show(false)
      return follow()
    },
  }

  function createReader(): DayReader {
    return new DayReader(ledger ?? nothing, context.sessionId() ?? '')
  }

  function begin(): void {
    reader = createReader()
    seen = usageNow()
    const state = page.state()
    // What is shown stays until all has been read again.
    shownDays = state.found.cells.length > 0 ? Infinity : 0
    page.set({ ...state, note: note(), now: context.now(), found: { ...state.found, isReading: true } })
  }

  /** Shows what the agent has used meanwhile. */
  function follow(): boolean {
    if (seen === usageNow()) return false
    seen = usageNow()
    const now = context.now()
    reader.again(dayOf(now))
    page.set({ ...page.state(), note: note(), now, found: { ...page.state().found, isReading: true } })
    return true
  }

  function usageNow(): unknown {
    const { usage, open } = app().chat
    // The last record of a turn comes when it ends.
    return open === null ? app().chat.entries : usage
  }

  function show(isReading: boolean): void {
    const { cells, own } = reader.found()
    shownDays = isReading ? reader.count : 0
    page.set({ ...page.state(), found: { cells, own, isReading } })
  }

  async function copy(): Promise<void> {
    const { found, selection, now } = page.state()
    const groups = groupsOf(selectedCells(found.cells, selection, now), selection.grouping)
    if (groups.length === 0) return hint('There is nothing to copy here.')
    hint(await clipboard.copy(usageCsv(groups, selection.grouping), 'the usage as CSV'))
  }

  async function saveAs(format: UsageFormat): Promise<void> {
    hint(await save(page.state().selection, format))
  }
}
