/** The viewer as rows of the screen: the content, and a status line at the bottom. */
import { isBusy, type AppState } from '../../../src/state/state.ts'
import { keyed, keyedLine, type KeyNames } from '../../../src/text/key-hints.ts'
import { formatDuration, formatPercent } from '../../../src/text/format.ts'
import { oneLine, sanitize, type SafeText } from '../../../src/text/sanitize.ts'
import { truncate } from '../../../src/text/lines/shorten.ts'
import { displayWidth, padStartTo, padTo } from '../../../src/text/lines/width.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { createColumns, type Columns } from '../../../src/style/columns.ts'
import { factsLine, type Fact } from '../../../src/style/facts-line.ts'
import { drawn, empty, fitted, indented, spread, type Styled } from '../../../src/style/styled.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { spinner } from '../../../src/tools/panel/title.ts'
import { highlighted } from './highlight.ts'
import type { OutlineRow } from './document/outline.ts'
import { firstTurn, hasEnded, lastEntry, MARGIN, outlineOf, seesEnd, type ViewerReading } from './reading.ts'
import type { PageContext, ViewerPage } from '../page.ts'
import { seenRows } from './window.ts'
import type { ScrollMove } from '../../../src/state/screens/scroll-move.ts'
import type { ViewerOverlay } from '../../../src/state/screens/viewer-screen.ts'
import { lookup } from '../../../src/text/lookup.ts'

export function viewerPage(reading: ViewerReading, state: AppState): ViewerPage {
  const { body, context, view } = reading
  const { columns } = context.size
  const { overlay } = view
  const shown =
    overlay?.kind === 'help'
      ? helpPage(context, overlay.from, body)
      : overlay?.kind === 'turns'
        ? turnRows(reading, overlay)
        : contentRows(reading)
  const rows = Array.from({ length: body }, (_, row) => shown[row] ?? empty)
  const bottom = overlay?.kind === 'typing' ? typedLine(reading, overlay.query) : bottomLine(reading, state)
  const caret = caretIn(overlay, body, columns)
  const fit = (lines: readonly Styled[]): Styled[] => fitted(lines, columns, context.theme.signs.ellipsis)
  return { body: fit(rows), bottom: fit([bottom])[0] ?? empty, caret }
}

function caretIn(overlay: ViewerOverlay | null, body: number, columns: number): ViewerPage['caret'] {
  const typed =
    overlay?.kind === 'typing' ? `/${overlay.query}` : overlay?.kind === 'turns' ? FILTER + overlay.filter : null
  if (typed === null) return null
  const x = Math.min(displayWidth(oneLine(sanitize(typed))), columns - 1)
  return { x, y: overlay?.kind === 'typing' ? body : 0 }
}

function contentRows(reading: ViewerReading): Styled[] {
  const { document, view, body, context } = reading
  const { theme } = context
  const seen = seenRows(document, view.top, body)
  const chosen = document.blockAt(view.chosen)?.group.key
  // It must differ from the mark of a prompt.
  const mark = theme.accent(sanitize(theme.markdown.unicode ? '┃' : '|'))
  return seen.map(({ place, block }) => {
    const row = document.rows(block)[place.row] ?? empty
    const isGap = place.row === 0 && row === empty
    const text = view.search ? highlighted(row, view.search.query) : row
    if (block.group.key === chosen && !isGap) return drawn`${mark} ${text}`
    return row === empty ? empty : indented(MARGIN, text)
  })
}

const FILTER = 'turns  '

function turnRows(reading: ViewerReading, { filter, selected }: Extract<ViewerOverlay, { kind: 'turns' }>): Styled[] {
  const { context, body } = reading
  const { theme } = context
  const outline = outlineOf(reading)
  const from = firstTurn(reading, selected)
  const shown = outline.slice(from, from + body - 1)
  const look = {
    digits: String(outline.findLast(({ number }) => number !== null)?.number ?? '').length,
    facts: factColumns(shown, context),
  }
  const rows = shown.map((row, index) => turnRow(row, from + index === selected, look, context))
  const title = drawn`${theme.accent(sanitize(FILTER.trimEnd()))}  ${oneLine(sanitize(filter))}`
  return [title, ...(rows.length > 0 ? rows : [theme.dim(sanitize('  no matching prompts or headings'))])]
}

