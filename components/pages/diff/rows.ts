/** /diff as rows of the screen: the list of files or one file, and a status line at the bottom. */
import { changeWords, countText, originText } from '../../../src/tools/diff/change-text.ts'
import type { FileChange, ChangeList } from '../../../src/tools/diff/change.ts'
import { keyed, keyedLine, type KeyNames } from '../../../src/text/key-hints.ts'
import { counted } from '../../../src/text/counted.ts'
import { formatPercent } from '../../../src/text/format.ts'
import { oneLine, sanitize, type SafeText } from '../../../src/text/sanitize.ts'
import { shortenPath } from '../../../src/text/lines/shorten.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { GAP, type Fact } from '../../../src/style/facts-line.ts'
import { drawn, empty, indented, joinStyled, spread, type Styled } from '../../../src/style/styled.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { rangeLength } from './cursor.ts'
import { MARGIN, rangeOf, type DiffReading } from './reading.ts'
import { seenRows, shareAbove } from './window.ts'
import { keyListPage } from '../key-list.ts'
import { bodyRows, fittedRow, questionFact, statusLine, type PageContext, type PageRows } from '../page-rows.ts'

export function diffRows(reading: DiffReading): PageRows {
  return { title: diffTitle(reading), body: diffBody(reading), bottom: diffBottom(reading) }
}

export function diffTitle(reading: DiffReading): Styled {
  const { shown, view, context } = reading
  const keys = drawn`${context.theme.accent(sanitize('keys'))}`
  const title = view.help === null ? (shown ? fileTitle(reading, shown) : listTitle(reading)) : keys
  return fittedRow(indented(MARGIN, title), context)
}

/** The list of files, a file, or the keys. */
export function diffBody(reading: DiffReading): Styled[] {
  const { body, shown, view, context } = reading
  const rows =
    view.help !== null
      ? keyListPage(context, view.help, body)
      : shown
        ? fileRows(reading)
        : windowed(reading).map(({ text }) => text)
  return bodyRows(rows, body, context)
}

export function diffBottom(reading: DiffReading): Styled {
  return statusLine(reading.app, () => factsAtBottom(reading), reading.context)
}

/** A row of the list: a file with its index, or text between files. */
type ListedRow = { text: Styled; index: number | null }

function listTitle({ changes, context }: DiffReading): Styled {
  const { theme } = context
  const { session } = changes.list
  const words = session.length === 0 ? 'changed by this session' : `changed by this session: ${files(session.length)}`
  return beside(theme.accent(sanitize(words)), totals(session, theme), context)
}

/** The facts beside the words of a title, if there is room for them. */
function beside(left: Styled, facts: Styled, { size }: PageContext): Styled {
  const isRoom = MARGIN + left.width + GAP.length + facts.width <= size.columns
  return isRoom && facts !== empty ? joinStyled([left, facts], GAP) : left
}

