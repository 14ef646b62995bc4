/** /usage as rows of the screen: this session and the plan, what can be chosen, the bars, and the exact numbers of the selected row. */
import { currentWindows, windowName } from '../../../src/conversation/queries/plan-windows.ts'
import { sessionEntries } from '../../../src/conversation/queries/session/session-entries.ts'
import { factsLine, GAP, type Fact } from '../../../src/style/facts-line.ts'
import { drawn, empty, filled, indented, joinStyled, spread, type Styled } from '../../../src/style/styled.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { laterTime } from '../../../src/text/clock-time.ts'
import { counted } from '../../../src/text/counted.ts'
import { formatDuration, formatPercent, formatTokens } from '../../../src/text/format.ts'
import { keyed, keyedLine } from '../../../src/text/key-hints.ts'
import { displayWidth, padTo } from '../../../src/text/lines/width.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { oneLine, sanitize, type SafeText } from '../../../src/text/sanitize.ts'
import { usageGroupings, usagePeriods, type UsageSelection } from '../../../src/usage/groups.ts'
import {
  exactFigures,
  lighterSize,
  partNames,
  sizeOf,
  usageMeasures,
  type UsageMeasure,
} from '../../../src/usage/measures.ts'
import { cachedShare, sentOf, type UsageSum } from '../../../src/usage/sums.ts'
import { bar, costText } from '../../../src/usage/table.ts'
import { keyListPage } from '../key-list.ts'
import { bodyRows, EDGE, fittedRow, questionFact, statusLine, type PageRows } from '../page-rows.ts'
import { BESIDE, type UsageReading } from './reading.ts'

export function usageRows(reading: UsageReading): PageRows {
  return { title: usageTitle(reading), body: usageBody(reading), bottom: usageBottom(reading) }
}

export function usageTitle(reading: UsageReading): Styled {
  const { view, plot, context } = reading
  const { theme, size } = context
  if (view.help !== null) return fittedRow(indented(EDGE, theme.accent(sanitize('keys'))), context)
  const { grouping, only } = view.selection
  const of = only ? ` of ${only.name}` : ''
  const title = theme.accent(oneLine(sanitize(`usage${of} by ${grouping}, ${periodWords(view.selection)}`)))
  const { total } = plot
  const facts: Fact[] = [
    { text: sanitize(costText(total, !theme.markdown.unicode)), rank: 0 },
    { text: sanitize(`${formatTokens(total.input + total.cacheRead + total.cacheWrite)} in`), rank: 1 },
    { text: sanitize(`${formatTokens(total.output)} out`), rank: 2 },
    { text: formatDuration(total.duration), rank: 3 },
  ]
  const room = size.columns - EDGE - title.width - GAP.length - 1
  const line = total.calls + total.turns === 0 ? empty : factsLine(facts, room)
  return fittedRow(indented(EDGE, spread(title, line, size.columns - EDGE - 1)), context)
}

export function usageBody(reading: UsageReading): Styled[] {
  const { view, body, area, context } = reading
  if (view.help !== null) return bodyRows(keyListPage(context, view.help, body), body, context)
  const above = aboveRows(reading)
  const top = Math.min(view.top, lastTop(reading))
  const shown = Array.from({ length: area }, (_, row) => {
    const at = top + row
    return at < above.length ? (above[at]?.text ?? empty) : plotRow(reading, at - above.length)
  })
  const exact = area < body ? [empty, ...exactRows(reading)] : []
  return bodyRows([...bodyRows(shown, area, context), ...exact], body, context)
}

