/** The board as rows of the screen: the list, and beside or below it what is said of the selected row. */
import { factsLine, GAP, type Fact } from '../../../src/style/facts-line.ts'
import { drawn, empty, filled, fitted, indented, spread, type Styled } from '../../../src/style/styled.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { windowStart } from '../../../src/style/list-window.ts'
import { counted } from '../../../src/text/counted.ts'
import { formatCost } from '../../../src/text/format.ts'
import { keyed, keyedLine } from '../../../src/text/key-hints.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { fieldOf } from '../find/field.ts'
import { keyListPage } from '../key-list.ts'
import {
  bodyRows,
  EDGE,
  fittedRow,
  hintsFact,
  questionFact,
  statusLine,
  type PageCaret,
  type PageContext,
  type PageRows,
} from '../page-rows.ts'
import { groupOf } from './entries.ts'
import { hostWords } from './list-rows.ts'
import { GUTTER, type BoardReading } from './reading.ts'
import type { BoardField, DayShown } from './state.ts'

export function boardRows(reading: BoardReading): PageRows {
  return { title: boardTitle(reading), body: boardBody(reading), bottom: boardBottom(reading) }
}

const labels: Readonly<Record<BoardField['kind'], string>> = {
  filter: 'filter',
  name: 'name',
  words: 'refuse with',
}

export function boardTitle(reading: BoardReading): Styled {
  const { view, context } = reading
  const { theme, size } = context
  if (view.field) return fieldTitle(view.field, context)
  const title = theme.accent(sanitize(view.help !== null ? 'keys' : view.showsHosts ? 'machines' : 'board'))
  const filter = view.filter === '' ? empty : theme.accent(oneLine(sanitize(`only "${view.filter}"`)))
  const facts: Fact[] = [
    { text: filter, rank: 0 },
    ...counts.map((count, at) => countFact(reading, count, at)),
    machinesFact(view.hosts, theme),
    ...dayFacts(view.day, theme),
  ]
  const room = size.columns - EDGE - title.width - GAP.length - 1
  return fittedRow(indented(EDGE, spread(title, factsLine(facts, room), size.columns - EDGE - 1)), context)
}

/** The kinds that are counted in the title. */
const counts = [
  { group: 'waits for you', paint: 'warning', words: 'asks you' },
  { group: 'failed', paint: 'failed', words: 'failed' },
  { group: 'works', paint: 'running', words: 'at work' },
  { group: 'done', paint: 'ok', words: 'done' },
] as const

/** How many there are of a kind. What waits for the person stays longest. */
function countFact(
  { entries, context }: BoardReading,
  { group, paint, words }: (typeof counts)[number],
  at: number,
): Fact {
  const count = entries.filter(entry => groupOf(entry) === group).length
  if (count === 0) return { text: empty, rank: 9 }
  const said = group === 'waits for you' && count > 1 ? 'ask you' : words
  return { text: context.theme[paint](sanitize(`${count} ${said}`)), rank: 1 + at }
}

/** On a low screen the list has no room for what is wrong with machines. */
function machinesFact(hosts: BoardReading['view']['hosts'], theme: Theme): Fact {
  const count = hosts.filter(({ state }) => state === 'lost' || state === 'failed').length
  if (count === 0) return { text: empty, rank: 9 }
  return { text: theme.warning(sanitize(`${counted(count, 'machine')} out of reach`)), rank: 5 }
}

/** From this share of the limit on, the cost is a warning. */
const NEAR = 0.8

function dayFacts(day: DayShown, theme: Theme): Fact[] {
  if (!day || (day.spentUsd === 0 && day.limitUsd === null)) return []
  const { spentUsd, limitUsd } = day
  const words = `today ${spentUsd === null ? 'of unknown cost' : formatCost(spentUsd)}${limitUsd === null ? '' : ` of ${formatCost(limitUsd)}`}`
  const isNear = limitUsd !== null && (spentUsd ?? Infinity) >= NEAR * limitUsd
  return [{ text: (isNear ? theme.warning : theme.dim)(sanitize(words)), rank: isNear ? 0 : 2 }]
}