const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`)

/** The visible rows of the list, below the title. */
function windowed(reading: DiffReading): ListedRow[] {
  const rows = allRows(reading)
  const at = rows.findIndex(({ index }) => index === reading.selected)
  const from = Math.max(0, Math.min(at - Math.floor(reading.body / 2), rows.length - reading.body))
  return rows.slice(from, from + reading.body)
}

/** The index of the file in a row of the screen; null if there is none. */
export function fileAtRow(reading: DiffReading, row: number): number | null {
  return windowed(reading)[row - 1]?.index ?? null
}

function allRows({ context, changes, selected }: DiffReading): ListedRow[] {
  const { theme, size } = context
  const { list, isAsking } = changes
  const { session, before, notes } = list
  const words = (text: string): ListedRow[] =>
    wrap(oneLine(sanitize(text)), Math.max(1, size.columns - MARGIN - 1)).map(line => ({
      text: indented(MARGIN, theme.dim(line)),
      index: null,
    }))
  const gap: ListedRow = { text: empty, index: null }
  const widths = [...session, ...before].map(change => widthOf(change, theme))
  const end = Math.min(size.columns - 1, Math.max(...widths))
  const rowOf = (change: FileChange, index: number): ListedRow => ({
    text: fileRow(change, index === selected, end, context),
    index,
  })
  const nothing = session.length === 0 && !isAsking ? words('No changes.') : []
  const shown = [...(isAsking ? [`Checking for changes ${theme.signs.ellipsis}`] : []), ...notes]
  return [
    ...session.map(rowOf),
    ...nothing,
    ...(before.length > 0 ? [gap, ...words(beforeTitle(list))] : []),
    ...before.map((change, index) => rowOf(change, session.length + index)),
    ...(shown.length > 0 ? [gap, ...shown.flatMap(words)] : []),
  ]
}

function beforeTitle({ before, unsure }: ChangeList): string {
  const since =
    unsure === 0 ? 'and not since then' : `${unsure === before.length ? 'all' : unsure} possibly again since then`
  return `changed before this session, ${since}: ${files(before.length)}`
}

const LETTERS: Readonly<Record<FileChange['kind'], string>> = {
  new: 'A',
  changed: 'M',
  deleted: 'D',
  renamed: 'R',
  written: 'W',
}

/** The columns of a whole row of the list. */
function widthOf(change: FileChange, theme: Theme): number {
  const names = [change.path, ...(change.from === null ? [] : [` was ${change.from}`])]
  const words = names.map(name => oneLine(sanitize(name), theme.signs.newline)).join(' ')
  return NAME_AT + displayWidth(words) + GAP.length + displayWidth(factsOf(change, theme))
}

/** The column at which names begin. */
const NAME_AT = 5

/** Its facts end at `end`. */
function fileRow(change: FileChange, isSelected: boolean, end: number, { theme, size }: PageContext): Styled {
  const { kind, path, from } = change
  const sign = isSelected ? theme.accent(sanitize(theme.signs.chosen)) : drawn` `
  const paint = kind === 'deleted' ? theme.removed : kind === 'new' ? theme.added : theme.dim
  const facts = factsOf(change, theme)
  const room = Math.max(8, size.columns - 6 - displayWidth(facts) - 2)
  const name = shortenPath(oneLine(sanitize(path), theme.signs.newline), room, theme.signs.ellipsis)
  const left = room - displayWidth(name) - 6
  const was =
    from === null || left < 8
      ? empty
      : drawn`  ${theme.dim(sanitize('was'))} ${theme.dim(shortenPath(oneLine(sanitize(from), theme.signs.newline), left, theme.signs.ellipsis))}`
  const shown = isSelected ? theme.selected(name) : drawn`${name}`
  return spread(drawn`${sign} ${paint(sanitize(LETTERS[kind]))}  ${shown}${was}`, facts, end)
}

/** `new   +12 -3`: the words come first, so that the numbers form a column. */
function factsOf(change: FileChange, theme: Theme): Styled {
  const words = changeWords(change)
  const counts = countsOf(change, theme)
  return joinStyled(
    [...(words === '' ? [] : [theme.dim(sanitize(words))]), ...(counts === empty ? [] : [counts])],
    '   ',
  )
}

function countsOf(change: Pick<FileChange, 'added' | 'removed' | 'isEstimate'>, theme: Theme): Styled {
  if (countText(change) === '') return empty
  const about = change.isEstimate ? drawn`${theme.dim(sanitize('about'))} ` : empty
  return drawn`${about}${theme.added(sanitize(`+${change.added ?? 0}`))} ${theme.removed(sanitize(`-${change.removed ?? 0}`))}`
}

function totals(changes: readonly FileChange[], theme: Theme): Styled {
  if (changes.length === 0) return empty
  const sum = (of: 'added' | 'removed'): number => changes.reduce((all, change) => all + (change[of] ?? 0), 0)
  const isEstimate = changes.some(change => change.isEstimate)
  return countsOf({ added: sum('added'), removed: sum('removed'), isEstimate }, theme)
}

function fileTitle({ context }: DiffReading, shown: FileChange): Styled {
  const { theme, size } = context
  const facts = factsOf(shown, theme)
  const room = Math.max(8, size.columns - MARGIN - displayWidth(facts) - GAP.length)
  const path = shortenPath(oneLine(sanitize(shown.path), theme.signs.newline), room, theme.signs.ellipsis)
  return beside(theme.accent(path), facts, context)
}

function fileRows({ body, window, context }: DiffReading): Styled[] {
  const { theme } = context
  if (!window) return [indented(MARGIN, theme.dim(sanitize(`Loading ${theme.signs.ellipsis}`)))]
  const { rows, top, cursor, anchor, hunk } = window
  const current = theme.accent(sanitize(theme.signs.chosen))
  const mark = theme.accent(sanitize(theme.markdown.unicode ? '▌' : '|'))
  const { first, last } = rangeOf(window)
  return seenRows(rows, top, body).map(({ row, text }) => {
    const isChosen = anchor !== null && row >= first && row <= last && rows.row(row)?.kind === 'line'
    const shown = isChosen ? theme.selection(text) : text
    if (row === cursor) return drawn`${current} ${shown}`
    if (rows.row(row)?.hunk === hunk) return drawn`${mark} ${shown}`
    return text === empty ? empty : indented(MARGIN, shown)
  })
}

function factsAtBottom(reading: DiffReading): Fact[] {
  const { app, context, shown, view } = reading
  const { theme } = context
  if (view.help !== null) return [dim(keyed(app.keyNames, '{diff.leave escape} closes'), 0, theme)]
  const facts = shown ? fileFacts(reading, shown, app.keyNames) : listFacts(reading, app.keyNames)
  return [...(app.question === null ? [] : [questionFact(theme)]), ...facts]
}

function listFacts({ files: all, selected, changes, context: { theme } }: DiffReading, names: KeyNames): Fact[] {
  const chosen = all[selected]
  const keys = keyFacts(['{diff.show} opens', '{diff.edit} editor', '{diff.reload} refresh'], 2, names, theme)
  const origin = chosen ? [{ text: theme.dim(sanitize(originText(chosen, changes.list))), rank: 3 }] : []
  return [...origin, keys]
}

function fileFacts(reading: DiffReading, shown: FileChange, names: KeyNames): Fact[] {
  const { window, body, diff, files: all, selected } = reading
  const { theme } = reading.context
  const range = rangeLength(reading)
  const hasLines = window !== null && window.rows.hunks > 0
  const isOfBefore = reading.changes.list.before.includes(shown)
  const notes = hasLines ? (diff?.notes ?? []) : []
  return [
    ...(range > 0 ? [{ text: theme.accent(sanitize(counted(range, 'line'))), rank: 1 }] : []),
    ...(hasLines ? [dim(`change ${window.hunk + 1} of ${window.rows.hunks}`, 1, theme)] : []),
    ...(all.length > 1 ? [dim(`file ${selected + 1} of ${all.length}`, 5, theme)] : []),
    ...(hasLines ? [dim(formatPercent(shareAbove(window.rows, window.top, body)), 6, theme)] : []),
    ...notes.map((note, index): Fact => ({ text: theme.warning(oneLine(sanitize(note))), rank: 7 + index })),
    ...(notes.length === 0 && shown.calls === 0
      ? [dim(isOfBefore ? 'before this session' : 'not by an edit', 8, theme)]
      : []),
    keyFacts(FILE_KEYS, 3, names, theme),
  ]
}

const FILE_KEYS = [
  '{diff.next_hunk} {diff.previous_hunk} changes',
  '{diff.next_file} file',
  '{diff.layout} sides',
  '{diff.edit} editor',
]
const ALWAYS = ['{diff.help} keys', '{diff.leave} closes']

/** Key hints; on a narrow screen only those of every page, with the rank `shortRank`. */
function keyFacts(hints: readonly string[], shortRank: number, names: KeyNames, theme: Theme): Fact {
  const always = dim(keyedLine(names, ALWAYS), shortRank, theme)
  return dim(keyedLine(names, [...hints, ...ALWAYS]), 4, theme, always)
}

function dim(words: string, rank: number, theme: Theme, shorter?: Fact): Fact {
  const text: SafeText = oneLine(sanitize(words))
  return shorter ? { text: theme.dim(text), rank, shorter } : { text: theme.dim(text), rank }
}
