/** The text of /usage: this session, and the days before. */
import { sessionEntries } from '../../../conversation/queries/session/session-entries.ts'
import type { LimitWindow } from '../../../agent/session-events.ts'
import { currentWindows, windowName } from '../../../conversation/queries/plan-windows.ts'
import type { ChatState } from '../../../conversation/state.ts'
import { formatDuration, formatPercent, formatTokens } from '../../../text/format.ts'
import { dayOf, lastDays } from '../../../usage/days.ts'
import type { UsageRecord } from '../../../usage/record.ts'
import type { UsageGroup } from '../../../usage/groups.ts'
import { modelOf, sumOf, sumsBy, type UsageSum } from '../../../usage/sums.ts'
import { bar, costText, usageBars, usageTable } from '../../../usage/table.ts'
import { laterTime } from '../../../text/clock-time.ts'
import { tableRow } from '../../../text/markdown-table.ts'

/** The number of days that /usage covers. */
export const USAGE_DAYS = 30
const BARS = 7

export type UsageFacts = {
  chat: ChatState
  /** The records of the last days, and the ID of this session in them; null if usage is not recorded. */
  noted: { records: readonly UsageRecord[]; session: string } | null
  /** What today has cost, if there is a limit for it; '' otherwise. */
  day?: string
  now: number
  showsUnicode: boolean
}

/** The text in Markdown. */
export function usageText({ chat, noted, day = '', now, showsUnicode }: UsageFacts): string {
  const windows = currentWindows(chat.limits, now)
  const plan = windows.length === 0 ? [] : [planTable(windows, now, showsUnicode)]
  const pieces = [sessionTable(chat, showsUnicode), ...plan]
  if (noted !== null && noted.records.length > 0) {
    const { records, session } = noted
    const models = sumsBy(
      records.filter(record => record.session === session),
      modelOf,
    )
    if (models.length > 1) pieces.push(sumTable('model', models, showsUnicode))
    pieces.push(sumTable('all folders', periods(records, now), showsUnicode), ...barChart(records, now, showsUnicode))
  }
  if (day !== '') pieces.push(day)
  if (chat.usageIsPartial) pieces.push('The agent does not report what compacting cost.')
  return pieces.join('\n\n')
}

function sessionTable(chat: ChatState, showsUnicode: boolean): string {
  const { usage, context, agent } = chat
  const turns = sessionEntries(chat).filter(entry => entry.kind === 'turn')
  const sent = usage.input + usage.cacheRead + usage.cacheWrite
  const cached = sent === 0 ? '' : `, ${formatPercent(usage.cacheRead / sent)} of them from the cache`
  const rows: [string, string][] = [
    ['Turns', String(turns.length)],
    ['Tokens in', `${formatTokens(sent)}${cached}`],
    ['Tokens out', formatTokens(usage.output)],
    ['Cost', costText({ costUsd: usage.costUsd, isPartial: chat.usageIsPartial }, !showsUnicode)],
    [
      'Time',
      formatDuration(
        turns.reduce((sum, { startedAt, endedAt }) => sum + Math.max(0, (endedAt ?? startedAt) - startedAt), 0),
      ),
    ],
    ['Context', contextText(context, agent.contextWindow)],
  ]
  return [tableRow(['usage of this session', '']), '|---|---|', ...rows.map(tableRow)].join('\n')
}

/** The windows of the user's plan. Names of the agent are sanitised where the table is drawn. */
function planTable(windows: readonly LimitWindow[], now: number, showsUnicode: boolean): string {
  const rows = windows.map(window => {
    const { used, resetsAt } = window
    const begins = resetsAt === null ? '' : laterTime(resetsAt, now)
    return tableRow([windowName(window), bar(Math.min(1, used), !showsUnicode), formatPercent(used), begins])
  })
  return [tableRow(['your plan', '', 'used', 'resets']), '|---|---|---:|---|', ...rows].join('\n')
}

function sumTable(title: string, sums: readonly UsageGroup[], showsUnicode: boolean): string {
  const [head = [], ...rows] = usageTable(title, sums, !showsUnicode)
  const rule = `|---|${head
    .slice(1)
    .map(() => '---:|')
    .join('')}`
  return [tableRow(head), rule, ...rows.map(tableRow)].join('\n')
}

function periods(records: readonly UsageRecord[], now: number): UsageGroup[] {
  const within = (days: number): UsageSum => {
    const shown = new Set(lastDays(now, days))
    return sumOf(records.filter(({ at }) => shown.has(dayOf(at))))
  }
  return [
    { name: 'today', sum: within(1) },
    { name: '7 days', sum: within(7) },
    { name: `${USAGE_DAYS} days`, sum: within(USAGE_DAYS) },
  ]
}

/** Empty if nothing was used on those days. */
function barChart(records: readonly UsageRecord[], now: number, showsUnicode: boolean): string[] {
  const byDay = new Map(sumsBy(records, ({ at }) => dayOf(at)).map(({ name, sum }) => [name, sum]))
  const bars = usageBars(lastDays(now, BARS), byDay, !showsUnicode)
  return bars.length === 0 ? [] : [['```', ...bars, '```'].join('\n')]
}

function contextText(context: number | null, window: number | null): string {
  if (context === null) return 'known after the next answer'
  if (window === null) return `${formatTokens(context)} tokens; the size of the window is unknown`
  return `${formatTokens(context)} of ${formatTokens(window)} tokens (${formatPercent(context / window)})`
}