/** The number of calls in one column, the duration in the next, both aligned to the right. */
function factColumns(rows: readonly OutlineRow[], { theme, size }: PageContext): Columns<OutlineRow> {
  const cells = [0, 1].map(at => ({
    cell: (row: OutlineRow) => sanitize(row.facts[at] ?? ''),
    rank: 1 - at,
    isNumber: true,
  }))
  return createColumns(rows, cells, { room: Math.floor(size.columns / 2), ellipsis: theme.signs.ellipsis })
}

function turnRow(
  row: OutlineRow,
  isSelected: boolean,
  { digits, facts }: { digits: number; facts: Columns<OutlineRow> },
  { theme, size }: PageContext,
): Styled {
  const sign = isSelected ? theme.accent(sanitize(theme.signs.chosen)) : drawn` `
  const number = row.number === null ? sanitize('') : padStartTo(sanitize(`${row.number}`), digits)
  const isBare = row.facts.every(fact => fact === '')
  const right = isBare ? empty : theme.dim(facts.line(row))
  // A heading is indented to the text of its prompt.
  const indent = row.depth === 0 ? 0 : digits + 2 * row.depth
  const before = row.number === null ? 0 : digits + 2
  const room = Math.max(1, size.columns - 4 - indent - before - (isBare ? 0 : facts.width + 2))
  const words = truncate(oneLine(sanitize(row.text)), room, theme.signs.ellipsis)
  const paint = isSelected ? theme.selected : row.depth === 0 ? theme.strong : theme.dim
  const named = row.number === null ? paint(words) : drawn`${theme.dim(number)}  ${paint(words)}`
  return spread(drawn`${sign} ${indented(indent, named)}`, right, size.columns - 1)
}

/** The rows of the key list from `from` on, at most to the last page. */
export function helpPage(context: PageContext, from: number, body: number): Styled[] {
  const first = Math.min(from, lastHelpRow(context, body))
  return helpRows(context).slice(first, first + body)
}

/** The first row of the key list after a move; null if the move closes it. */
export function helpAfter(reading: Pick<ViewerReading, 'context' | 'body'>, from: number, move: string): number | null {
  const { context, body } = reading
  const steps: Partial<Record<string, number>> = scrollSteps(body)
  const by = lookup(steps, move)
  return by === undefined ? null : Math.max(0, Math.min(from + by, lastHelpRow(context, body)))
}

/** The number of rows of each move in a window of `body` rows. */
export function scrollSteps(body: number): Record<ScrollMove, number> {
  const page = Math.max(1, body - 1)
  const half = Math.ceil(page / 2)
  const all = Number.MAX_SAFE_INTEGER
  return { up: -1, down: 1, page_up: -page, page_down: page, half_up: -half, half_down: half, top: -all, bottom: all }
}

/** The row at which the last page of the key list begins. */
function lastHelpRow(context: PageContext, body: number): number {
  return Math.max(0, helpRows(context).length - body)
}

/** With less room than this beside the keys, their actions go below them. */
const LEAST_BESIDE = 16

/** A line for each key, wrapped on a narrow screen. */
export function helpRows({ keys, theme, size }: PageContext): Styled[] {
  const widest = Math.max(0, ...keys.map(([key]) => displayWidth(key)))
  const beside = size.columns - widest - 4
  const isBelow = beside < LEAST_BESIDE
  const room = isBelow ? size.columns - 4 : beside
  return keys.flatMap(([key, does]) => {
    const [first = sanitize(''), ...rest] = wrap(sanitize(does), Math.max(2, room))
    const indent = isBelow ? 4 : widest + 4
    const name = theme.accent(padTo(sanitize(key), widest))
    if (isBelow) return [drawn`  ${name}`, ...[first, ...rest].map(line => indented(indent, line))]
    return [drawn`  ${name}  ${first}`, ...rest.map(line => indented(indent, line))]
  })
}

function typedLine({ search }: ViewerReading, query: string): Styled {
  const found = search ? `   ${search.count} found` : ''
  return drawn`/${oneLine(sanitize(query))}${sanitize(found)}`
}