function fieldTitle(field: BoardField, context: PageContext): Styled {
  const { theme } = context
  const label = labels[field.kind]
  const shown = fieldOf(field.editor, fieldRoom(label, context))
  return fittedRow(indented(EDGE, drawn`${theme.accent(sanitize(label))}  ${oneLine(sanitize(shown.text))}`), context)
}

function fieldRoom(label: string, { size }: PageContext): number {
  return Math.max(4, size.columns - EDGE - label.length - 3)
}

export function boardCaret({ view, context }: BoardReading): PageCaret | null {
  if (!view.field) return null
  const label = labels[view.field.kind]
  const { caret } = fieldOf(view.field.editor, fieldRoom(label, context))
  return { x: Math.min(EDGE + label.length + 2 + caret, context.size.columns - 1), y: 0 }
}

export function boardBody(reading: BoardReading): Styled[] {
  const { view, body, context, entries, area } = reading
  if (view.help !== null) return bodyRows(keyListPage(context, view.help, body), body, context)
  if (view.showsHosts) return bodyRows(machineRows(reading), body, context)
  const list = shownList(reading)
  if (entries.length === 0) return bodyRows([...emptyRows(reading), ...list], body, context)
  const about = [...aboutWindow(reading), bottomOfAbout(reading)]
  const hidden = indented(EDGE, spread(empty, hiddenRows(reading), area.listWidth - EDGE - 1))
  if (!area.isBeside) {
    const rows = area.aboutRows < 1 ? list : [...list, hidden, ...about.map(row => indented(EDGE, row))]
    return bodyRows(rows, body, context)
  }
  const { ellipsis } = context.theme.signs
  const left = fitted([...list, hidden], area.listWidth, ellipsis)
  return bodyRows(
    Array.from(
      { length: body },
      (_, at) => drawn`${filled(left[at] ?? empty, area.listWidth + GUTTER)}${about[at] ?? empty}`,
    ),
    body,
    context,
  )
}

/** As many rows as the list has. */
function shownList(reading: BoardReading): Styled[] {
  const { list, area } = reading
  const from = listStart(reading)
  return Array.from({ length: area.listRows }, (_, at) => {
    const line = list.lines[from + at]
    return line ? list.draw(line, line.kind === 'entry' && line.index === reading.selected) : empty
  })
}

/** How many rows the list has above and below those that are shown. */
function hiddenRows(reading: BoardReading): Styled {
  const { list, area, context } = reading
  const from = listStart(reading)
  const above = entriesIn(list.lines.slice(0, from))
  const below = entriesIn(list.lines.slice(from + area.listRows))
  const words = [above > 0 ? `+${above} above` : '', below > 0 ? `+${below} below` : '']
  return context.theme.dim(sanitize(words.filter(part => part !== '').join(GAP)))
}

function entriesIn(lines: BoardReading['list']['lines']): number {
  return lines.filter(({ kind }) => kind === 'entry').length
}

/** The heading above the first row stays in sight. */
function listStart({ list, selected, area }: BoardReading): number {
  const at = list.lines.findIndex(line => line.kind === 'entry' && line.index === selected)
  return at <= 1 ? 0 : windowStart(list.lines.length, at, area.listRows)
}

/** The index of the conversation at a place of the screen; null if there is none. */
export function entryAt(reading: BoardReading, x: number, y: number): number | null {
  const { area, list, view, entries } = reading
  if (view.help !== null || view.showsHosts || entries.length === 0) return null
  if (y < 1 || y > area.listRows || x >= area.listWidth) return null
  const line = list.lines[listStart(reading) + y - 1]
  return line?.kind === 'entry' ? line.index : null
}

/** The part of the lines about the selected row that is shown. */
function aboutWindow({ about, from, area }: BoardReading): Styled[] {
  return Array.from({ length: Math.max(0, area.aboutRows) }, (_, at) => about[from + at] ?? empty)
}

