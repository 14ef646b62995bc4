/** `zotui usage` shows tokens and cost by day and model. */
import process from 'node:process'
import { UserError } from '../../../src/platform/errors.ts'
import { statePath } from '../../../src/storage/log.ts'
import { print } from '../../standard-streams.ts'
import { showsUnicode } from '../../../src/terminal/capabilities.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { shortenPath } from '../../../src/text/lines/shorten.ts'
import { padStartTo, padTo } from '../../../src/text/lines/width.ts'
import { openLedger } from '../../../src/storage/usage/ledger.ts'
import { usageCsv } from '../../../src/usage/csv.ts'
import { daysSince, lastDays } from '../../../src/usage/days.ts'
import {
  cellsOf,
  groupingOf,
  groupsOf,
  usageGroupings,
  type UsageGroup,
  type UsageGrouping,
} from '../../../src/usage/groups.ts'
import type { UsageRecord } from '../../../src/usage/record.ts'
import { usageReport } from '../../../src/usage/report.ts'
import { sumOf } from '../../../src/usage/sums.ts'
import { usageBars, usageTable } from '../../../src/usage/table.ts'
import type { CommandCall, Subcommand } from '../command.ts'
import { columnWidths, printJson } from '../print-rows.ts'

const DAYS = 30
const MOST_DAYS = 3660
/** The most bars in the chart. */
const MOST_BARS = 14
/** Columns of a name in the table; JSON and CSV have all of it. */
const LONGEST_NAME = 60

export const command: Subcommand = {
  name: 'usage',
  takes: [],
  summary: 'Show tokens, cost and time by day, model, agent and folder.',
  flags: {
    days: { type: 'string', value: 'N', shortFlag: 'd', text: 'the last N days (default: 30), or all' },
    folder: { type: 'boolean', text: 'only this folder' },
    by: { type: 'string', value: 'WHAT', text: 'a row for each day, model, agent or folder' },
    json: { type: 'boolean', text: 'print JSON' },
    csv: { type: 'boolean', text: 'print CSV' },
  },
  run: call => {
    const by = groupingIn(call)
    const wanted = daysOf(call)
    if (call.has('json') && call.has('csv')) throw new UserError('--json and --csv do not go together.', '', 2)
    const folder = process.cwd()
    const ledger = openLedger({
      stateFolder: statePath(),
      projectFolder: folder,
      now: Date.now,
      onProblem(words) {
        throw new UserError(words)
      },
    })
    const days = wanted ?? Math.min(MOST_DAYS, daysSince(ledger.days().at(-1) ?? '', Date.now()))
    const records = ledger.read(days).filter(record => !call.has('folder') || record.folder === folder)
    if (call.has('json')) printJson(usageReport(records, days, by))
    else if (call.has('csv')) print(usageCsv(groupsOf(cellsOf(records), by ?? 'day'), by ?? 'day'))
    else print(asText(records, wanted, by))
    return Promise.resolve(0)
  },
}

/** Null for all. */
function daysOf(call: CommandCall): number | null {
  const typed = call.value('days')
  if (typed === 'all') return null
  const days = typed === null ? DAYS : Number(typed)
  if (Number.isInteger(days) && days >= 1 && days <= MOST_DAYS) return days
  throw new UserError(`--days needs a whole number from 1 to ${MOST_DAYS}, or all, not "${typed}".`, '', 2)
}

function groupingIn(call: CommandCall): UsageGrouping | null {
  const typed = call.value('by')
  const by = typed === null ? null : groupingOf(typed)
  if (typed !== null && by === null)
    throw new UserError(`--by needs ${usageGroupings.join(', ')}, not "${typed}".`, '', 2)
  return by
}

function asText(records: readonly UsageRecord[], days: number | null, by: UsageGrouping | null): string {
  const period = days === null ? 'all days' : days === 1 ? 'today' : `the last ${days} days`
  if (records.length === 0) return days === null ? 'No usage yet.\n' : `No usage ${days === 1 ? '' : 'in '}${period}.\n`
  const total = { name: period, sum: sumOf(records) }
  const isPlain = !showsUnicode(process.env, process.platform)
  const cells = cellsOf(records)
  const rows = [...groupsOf(cells, by ?? 'model'), total]
  const byDay = new Map(groupsOf(cells, 'day').map(({ name, sum }) => [name, sum]))
  const bars =
    by === null ? usageBars(lastDays(Date.now(), Math.min(days ?? MOST_BARS, MOST_BARS)), byDay, isPlain) : []
  return [...table(rows, isPlain), ...(bars.length > 0 ? ['', ...bars] : [])].map(line => `${line}\n`).join('')
}

function table(groups: readonly UsageGroup[], isPlain: boolean): string[] {
  const cells = usageTable('', groups, isPlain).map(row =>
    row.map(cell => shortenPath(oneLine(sanitize(cell)), LONGEST_NAME, isPlain ? '...' : '…')),
  )
  const widths = columnWidths(cells)
  return cells.map(row =>
    row
      .map((cell, column) => (column === 0 ? padTo : padStartTo)(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
