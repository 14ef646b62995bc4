/** The list of changed files as rows of the screen: only the visible ones are drawn. */
import { changeWords, countText, originText } from '../../../src/tools/diff/change-text.ts'
import type { FileChange } from '../../../src/tools/diff/change.ts'
import type { KeyNames } from '../../../src/text/key-hints.ts'
import { counted } from '../../../src/text/counted.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { shortenPath, truncate } from '../../../src/text/lines/shorten.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { GAP, factsLine, type Fact } from '../../../src/style/facts-line.ts'
import { drawn, empty, indented, joinStyled, spread, type Styled } from '../../../src/style/styled.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { highlighted } from '../highlight.ts'
import type { PageContext } from '../page-rows.ts'
import { commentCount } from './comment-facts.ts'
import { dim, keyFacts } from './facts.ts'
import type { DiffListRow } from './list.ts'
import { MARGIN, type DiffReading } from './reading.ts'
import { isRead, leftOf } from './seen.ts'
import type { TreeFolder } from './tree.ts'

export function listTitle(reading: DiffReading): Styled {
  const { changes, context } = reading
  const { theme } = context
  const { session, title = 'changed by this session' } = changes.list
  const count = counted(session.length, 'file')
  const words = session.length === 0 ? title : `${title}: ${count}`
  const left = leftText(reading)
  const facts: Fact[] = [
    {
      text: theme.accent(oneLine(sanitize(words))),
      rank: 3,
      shorter: { text: theme.accent(sanitize(count)), rank: 0 },
    },
    { text: theme.dim(sanitize(left)), rank: 1 },
    { text: commentCount(reading, null), rank: 1 },
    // What is left to read is more than how many lines there are, and these are less than the words.
    { text: totals(session, theme), rank: left === '' ? 4 : 2 },
  ]
  return factsLine(facts, context.size.columns - MARGIN)
}

/** How many files are left to read: nothing while none has been read. */
function leftText(reading: DiffReading): string {
  const { session, before } = reading.changes.list
  const files = [...session, ...before]
  const left = leftOf(reading, files)
  if (left === files.length) return ''
  return left === 0 ? 'all read' : leftWords(left, files.length)
}

const leftWords = (left: number, all: number): string => `${left} of ${all} left`

/** The facts beside the words of a title, if there is room for them. */
export function beside(left: Styled, facts: Styled, { size }: PageContext): Styled {
  const isRoom = MARGIN + left.width + GAP.length + facts.width <= size.columns
  return isRoom && facts !== empty ? joinStyled([left, facts], GAP) : left
}

/** The visible rows of the list, below the title. */
export function listBody(reading: DiffReading): Styled[] {
  const { list, listRow } = reading
  const from = firstRow(reading)
  const end = endOf(reading)
  return list
    .slice(from, from + reading.body)
    .map((row, index) => drawnRow(reading, row, { isSelected: from + index === listRow, end }))
}

/** The number of the row of the list at a row of the screen; null if there is none that can be selected. */
export function listRowAt(reading: DiffReading, row: number): number | null {
  const index = firstRow(reading) + row - 1
  const found = row < 1 || row > reading.body ? undefined : reading.list[index]
  return found && found.kind !== 'words' ? index : null
}

function firstRow({ list, listRow, body }: DiffReading): number {
  return Math.max(0, Math.min(listRow - Math.floor(body / 2), list.length - body))
}

/** The column at which the facts of all rows end, and the widest row. It is the same for a list and a theme. */
const ends = new WeakMap<readonly DiffListRow[], { theme: Theme; comments: unknown; widest: number }>()

function endOf(reading: DiffReading): number {
  const { list, view, context } = reading
  const { theme, size } = context
  const { comments } = view
  let known = ends.get(list)
  if (known?.theme !== theme || known.comments !== comments) {
    known = { theme, comments, widest: list.reduce((most, row) => Math.max(most, widthOf(row, reading)), 0) }
    ends.set(list, known)
  }
  return Math.min(size.columns - 1, known.widest)
}

/** The column at which names begin. */
const NAME_AT = 5
/** Columns of a row of a tree for each folder that it is in. */
const STEP = 2

/** The columns of a whole row of the list. */
function widthOf(row: DiffListRow, reading: DiffReading): number {
  const { theme } = reading.context
  if (row.kind === 'words') return 0
  if (row.kind === 'folder') {
    const { name, depth, files } = row.folder
    // The longest that it can say, so that its end stays where it is.
    const facts = joinStyled(
      [
        ofFolder(reading, files),
        theme.dim(sanitize(leftWords(files.length, files.length))),
        totals(files, theme),
      ].filter(text => text !== empty),
      GAP,
    )
    return NAME_AT + STEP * depth + displayWidth(nameOf(name, theme)) + GAP.length + facts.width
  }
  const { change, name, depth } = row
  const names = [name, ...(change.from === null ? [] : [` was ${change.from}`])]
  const words = names.map(each => nameOf(each, theme)).join(' ')
  return (
    NAME_AT +
    STEP * depth +
    displayWidth(words) +
    GAP.length +
    displayWidth(factsOf(change, theme, commentCount(reading, [change.path])))
  )
}

const nameOf = (name: string, theme: Theme): ReturnType<typeof oneLine> => oneLine(sanitize(name), theme.signs.newline)

type RowLook = { isSelected: boolean; end: number }

function drawnRow(reading: DiffReading, row: DiffListRow, look: RowLook): Styled {
  if (row.kind === 'file') return fileRow(reading, row, look)
  if (row.kind === 'folder') return folderRow(reading, row, look)
  return row.text === '' ? empty : indented(MARGIN, reading.context.theme.dim(row.text))
}

