/** Saves the usage that /usage shows: as CSV, as JSON, or as a page with plots. */
import { setImmediate } from 'node:timers/promises'
import type { AppContext } from '../../../app/context/context.ts'
import { saveUnder } from '../../../export/save.ts'
import { usagePage } from '../../../export/usage-page.ts'
import type { Ledger } from '../../../storage/usage/ledger.ts'
import { toJson } from '../../../text/json.ts'
import { usageCsv } from '../../../usage/csv.ts'
import { dayOf, daysSince } from '../../../usage/days.ts'
import {
  cellsOf,
  firstDay,
  groupsOf,
  isSelected,
  type UsageFormat,
  type UsageSelection,
} from '../../../usage/groups.ts'
import type { UsageRecord } from '../../../usage/record.ts'
import { usageReport } from '../../../usage/report.ts'

/** Resolves with a sentence about it. */
export async function saveUsage(
  { host, ledger, ownWrites, now, addProgramNotice }: AppContext,
  selection: UsageSelection,
  format: UsageFormat,
): Promise<string> {
  if (!host || !ledger) return 'There is nothing to save here.'
  const records = await selectedRecords(ledger, selection, now())
  if (records.length === 0) return 'There is nothing to save here.'
  const text = usageIn(format, records, selection, now())
  const folder = host.remote?.folderHere ?? host.folder
  const saved = await saveUnder(`usage-${dayOf(now())}`, format, folder, text)
  if (!saved.ok) return [saved.message, saved.hint].filter(words => words !== '').join(' ')
  ownWrites?.add('export', [saved.path])
  const words = `Written: ${saved.path}`
  // The page may be too narrow for the path.
  addProgramNotice('info', words)
  return words
}

/** Years of records take seconds to read. */
async function selectedRecords(ledger: Ledger, selection: UsageSelection, now: number): Promise<UsageRecord[]> {
  const first = firstDay(selection, now)
  const found: UsageRecord[] = []
  for (const day of ledger.days().toReversed()) {
    if (day < first) continue
    for (const records of ledger.readDay(day)) {
      for (const record of records) if (isSelected(record, selection)) found.push(record)
      await setImmediate()
    }
  }
  return found
}

function usageIn(format: UsageFormat, records: readonly UsageRecord[], selection: UsageSelection, now: number): string {
  const { grouping, days } = selection
  switch (format) {
    case 'csv':
      return usageCsv(groupsOf(cellsOf(records), grouping), grouping)
    case 'json':
      return `${toJson(usageReport(records, days ?? daysSince(dayOf(records[0]?.at ?? now), now), grouping), 2)}\n`
    case 'html':
      return usagePage(cellsOf(records), selection, now)
  }
}