/** The answers, once they count; before that, what is missing. */
function bottomOfAbout(reading: BoardReading): Styled {
  const { view, ask, app, about, from, area, context } = reading
  const { theme } = context
  const hints = (...words: string[]): Styled => theme.accent(sanitize(keyedLine(app.keyNames, words)))
  if (view.field) return empty
  const left = about.length - from - area.aboutRows
  const scrolls = keyed(app.keyNames, `{board.question_down} +${counted(left, 'line')}`)
  const more = theme.dim(sanitize(left > 0 ? scrolls : ''))
  if (view.doubt && left > 0) return more
  if (view.doubt) return view.doubt.armed ? hints('{board.yes} yes', '{board.no} no') : empty
  if (!ask) return more
  if (view.sent === ask.key) return theme.dim(sanitize(`answering ${theme.signs.ellipsis}`))
  if (view.armed !== ask.key) return more
  const { answers } = ask.question
  const isSeen = view.seen === ask.key
  const offered = [
    answers.includes('allow') && isSeen ? '{board.yes} allows once' : '',
    answers.includes('refuse') ? '{board.no} refuses' : '',
    answers.includes('say') ? '{board.words} refuses with words' : '',
  ].filter(words => words !== '')
  const shown = offered.length === 0 ? ['{board.open} goes there to answer'] : offered
  // What is not read yet comes before a yes: its key stays longest.
  const facts = [...shown.map((words, at): Fact => ({ text: hints(words), rank: 1 + at })), { text: more, rank: 0 }]
  return factsLine(facts, area.aboutWidth)
}

function machineRows({ view, context }: BoardReading): Styled[] {
  const { theme, size } = context
  return view.hosts.flatMap(host => {
    const isWell = host.state === 'connected' && host.problem === ''
    const words =
      `${hostWords(host)} ${host.rows.length === 0 ? '' : `It has ${host.rows.length} on the board.`}`.trim()
    const lines = wrap(oneLine(sanitize(words)), Math.max(2, size.columns - EDGE - 1))
    return lines.map(line => indented(EDGE, isWell ? drawn`${line}` : theme.warning(line)))
  })
}

function emptyRows({ view, all, context }: BoardReading): Styled[] {
  const { theme, size } = context
  const words =
    all > 0
      ? `None of the ${all} conversations has "${view.filter}" in it.`
      : 'No conversation runs. Those of all folders, windows and machines come here, and what they ask.'
  const how = all > 0 ? '' : 'The setting boardHosts names your machines.'
  const room = Math.max(2, size.columns - EDGE - 1)
  const lines = [words, how].filter(part => part !== '').flatMap(part => wrap(oneLine(sanitize(part)), room))
  return [...lines.map(line => indented(EDGE, theme.dim(line))), empty]
}

export function boardBottom(reading: BoardReading): Styled {
  const { app, view, entry, ask, all, hasBack, context } = reading
  const { theme } = context
  const dim = (words: readonly string[], rank: number): Fact => ({
    text: theme.dim(oneLine(sanitize(keyedLine(app.keyNames, words)))),
    rank,
  })
  const always = ['{board.help} keys', `{board.leave} ${hasBack ? 'closes' : 'ends'}`]
  const facts = (): Fact[] => {
    if (view.field)
      return [dim([`{board_field.field_done} ${doneWords[view.field.kind]}`, '{board_field.field_close} closes it'], 0)]
    if (view.help !== null || view.showsHosts) return [dim(['{board.leave escape} closes it'], 0)]
    const can = entry?.row.can ?? []
    const own = [
      entry ? '{board.open} opens' : '',
      can.includes('stop') ? '{board.stop} stops' : '',
      can.includes('diff') ? '{board.diff} diff' : '',
      can.includes('merge') ? '{board.merge} merges' : '',
      can.includes('end') ? '{board.end} ends' : '',
      all > 1 ? '{board.filter} filter' : '',
      view.hosts.length > 1 ? '{board.hosts} machines' : '',
    ].filter(words => words !== '')
    return [
      ...(app.question === null || ask !== null ? [] : [questionFact(theme)]),
      hintsFact(app.keyNames, { own, always }, theme),
    ]
  }
  return statusLine(app, facts, context)
}

const doneWords: Readonly<Record<BoardField['kind'], string>> = {
  filter: 'filters',
  name: 'renames it',
  words: 'refuses',
}