const LETTERS: Readonly<Record<FileChange['kind'], string>> = {
  new: 'A',
  changed: 'M',
  deleted: 'D',
  renamed: 'R',
  written: 'W',
  commented: '=',
}

/** `› M● src/a.ts   +1 -1`. The facts end at `end`. */
function fileRow(
  reading: DiffReading,
  row: Extract<DiffListRow, { kind: 'file' }>,
  { isSelected, end }: RowLook,
): Styled {
  const { theme, size } = reading.context
  const { kind, from } = row.change
  const isKnown = isRead(reading, row.change)
  const paint = kind === 'deleted' ? theme.removed : kind === 'new' ? theme.added : theme.dim
  const facts = factsOf(row.change, theme, commentCount(reading, [row.change.path]))
  const indent = indentOf(row.depth, size.columns)
  const room = Math.max(8, size.columns - indent - 6 - displayWidth(facts) - 2)
  const name = shortenPath(nameOf(row.name, theme), room, theme.signs.ellipsis)
  const left = room - displayWidth(name) - 6
  const was =
    from === null || left < 8
      ? empty
      : drawn`  ${theme.dim(sanitize('was'))} ${theme.dim(shortenPath(nameOf(from, theme), left, theme.signs.ellipsis))}`
  const shown = found(reading, isSelected ? theme.selected(name) : isKnown ? theme.dim(name) : drawn`${name}`)
  const mark = isKnown ? theme.ok(sanitize(theme.signs.done)) : drawn` `
  return spread(
    drawn`${chosen(isSelected, theme)} ${paint(sanitize(LETTERS[kind]))}${mark} ${indented(indent, shown)}${was}`,
    facts,
    end,
  )
}

/** `› ▾  src/app/   7 files   +12 -3` */
function folderRow(reading: DiffReading, row: Extract<DiffListRow, { kind: 'folder' }>, look: RowLook): Styled {
  const { theme, size } = reading.context
  const { folder, isOpen } = row
  const { isSelected, end } = look
  const indent = indentOf(folder.depth, size.columns)
  const name = nameOf(folder.name, theme)
  const most = Math.max(8, size.columns - 1 - NAME_AT - indent)
  const shortened = displayWidth(name) <= most ? name : truncate(name, most, theme.signs.ellipsis)
  const facts = folderFacts(reading, folder, Math.max(0, size.columns - 3 - NAME_AT - indent - displayWidth(shortened)))
  const shown = found(reading, isSelected ? theme.selected(shortened) : theme.strong(shortened))
  const fold = sanitize(theme.markdown.unicode ? (isOpen ? '▾' : '▸') : isOpen ? '-' : '+')
  const line = drawn`${chosen(isSelected, theme)} ${theme.dim(fold)}  ${indented(indent, shown)}`
  return spread(line, facts, Math.max(end, Math.min(size.columns - 1, line.width + 2 + facts.width)))
}

/** In a narrow terminal deep folders are indented less. */
function indentOf(depth: number, columns: number): number {
  return Math.min(STEP * depth, Math.floor(columns / 4))
}

function chosen(isSelected: boolean, theme: Theme): Styled {
  return isSelected ? theme.accent(sanitize(theme.signs.chosen)) : drawn` `
}

/** A name, with what the search found in it. */
function found({ view: { search } }: DiffReading, name: Styled): Styled {
  return search ? highlighted(name, search.query) : name
}

/** What is counted in a folder, as far as there is room. */
function folderFacts(reading: DiffReading, { files }: TreeFolder, room: number): Styled {
  const { theme } = reading.context
  const left = leftOf(reading, files)
  const words =
    left === 0
      ? `all ${files.length} read`
      : left === files.length
        ? counted(files.length, 'file')
        : leftWords(left, files.length)
  const comments = { text: ofFolder(reading, files), rank: 1 }
  return factsLine([comments, dim(words, 0, theme), { text: totals(files, theme), rank: 2 }], room)
}

function ofFolder(reading: DiffReading, files: readonly FileChange[]): Styled {
  return commentCount(
    reading,
    files.map(({ path }) => path),
  )
}

/** `new   +12 -3`: the words come first, so that the numbers form a column. */
export function factsOf(change: FileChange, theme: Theme, comments = empty): Styled {
  const words = changeWords(change)
  const counts = countOf(change, theme)
  const texts = [comments, words === '' ? empty : theme.dim(sanitize(words)), counts]
  return joinStyled(
    texts.filter(text => text !== empty),
    GAP,
  )
}

function countOf(change: Pick<FileChange, 'added' | 'removed' | 'isEstimate'>, theme: Theme): Styled {
  if (countText(change) === '') return empty
  const about = change.isEstimate ? drawn`${theme.dim(sanitize('about'))} ` : empty
  return drawn`${about}${theme.added(sanitize(`+${change.added ?? 0}`))} ${theme.removed(sanitize(`-${change.removed ?? 0}`))}`
}

/** The lines of several files together. */
function totals(changes: readonly FileChange[], theme: Theme): Styled {
  if (changes.length === 0) return empty
  const sum = (of: 'added' | 'removed'): number => changes.reduce((all, change) => all + (change[of] ?? 0), 0)
  const isEstimate = changes.some(change => change.isEstimate)
  return countOf({ added: sum('added'), removed: sum('removed'), isEstimate }, theme)
}

export function listFacts({ list, listRow, changes, context: { theme } }: DiffReading, names: KeyNames): Fact[] {
  const row = list[listRow]
  const keys = keyFacts(
    ['{diff.show} opens', '{diff.seen} read', '{diff.tree} tree', '{diff.search} search', '{diff.edit} editor'],
    2,
    names,
    theme,
  )
  const origin = row?.kind === 'file' ? [dim(originText(row.change, changes.list), 3, theme)] : []
  return [...origin, keys]
}