export function usageBottom(reading: UsageReading): Styled {
  const { app, view, plot, selected, context } = reading
  const { theme } = context
  const dim = (text: string, rank: number, shorter?: Fact): Fact => ({
    text: theme.dim(oneLine(sanitize(text))),
    rank,
    ...(shorter && { shorter }),
  })
  const always = ['{usage.help} keys', '{usage.leave} closes']
  const own = [
    '{usage.next_measure} measure',
    '{usage.next_grouping} rows',
    '{usage.longer} {usage.shorter} time',
    '{usage.open} opens',
  ]
  const facts = (): Fact[] => {
    if (view.help !== null) return [dim(keyed(app.keyNames, '{usage.leave escape} closes'), 0)]
    const place = plot.groups.length === 0 ? [] : [dim(`${selected + 1} of ${plot.groups.length}`, 5)]
    return [
      ...(app.question === null ? [] : [questionFact(theme)]),
      ...(view.found.isReading ? [dim(`reading ${theme.signs.ellipsis}`, 3)] : place),
      dim(keyedLine(app.keyNames, [...own, ...always]), 4, dim(keyedLine(app.keyNames, always), 2)),
    ]
  }
  return statusLine(app, facts, context)
}

function periodWords({ days }: UsageSelection): string {
  return days === null ? 'all days' : `${days} days`
}

/** A row above the bars. `choices` are what a click on it can choose. */
type AboveRow = { text: Styled; choices?: readonly PlacedUsageChoice[] }

/** Something to choose: what the bars show, or which rows there are. */
type UsageChoice = { label: string; isChosen: boolean; measure?: UsageMeasure; selection?: Partial<UsageSelection> }
type PlacedUsageChoice = UsageChoice & { from: number; to: number }

/** The rows above the bars. They scroll with them. */
function aboveRows(reading: UsageReading): AboveRow[] {
  const { plot, view, context } = reading
  const rows = [...sessionRows(reading), ...planRows(reading), ...noteRows(reading)].map((text): AboveRow => ({ text }))
  const nothing = view.found.isReading
    ? ''
    : `No usage ${view.selection.days === null ? 'yet' : `in the last ${view.selection.days} days`}.`
  const words = plot.groups.length === 0 && nothing !== '' ? wordRows(nothing, context) : []
  return [...rows, { text: empty }, ...choiceRows(reading), legendRow(reading), ...words.map(text => ({ text }))]
}

/** The row in which the first bar stands, counted below the title. */
export function firstPlotRow(reading: UsageReading): number {
  return aboveRows(reading).length
}

/** The last row that can be the first visible one. */
export function lastTop(reading: UsageReading): number {
  return Math.max(0, firstPlotRow(reading) + reading.plot.groups.length - reading.area)
}

/** The index of the group at a row of the screen; null if there is none. */
export function rowAt(reading: UsageReading, y: number): number | null {
  const { view, plot, area } = reading
  const index = Math.min(view.top, lastTop(reading)) + y - 1 - firstPlotRow(reading)
  return y >= 1 && y <= area && index >= 0 && index < plot.groups.length ? index : null
}

export function choiceAt(reading: UsageReading, x: number, y: number): UsageChoice | null {
  if (y < 1 || y > reading.area) return null
  const row = aboveRows(reading)[Math.min(reading.view.top, lastTop(reading)) + y - 1]
  return row?.choices?.find(({ from, to }) => x >= from && x < to) ?? null
}

function sessionRows({ app, view, context }: UsageReading): Styled[] {
  const { theme } = context
  const { usage, context: used, agent, usageIsPartial: isPartial } = app.chat
  const turns = sessionEntries(app.chat).filter(entry => entry.kind === 'turn')
  const duration = turns.reduce(
    (sum, { startedAt, endedAt }) => sum + Math.max(0, (endedAt ?? startedAt) - startedAt),
    0,
  )
  const title = theme.strong(sanitize('this session'))
  const sum = { ...usage, turns: turns.length, isPartial, duration }
  if (sum.turns === 0 && sentOf(sum) === 0) return wrapFacts([title, theme.dim(sanitize('nothing used yet'))], context)
  const window = used === null ? [] : [contextFact(used, agent.contextWindow)]
  const models = view.found.own.length > 1 ? view.found.own : []
  return [
    ...wrapFacts([title, ...sumFacts(sum, theme), ...window], context),
    ...models.flatMap(model =>
      wrapFacts([drawn`  ${oneLine(sanitize(model.name))}`, ...sumFacts(model.sum, theme)], context),
    ),
  ]
}

