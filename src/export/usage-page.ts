/** Usage as one self-contained HTML page with plots: no network, no script, no other file. */
import { createHash } from 'node:crypto'
import { formatPercent, formatTokens, formatDuration } from '../text/format.ts'
import { daysSince, lastDays } from '../usage/days.ts'
import {
  groupsOf,
  sumOfCells,
  usageGroupings,
  type UsageCell,
  type UsageGroup,
  type UsageGrouping,
  type UsageSelection,
} from '../usage/groups.ts'
import {
  exactFigures,
  lighterSize,
  measureText,
  partNames,
  sizeOf,
  usageMeasures,
  type UsageMeasure,
} from '../usage/measures.ts'
import { cachedShare, noSum, sentOf, type UsageSum } from '../usage/sums.ts'
import { costText } from '../usage/table.ts'
import { joined, Markup, markup } from './markup.ts'
import { pageStyle } from './page-style.ts'
import { barPlot, shareBar } from './plot.ts'

/** More days have no bar of their own. */
const MOST_DAYS = 3660

/** `cells` are what is selected. */
export function usagePage(cells: readonly UsageCell[], { days, only }: UsageSelection, now: number): string {
  const title = `Usage${only ? ` of ${only.name}` : ''}, ${days === null ? 'all days' : `the last ${days} days`}`
  const total = sumOfCells(cells)
  const facts = exactFigures(total, false).map(fact => markup`<span>${fact}</span>`)
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'; base-uri 'none'; form-action 'none'`
  const byDay = withEmptyDays(groupsOf(cells, 'day'), now)
  const plots = usageMeasures.filter(measure => sizeOf(total, measure) > 0).map(measure => dayPlot(byDay, measure))
  const tables = usageGroupings.map(grouping => groupTable(groupsOf(cells, grouping), grouping))
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="zotui">
<title>${title}</title>
<style>${new Markup(pageStyle)}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="facts">${facts}</p>
</header>
<main>
${joined(plots, '\n')}
${joined(tables, '\n')}
</main>
</body>
</html>
`.source
}

/** Oldest first, with the days between them on which nothing was used. */
function withEmptyDays(groups: readonly UsageGroup[], now: number): UsageGroup[] {
  const [first] = groups
  if (!first) return []
  const byDay = new Map(groups.map(group => [group.name, group]))
  return lastDays(now, Math.min(MOST_DAYS, daysSince(first.name, now))).map(
    name => byDay.get(name) ?? { name, sum: noSum },
  )
}

const TITLES: Readonly<Record<UsageMeasure, string>> = {
  tokens: 'Tokens by day',
  cost: 'Cost by day',
  time: 'Time by day',
  waiting: 'Waiting for answers by day',
}

function dayPlot(days: readonly UsageGroup[], measure: UsageMeasure): Markup {
  const largest = days.reduce<UsageGroup>(
    (most, each) => (sizeOf(each.sum, measure) > sizeOf(most.sum, measure) ? each : most),
    {
      name: '',
      sum: noSum,
    },
  )
  const most = measureText(largest.sum, measure, false)
  const total = measureText(sumOf(days), measure, false)
  return barPlot({
    id: `by-day-${measure}`,
    title: TITLES[measure],
    about: `${days.length} days, ${total} together. The most is ${most} on ${largest.name}. The table below has all numbers.`,
    bars: days.map(({ name, sum }) => ({
      words: `${name}: ${exactFigures(sum, false).join(', ')}`,
      size: sizeOf(sum, measure),
      lighter: lighterSize(sum, measure),
    })),
    most: `up to ${most}`,
    ends: [days[0]?.name ?? '', days.at(-1)?.name ?? ''],
    parts: partNames(measure),
  })
}

const sumOf = (groups: readonly UsageGroup[]): UsageSum =>
  sumOfCells(groups.map(({ sum }) => ({ day: '', model: '', agent: '', folder: '', sum })))

const HEADINGS: Readonly<Record<UsageGrouping, string>> = {
  day: 'By day',
  model: 'By model',
  agent: 'By agent',
  folder: 'By folder',
}

const columns: readonly (readonly [name: string, text: (sum: UsageSum) => string])[] = [
  ['tokens in', sum => formatTokens(sentOf(sum))],
  ['cached', sum => percent(cachedShare(sum))],
  ['tokens out', sum => formatTokens(sum.output)],
  ['cost', sum => (sum.calls === 0 && sum.costUsd === 0 ? '' : costText(sum, false))],
  ['turns', sum => String(sum.turns)],
  ['time', sum => formatDuration(sum.duration)],
  ['waited', sum => (sum.waits === 0 ? '' : formatDuration(sum.waited))],
]

const percent = (share: number | null): string => (share === null ? '' : formatPercent(share))

function groupTable(groups: readonly UsageGroup[], grouping: UsageGrouping): Markup {
  const isPriced = groups.some(({ sum }) => (sum.costUsd ?? 0) > 0)
  const measure = isPriced ? 'cost' : 'tokens'
  const largest = groups.reduce((most, { sum }) => Math.max(most, sizeOf(sum, measure)), 0)
  const heads = columns.map(([name]) => markup`<th class="right" scope="col">${name}</th>`)
  const rows = groups.map(({ name, sum }) => {
    const cells = columns.map(([, text]) => markup`<td class="right">${text(sum)}</td>`)
    const share = shareBar(largest > 0 ? sizeOf(sum, measure) / largest : 0)
    return markup`<tr><th scope="row">${name}</th><td>${share}</td>${cells}</tr>`
  })
  return markup`<h3 class="h2">${HEADINGS[grouping]}</h3>
<div class="table usage"><table><thead><tr><th scope="col">${grouping}</th><th scope="col">${measure}</th>${heads}</tr></thead>
<tbody>${joined(rows, '\n')}</tbody></table></div>`
}
