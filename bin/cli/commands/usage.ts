/** `zotui usage` shows tokens and cost by day and model. */
import process from 'node:process'
import { UserError } from '../../../src/platform/errors.ts'
import { statePath } from '../../../src/storage/log.ts'
import { print } from '../../standard-streams.ts'
import { showsUnicode } from '../../../src/terminal/capabilities.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { padStartTo, padTo } from '../../../src/text/lines/width.ts'
import { dayOf, lastDays, openLedger } from '../../../src/storage/usage/ledger.ts'
import type { UsageRecord } from '../../../src/storage/usage/record.ts'
import { usageReport } from '../../../src/storage/usage/report.ts'
import { modelOf, sumOf, sumsBy, type UsageSum } from '../../../src/storage/usage/sums.ts'
import { usageBars, usageCells, usageColumns } from '../../../src/storage/usage/table.ts'
import type { CommandCall, Subcommand } from '../command.ts'
import { columnWidths, printJson } from '../print-rows.ts'

const DAYS = 30
const MOST_DAYS = 3660
/** The most bars in the chart. */
const MOST_BARS = 14

export const command: Subcommand = {
  name: 'usage',
  takes: [],
  summary: 'Show tokens and cost by model and day.',
  flags: {
    days: { type: 'string', value: 'N', shortFlag: 'd', text: 'the last N days (default: 30)' },
    folder: { type: 'boolean', text: 'only this folder' },
    json: { type: 'boolean', text: 'print JSON' },
  },
  run: call => {
    const days = daysOf(call)
    const folder = process.cwd()
    const ledger = openLedger({
      stateFolder: statePath(),
      projectFolder: folder,
      now: Date.now,
      onProblem(words) {
        throw new UserError(words)
      },
    })
    const records = ledger.read(days).filter(record => !call.has('folder') || record.folder === folder)
    if (call.has('json')) printJson(usageReport(records, days))
    else print(asText(records, days))
    return Promise.resolve(0)
  },
}

function daysOf(call: CommandCall): number {
  const typed = call.value('days')
  const days = typed === null ? DAYS : Number(typed)
  if (Number.isInteger(days) && days >= 1 && days <= MOST_DAYS) return days
  throw new UserError(`--days needs a whole number from 1 to ${MOST_DAYS}, not "${typed}".`, '', 2)
}

function asText(records: readonly UsageRecord[], days: number): string {
  const period = days === 1 ? 'today' : `the last ${days} days`
  if (records.length === 0) return `No usage ${days === 1 ? '' : 'in '}${period}.\n`
  const byModel = sumsBy(records, modelOf).toSorted((a, b) => (b.sum.costUsd ?? 0) - (a.sum.costUsd ?? 0))
  const byDay = new Map(sumsBy(records, ({ at }) => dayOf(at)).map(({ name, sum }) => [name, sum]))
  const total = { name: period, sum: sumOf(records) }
  const isPlain = !showsUnicode(process.env, process.platform)
  const bars = usageBars(lastDays(Date.now(), Math.min(days, MOST_BARS)), byDay, isPlain)
  return [...table([...byModel, total], isPlain), ...(bars.length > 0 ? ['', ...bars] : [])]
    .map(line => `${line}\n`)
    .join('')
}

function table(rows: readonly { name: string; sum: UsageSum }[], isPlain: boolean): string[] {
  const cells = [
    ['', ...usageColumns],
    ...rows.map(({ name, sum }) => [oneLine(sanitize(name)), ...usageCells(sum, isPlain)]),
  ]
  const widths = columnWidths(cells)
  return cells.map(row =>
    row
      .map((cell, column) => (column === 0 ? padTo : padStartTo)(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