function sumFacts(sum: Omit<UsageSum, 'calls' | 'waits' | 'waited'>, theme: Theme): Styled[] {
  const share = cachedShare(sum)
  return [
    counted(sum.turns, 'turn'),
    `${formatTokens(sentOf(sum))} in`,
    ...(share === null ? [] : [`${formatPercent(share)} cached`]),
    `${formatTokens(sum.output)} out`,
    costText(sum, !theme.markdown.unicode),
    formatDuration(sum.duration),
  ].map(text => drawn`${sanitize(text)}`)
}

function contextFact(used: number, window: number | null): Styled {
  if (window === null) return drawn`context ${formatTokens(used)}`
  return drawn`context ${formatPercent(used / window)} of ${formatTokens(window)}`
}

/** The windows of the user's plan, with the columns that fit. */
function planRows({ app, view, context }: UsageReading): Styled[] {
  const { theme, size } = context
  const windows = currentWindows(app.chat.limits, view.now)
  if (windows.length === 0) return []
  const names = windows.map(window => oneLine(sanitize(windowName(window))))
  const width = Math.min(Math.max(...names.map(displayWidth)), Math.floor(size.columns / 3))
  const rows = windows.map(({ used, resetsAt }, index) => {
    const drawnBar = theme.accent(padTo(sanitize(bar(Math.min(1, used), !theme.markdown.unicode)), 12))
    const paint = used >= 0.8 ? theme.warning : (text: SafeText): Styled => drawn`${text}`
    const resets = resetsAt === null ? '' : `resets ${laterTime(resetsAt, view.now)}`
    const facts: Fact[] = [
      { text: padTo(names[index] ?? sanitize(''), width), rank: 0 },
      { text: drawnBar, rank: 2 },
      { text: paint(formatPercent(used)), rank: 0 },
      { text: theme.dim(sanitize(resets)), rank: 1 },
    ]
    return indented(EDGE, factsLine(facts, size.columns - EDGE - 1))
  })
  return [indented(EDGE, theme.strong(sanitize('your plan'))), ...rows]
}

function noteRows({ app, view, context }: UsageReading): Styled[] {
  const notes = [app.chat.usageIsPartial ? 'The agent does not report what compacting cost.' : '', view.note]
  return notes.filter(note => note !== '').flatMap(note => wordRows(note, context))
}

function wordRows(text: string, { theme, size }: UsageReading['context']): Styled[] {
  return wrap(sanitize(text), Math.max(2, size.columns - EDGE - 1)).map(line => indented(EDGE, theme.dim(line)))
}

/** Facts in as many rows as they need. */
function wrapFacts(facts: readonly Styled[], { size }: UsageReading['context']): Styled[] {
  const room = size.columns - EDGE - 1
  const rows: Styled[] = []
  let row: Styled[] = []
  for (const fact of facts) {
    if (row.length > 0 && joinStyled([...row, fact], GAP).width > room) {
      rows.push(joinStyled(row, GAP))
      row = []
    }
    row.push(fact)
  }
  return [...rows, joinStyled(row, GAP)].map(text => indented(EDGE, text))
}

/** What can be chosen: in one row, or in a row for each kind where that is too long. */
function choiceRows({ plot, view, context }: UsageReading): AboveRow[] {
  const { grouping, days } = view.selection
  const kinds: UsageChoice[][] = [
    usageMeasures.map(measure => ({ label: measure, isChosen: measure === plot.measure, measure })),
    usageGroupings.map(each => ({ label: each, isChosen: each === grouping, selection: { grouping: each } })),
    usagePeriods.map(each => ({
      label: each === null ? 'all' : String(each),
      isChosen: each === days,
      selection: { days: each },
    })),
  ]
  const rows: AboveRow[] = []
  let row: UsageChoice[][] = []
  const widthOf = (all: UsageChoice[][]): number =>
    EDGE - 1 + all.flat().reduce((sum, { label }) => sum + label.length + 2, GAP.length * (all.length - 1))
  for (const kind of kinds) {
    if (row.length > 0 && widthOf([...row, kind]) > context.size.columns) {
      rows.push(choiceRow(row, context))
      row = []
    }
    row.push(kind)
  }
  return [...rows, choiceRow(row, context)]
}