function bottomLine(reading: ViewerReading, state: AppState): Styled {
  const { theme, size } = reading.context
  const room = size.columns
  if (state.hint !== null) return truncated(oneLine(sanitize(state.hint)), room, theme)
  const { overlay } = reading.view
  const line = (hints: readonly string[], rank: number, shorter?: Fact): Fact =>
    fact(keyedLine(state.keyNames, hints), rank, shorter)
  const keys = overlay
    ? overlay.kind === 'help'
      ? line([SCROLLS, BACK], 4, line([BACK], 4))
      : line([SELECTS, OPENS, 'type to search', BACK], 4, line([OPENS, BACK], 4))
    : line(KEYS, 6, line(KEYS.slice(-2), 4))
  const facts = [
    ...agentFacts(state, theme),
    ...(state.raw ? [{ ...fact('raw', 2), text: theme.dim(sanitize('raw')) }] : []),
    // The position is that of the conversation, not of an overlay.
    ...(overlay ? [] : positionFacts(reading, state.keyNames)),
    { ...keys, text: theme.dim(keys.text) },
  ]
  return factsLine(facts, room)
}

/** Letters can be typed into overlays, so that their hints name none. */
const SCROLLS = '{viewer.up up}, {viewer.down down} scroll'
const SELECTS = '{viewer.up up}, {viewer.down down} select'
const OPENS = '{viewer.toggle enter} opens'
export const BACK = '{viewer.leave escape} closes'

/** The hints of the conversation; on a narrow screen the last two. */
const KEYS = [
  '{viewer.search} search',
  '{viewer.turns} turns',
  '{viewer.toggle} opens',
  '{viewer.copy} copies',
  '{viewer.help} keys',
  '{viewer.close} closes',
]

function fact(text: string, rank: number, shorter?: Fact): Fact {
  return shorter ? { text: sanitize(text), rank, shorter } : { text: sanitize(text), rank }
}

function truncated(text: SafeText, room: number, { signs }: Theme): Styled {
  return drawn`${truncate(text, room, signs.ellipsis)}`
}

/** The hint in a view that covers a question. */
export function questionFact(theme: Theme): Fact {
  return { text: theme.warning(sanitize(`${theme.signs.waiting} a question waits`)), rank: 1 }
}

function agentFacts(state: AppState, theme: Theme): Fact[] {
  const { agent, open } = state.chat
  const facts: Fact[] = []
  if (agent.phase === 'ended' || hasEnded(state)) {
    const words = agent.phase === 'ended' ? `${agent.name} has exited` : `${agent.name} exited and was restarted`
    facts.push({ text: theme.failed(sanitize(words)), rank: 0 })
  }
  if (state.question !== null) facts.push(questionFact(theme))
  else if (isBusy(state)) {
    const since = open ? ` ${formatDuration(state.now - open.startedAt)}` : ''
    const sign = theme.running(sanitize(spinner(theme.signs.spinner, state.now)))
    facts.push({ text: drawn`${sign} ${theme.dim(sanitize(`working${since}`))}`, rank: 3 })
  }
  return facts
}

function positionFacts(reading: ViewerReading, names: KeyNames): Fact[] {
  const { view, search, document, body, context } = reading
  const { theme } = context
  const facts: Fact[] = []
  const isNew = !seesEnd(reading) && lastEntry(document) !== view.seenEnd
  if (isNew)
    facts.push({ text: theme.warning(sanitize(`new below${keyed(names, ', press {viewer.bottom}')}`)), rank: 1 })
  if (view.search && search) {
    const { query, shown } = view.search
    const number = shown === null ? 0 : search.numberOf(shown)
    const words = search.count === 0 ? `No matches for ${query}` : `match ${number} of ${search.count} for ${query}`
    facts.push({ text: oneLine(sanitize(words)), rank: 2 })
  }
  const count = document.count(view.top)
  if (!count) facts.push({ text: theme.dim(sanitize('counting')), rank: 5 })
  else {
    const last = Math.min(count.all, count.before + body)
    const share = count.all === 0 ? 1 : last / count.all
    facts.push({ text: theme.dim(sanitize(`line ${last} of ${count.all}   ${formatPercent(share)}`)), rank: 5 })
  }
  return facts
}
