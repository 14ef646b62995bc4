/** The transcript as rows of the screen: the conversation, and a status line at the bottom. */
import { isBusy } from '../../../src/state/state.ts'
import { createColumns, type Columns } from '../../../src/style/columns.ts'
import type { Fact } from '../../../src/style/facts-line.ts'
import { drawn, empty, indented, spread, type Styled } from '../../../src/style/styled.ts'
import { formatDuration, formatPercent } from '../../../src/text/format.ts'
import { keyed, keyedLine } from '../../../src/text/key-hints.ts'
import { truncate, truncateStart } from '../../../src/text/lines/shorten.ts'
import { displayWidth, padStartTo } from '../../../src/text/lines/width.ts'
import { oneLine, sanitize, type SafeText } from '../../../src/text/sanitize.ts'
import { spinner } from '../../../src/tools/panel/title.ts'
import { highlighted } from '../highlight.ts'
import { keyListPage } from '../key-list.ts'
import {
  BACK,
  bodyRows,
  fittedRow,
  questionFact,
  statusLine,
  type PageCaret,
  type PageContext,
  type PageRows,
} from '../page-rows.ts'
import type { OutlineRow } from './document/outline.ts'
import { firstTurn, hasEnded, lastEntry, MARGIN, outlineOf, seesEnd, type TranscriptReading } from './reading.ts'
import type { TranscriptOverlay } from './state.ts'
import { seenRows } from './window.ts'

export function transcriptRows(reading: TranscriptReading): PageRows {
  return { body: transcriptBody(reading), bottom: transcriptBottom(reading) }
}

/** The conversation, or the overlay that covers it. */
export function transcriptBody(reading: TranscriptReading): Styled[] {
  const { body, context, view } = reading
  const { overlay } = view
  const shown =
    overlay?.kind === 'help'
      ? keyListPage(context, overlay.from, body)
      : overlay?.kind === 'turns'
        ? turnRows(reading, overlay)
        : contentRows(reading)
  return bodyRows(shown, body, context)
}

export function transcriptBottom(reading: TranscriptReading): Styled {
  const { app, context, view } = reading
  if (view.overlay?.kind === 'typing') return fittedRow(typedLine(reading, view.overlay.query), context)
  if (view.overlay?.kind === 'marking') return fittedRow(drawn`${markedLine(view.overlay.word, context)}`, context)
  return statusLine(app, () => factsAtBottom(reading), context)
}

export function transcriptCaret({ view: { overlay }, body, context }: TranscriptReading): PageCaret | null {
  const typed = typedIn(overlay, context)
  if (typed === null) return null
  const x = Math.min(displayWidth(typed), context.size.columns - 1)
  return { x, y: overlay?.kind === 'turns' ? 0 : body }
}

/** The row of the text field up to its caret. */
function typedIn(overlay: TranscriptOverlay | null, context: PageContext): SafeText | null {
  switch (overlay?.kind) {
    case 'typing':
      return oneLine(sanitize(`/${overlay.query}`))
    case 'turns':
      return oneLine(sanitize(FILTER + overlay.filter))
    case 'marking':
      return markedLine(overlay.word, context)
    case 'help':
    case undefined:
      return null
  }
}

/** Of a long word the end, which is being typed. */
function markedLine(word: string, { theme, size }: PageContext): SafeText {
  const room = size.columns - MARK.length - 1
  return oneLine(sanitize(MARK + truncateStart(oneLine(sanitize(word)), room, theme.signs.ellipsis)))
}

const MARK = 'mark: '

function contentRows(reading: TranscriptReading): Styled[] {
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

function turnRows(
  reading: TranscriptReading,
  { filter, selected }: Extract<TranscriptOverlay, { kind: 'turns' }>,
): Styled[] {
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

function typedLine({ search }: TranscriptReading, query: string): Styled {
  const found = search ? `   ${search.count} found` : ''
  return drawn`/${oneLine(sanitize(query))}${sanitize(found)}`
}

function factsAtBottom(reading: TranscriptReading): Fact[] {
  const { app, context, view } = reading
  const { theme } = context
  const { overlay } = view
  const line = (hints: readonly string[], rank: number, shorter?: Fact): Fact =>
    fact(keyedLine(app.keyNames, hints), rank, shorter)
  const keys = overlay
    ? overlay.kind === 'help'
      ? line([SCROLLS, BACK], 4, line([BACK], 4))
      : line([SELECTS, OPENS, 'type to search', BACK], 4, line([OPENS, BACK], 4))
    : line(KEYS, 6, line(KEYS.slice(-2), 4))
  return [
    ...agentFacts(reading),
    ...(app.raw ? [{ ...fact('raw', 2), text: theme.dim(sanitize('raw')) }] : []),
    // The position is that of the conversation, not of an overlay.
    ...(overlay ? [] : positionFacts(reading)),
    { ...keys, text: theme.dim(keys.text) },
  ]
}

/** Letters can be typed into overlays, so that their hints name none. */
const SCROLLS = '{viewer.up up}, {viewer.down down} scroll'
const SELECTS = '{viewer.up up}, {viewer.down down} select'
const OPENS = '{viewer.toggle enter} opens'

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

function agentFacts(reading: TranscriptReading): Fact[] {
  const { app } = reading
  const { theme } = reading.context
  const { agent, open } = app.chat
  const facts: Fact[] = []
  if (reading.whose !== undefined) facts.push(whoseFact(reading.whose, reading.context))
  // A stored session is that of an agent that may be another one, and has ended since.
  if (reading.view.session) return app.question === null ? facts : [...facts, questionFact(theme)]
  if (agent.phase === 'ended' || hasEnded(reading)) {
    const words = agent.phase === 'ended' ? `${agent.name} has exited` : `${agent.name} exited and was restarted`
    facts.push({ text: theme.failed(sanitize(words)), rank: 0 })
  }
  if (app.question !== null) facts.push(questionFact(theme))
  else if (isBusy(app)) {
    const since = open ? ` ${formatDuration(app.now - open.startedAt)}` : ''
    const sign = theme.running(sanitize(spinner(theme.signs.spinner, app.now)))
    facts.push({ text: drawn`${sign} ${theme.dim(sanitize(`working${since}`))}`, rank: 3 })
  }
  return facts
}

function whoseFact(whose: string, { theme, size }: PageContext): Fact {
  const most = Math.max(8, Math.floor(size.columns / 3))
  return { text: theme.accent(truncate(oneLine(sanitize(whose)), most, theme.signs.ellipsis)), rank: 2 }
}

function positionFacts(reading: TranscriptReading): Fact[] {
  const { app, view, search, document, body, context } = reading
  const { theme } = context
  const facts: Fact[] = []
  const isNew = !seesEnd(reading) && lastEntry(document) !== view.seenEnd
  if (isNew)
    facts.push({ text: theme.warning(sanitize(`new below${keyed(app.keyNames, ', press {viewer.bottom}')}`)), rank: 1 })
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
