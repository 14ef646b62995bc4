/** /diff as rows of the screen: the list of files or one file, and a status line at the bottom. */
import type { FileChange } from '../../../src/tools/diff/change.ts'
import { keyed, type KeyNames } from '../../../src/text/key-hints.ts'
import { counted } from '../../../src/text/counted.ts'
import { formatPercent } from '../../../src/text/format.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { shortenPath } from '../../../src/text/lines/shorten.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { GAP, type Fact } from '../../../src/style/facts-line.ts'
import { drawn, empty, indented, joinStyled, type Styled } from '../../../src/style/styled.ts'
import { highlighted } from '../highlight.ts'
import { keyListPage } from '../key-list.ts'
import { bodyRows, fittedRow, questionFact, statusLine, type PageCaret, type PageRows } from '../page-rows.ts'
import { commentCount, commentKeyFacts } from './comment-facts.ts'
import { hasChanges } from './commented-files.ts'
import { rangeLength } from './cursor.ts'
import { dim, keyFacts } from './facts.ts'
import { beside, factsOf, listBody, listFacts, listTitle } from './list-rows.ts'
import { fieldCaret, MARGIN, rangeOf, type DiffReading } from './reading.ts'
import { isRead } from './seen.ts'
import { seenRows, shareAbove } from './window.ts'

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
    view.help !== null ? keyListPage(context, view.help, body) : shown ? fileRows(reading) : listBody(reading)
  return bodyRows(rows, body, context)
}

export function diffBottom(reading: DiffReading): Styled {
  const { context, found, files, view } = reading
  if (view.search?.isTyping) return fittedRow(typedLine(view.search.query, found?.count(files) ?? 0), context)
  return statusLine(reading.app, () => factsAtBottom(reading), context)
}

function typedLine(query: string, count: number): Styled {
  return drawn`/${oneLine(sanitize(query))}${sanitize(query === '' ? '' : `   ${count} found`)}`
}

/** The caret in the text field of a comment, or of the search. */
export function diffCaret(reading: DiffReading): PageCaret | null {
  const { view, body, context } = reading
  const { search, field } = view
  if (field) return fieldCaret(reading)
  if (!search?.isTyping) return null
  const x = Math.min(displayWidth(oneLine(sanitize(`/${search.query}`))), context.size.columns - 1)
  return { x, y: body + 1 }
}

function fileTitle(reading: DiffReading, shown: FileChange): Styled {
  const { context, view } = reading
  const { search } = view
  const { theme, size } = context
  const facts = joinStyled([commentCount(reading, [shown.path]), factsOf(shown, theme)].filter(isThere), GAP)
  const room = Math.max(8, size.columns - MARGIN - displayWidth(facts) - GAP.length)
  const path = shortenPath(oneLine(sanitize(shown.path), theme.signs.newline), room, theme.signs.ellipsis)
  const marked = search ? highlighted(theme.accent(path), search.query) : theme.accent(path)
  const mark = isRead(reading, shown) ? drawn`${theme.ok(sanitize(theme.signs.done))} ` : empty
  return beside(drawn`${mark}${marked}`, facts, context)
}

const isThere = (text: Styled): boolean => text !== empty

function fileRows({ body, window, context, view: { search } }: DiffReading): Styled[] {
  const { theme } = context
  if (!window) return [indented(MARGIN, theme.dim(sanitize(`Loading ${theme.signs.ellipsis}`)))]
  const { rows, top, cursor, anchor, hunk } = window
  const current = theme.accent(sanitize(theme.signs.chosen))
  const mark = theme.accent(sanitize(theme.markdown.unicode ? '▌' : '|'))
  const { first, last } = rangeOf(window)
  let above = -1
  return seenRows(rows, top, body).map(({ row, text }) => {
    const isFirst = row !== above
    above = row
    const isChosen = anchor !== null && row >= first && row <= last && rows.row(row)?.kind === 'line'
    const searched = search ? highlighted(text, search.query) : text
    const shown = isChosen ? theme.selection(searched) : searched
    if (row === cursor && isFirst) return drawn`${current} ${shown}`
    if (rows.row(row)?.hunk === hunk) return drawn`${mark} ${shown}`
    return text === empty ? empty : indented(MARGIN, shown)
  })
}

function factsAtBottom(reading: DiffReading): Fact[] {
  const { app, context, shown, view } = reading
  const { theme } = context
  if (view.help !== null) return [dim(keyed(app.keyNames, '{diff.leave escape} closes'), 0, theme)]
  const ofComment = commentKeyFacts(reading, app.keyNames, theme)
  if (view.field && ofComment) return [ofComment]
  const facts = shown ? fileFacts(reading, shown, app.keyNames, ofComment) : listFacts(reading, app.keyNames)
  return [...(app.question === null ? [] : [questionFact(theme)]), ...searchFacts(reading), ...facts]
}

/** `match 3 of 12 for word`; while not everything has been searched, `so far`. */
function searchFacts({ view: { search }, found, files, texts, context }: DiffReading): Fact[] {
  const { theme } = context
  if (!search || !found) return []
  const { query, shown } = search
  const isDone = found.isDone(files)
  const count = found.count(files)
  const number = shown === null ? 0 : found.numberOf(files, shown)
  const soFar = isDone ? '' : ' so far'
  const words = count === 0 ? (isDone ? 'No matches' : 'Searching') : `match ${number} of ${count}${soFar}`
  const left = files.filter(({ file }) => texts.get(file)?.diff === null).length
  return [
    { text: oneLine(sanitize(`${words} for ${query}`)), rank: 1, shorter: { text: oneLine(sanitize(words)), rank: 1 } },
    ...(left > 0 ? [dim(`${counted(left, 'file')} too long to search`, 6, theme)] : []),
  ]
}

function fileFacts(reading: DiffReading, shown: FileChange, names: KeyNames, ofComment: Fact | null): Fact[] {
  const { window, body, diff, files: all, selected, view } = reading
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
    ...(notes.length === 0 && hasChanges(shown) && shown.calls === 0 && reading.changes.list.title === undefined
      ? [dim(isOfBefore ? 'before this session' : 'not by an edit', 8, theme)]
      : []),
    ofComment ?? keyFacts(view.canTake ? [TAKE, ...FILE_KEYS] : FILE_KEYS, 3, names, theme),
  ]
}

const TAKE = '{diff.stage} takes it'

const FILE_KEYS = [
  '{diff.next} {diff.previous} changes',
  '{diff.comment} comment',
  '{diff.seen} read',
  '{diff.next_file} file',
  '{diff.search} search',
  '{diff.layout} sides',
  '{diff.edit} editor',
]