/** Each choice has a column before it, for the mark of the chosen one. */
function choiceRow(kinds: readonly UsageChoice[][], { theme }: UsageReading['context']): AboveRow {
  const pieces: Styled[] = []
  const choices: PlacedUsageChoice[] = []
  let at = EDGE - 1
  for (const [index, kind] of kinds.entries()) {
    if (index > 0) {
      pieces.push(drawn`${sanitize(GAP)}`)
      at += GAP.length
    }
    for (const choice of kind) {
      const label = sanitize(choice.label)
      const sign = theme.accent(sanitize(theme.signs.chosen))
      pieces.push(choice.isChosen ? drawn`${sign}${theme.strong(label)} ` : drawn` ${theme.dim(label)} `)
      choices.push({ ...choice, from: at, to: at + choice.label.length + 1 })
      at += choice.label.length + 2
    }
  }
  return { text: indented(EDGE - 1, joinStyled(pieces)), choices }
}

/** What the two parts of the bars are. */
function legendRow({ plot, context: { theme } }: UsageReading): AboveRow {
  const names = partNames(plot.measure)
  if (!names || plot.groups.length === 0) return { text: empty }
  const [whole, lighter] = partSigns(theme.markdown.unicode)
  const text = joinStyled(
    [
      drawn`${theme.accent(sanitize(whole))} ${sanitize(names[0])}`,
      drawn`${theme.accent(sanitize(lighter))} ${sanitize(names[1])}`,
    ],
    GAP,
  )
  return { text: indented(EDGE, theme.dim(text)) }
}

const partSigns = (isUnicode: boolean): readonly [string, string] => (isUnicode ? ['█', '░'] : ['#', '-'])

function plotRow({ plot, selected, context: { theme } }: UsageReading, index: number): Styled {
  const group = plot.groups[index]
  const name = plot.names[index]
  if (!group || name === undefined) return empty
  const isSelected = index === selected
  const mark = isSelected ? theme.accent(sanitize(theme.signs.chosen)) : drawn` `
  const padded = padTo(name, plot.nameWidth)
  const gap = sanitize(' '.repeat(BESIDE))
  const bars = filled(barOf(plot, group.sum, theme.markdown.unicode, theme.accent), plot.barWidth)
  const words = isSelected ? theme.strong(padded) : drawn`${padded}`
  return drawn`${mark} ${words}${gap}${bars}${gap}${plot.figures.line(group.sum)}`
}

function barOf(
  { measure, largest, barWidth }: UsageReading['plot'],
  sum: UsageSum,
  isUnicode: boolean,
  paint: (text: SafeText) => Styled,
): Styled {
  const size = sizeOf(sum, measure)
  if (size <= 0 || largest <= 0) return empty
  const lighter = lighterSize(sum, measure)
  const share = size / largest
  if (lighter <= 0) return paint(sanitize(bar(share, !isUnicode, barWidth)))
  const cells = Math.max(1, Math.round(share * barWidth))
  const light = Math.min(cells, Math.round((lighter / size) * cells))
  const [whole, sign] = partSigns(isUnicode)
  return paint(sanitize(whole.repeat(cells - light) + sign.repeat(light)))
}

/** The exact numbers of the selected row, in the rows that are kept for them. */
function exactRows({ plot, selected, body, area, context }: UsageReading): Styled[] {
  const { theme } = context
  const group = plot.groups[selected]
  if (!group) return []
  const figures = exactFigures(group.sum, !theme.markdown.unicode).map(text => drawn`${text}`)
  const rows = wrapFacts([theme.strong(plot.names[selected] ?? sanitize('')), ...figures], context)
  return rows.slice(0, Math.max(0, body - area - 1))
}
