/** /find as rows of the screen: the text field, what is searched, the passages, and a status line. */
import type { FoundPassage, PassageKind } from '../../../src/app/pages/pages.ts'
import { createColumns, type Columns } from '../../../src/style/columns.ts'
import { GAP, type Fact } from '../../../src/style/facts-line.ts'
import { drawn, empty, indented, joinStyled, spread, type Styled } from '../../../src/style/styled.ts'
import { counted } from '../../../src/text/counted.ts'
import { formatAge, formatPercent } from '../../../src/text/format.ts'
import { keyedLine } from '../../../src/text/key-hints.ts'
import { truncate } from '../../../src/text/lines/shorten.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { oneLine, sanitize, type SafeText } from '../../../src/text/sanitize.ts'
import {
  bodyRows,
  EDGE,
  fittedRow,
  questionFact,
  statusLine,
  type PageCaret,
  type PageContext,
  type PageRows,
} from '../page-rows.ts'
import { INDENT } from './excerpt.ts'
import { fieldOf } from './field.ts'
import type { FindReading, SeenPassage } from './reading.ts'
import { kinds, selectedIndex } from './state.ts'

export function findRows(reading: FindReading): PageRows {
  return { title: findTitle(reading), body: findBody(reading), bottom: findBottom(reading) }
}

const LABEL = 'find'
/** Where the text of the field begins. */
const FIELD = EDGE + LABEL.length + 2

export function findTitle(reading: FindReading): Styled {
  const { context, view } = reading
  const { theme, size } = context
  const count = countOf(reading)
  const room = Math.max(4, size.columns - FIELD - 1)
  const field = fieldOf(view.editor, room)
  const left = drawn`${theme.accent(sanitize(LABEL))}  ${oneLine(sanitize(field.text))}`
  const isRoom = EDGE + left.width + GAP.length + displayWidth(count) < size.columns
  return fittedRow(indented(EDGE, isRoom ? spread(left, theme.dim(count), size.columns - EDGE - 1) : left), context)
}

export function findCaret({ view, context }: FindReading): PageCaret {
  const { caret } = fieldOf(view.editor, Math.max(4, context.size.columns - FIELD - 1))
  return { x: Math.min(FIELD + caret, context.size.columns - 1), y: 0 }
}

function countOf({ view: { found }, isAsking, context }: FindReading): SafeText {
  if (isAsking) return sanitize(context.theme.signs.ellipsis)
  const { passages, isCut } = found
  return sanitize(isCut ? `the best ${passages.length}` : passages.length === 0 ? '' : `${passages.length} found`)
}

/** What is searched, and the passages, or why there are none. */
export function findBody(reading: FindReading): Styled[] {
  const { context, body, seen } = reading
  const rows = seen.length > 0 ? passageRows(reading) : insteadRows(reading)
  return bodyRows([indented(EDGE, scopeLine(reading)), empty, ...rows], body, context)
}

const NAMES: Readonly<Record<PassageKind, string>> = {
  prompt: 'prompts',
  answer: 'answers',
  command: 'commands',
  result: 'results',
  diff: 'diffs',
  file: 'files',
}

function nameOf(kind: PassageKind | null): string {
  return kind === null ? 'all' : NAMES[kind]
}

/** All kinds, or the chosen one if there is no room for them. */
function scopeLine({ view, context }: FindReading): Styled {
  const { theme, size } = context
  const where = theme.dim(sanitize(view.isHere ? 'in this folder' : 'in all folders'))
  const all = kinds.map(kind => {
    const name = sanitize(nameOf(kind))
    // Without colours brackets show which one is chosen.
    return kind === view.kind ? theme.selected(drawn`[${name}]`) : theme.dim(name)
  })
  const bar = joinStyled(all, '  ')
  const room = size.columns - EDGE - 1
  const isRoom = bar.width + GAP.length + where.width <= room
  return isRoom ? joinStyled([bar, where], GAP) : joinStyled([all[kinds.indexOf(view.kind)] ?? empty, where], '  ')
}

function passageRows({ seen, view, app, context, folder }: FindReading): Styled[] {
  const { theme, size } = context
  const columns = factColumns(seen, { now: app.now, folder, context })
  return seen.flatMap(each => {
    const { passage, index, excerpt } = each
    const isSelected = index === selectedIndex(view)
    const sign = isSelected ? theme.accent(sanitize(theme.signs.chosen)) : drawn` `
    const facts = columns.line(each)
    const room = Math.max(4, size.columns - EDGE - 1 - (columns.width > 0 ? columns.width + GAP.length : 0))
    const title = truncate(oneLine(sanitize(titleOf(passage)), theme.signs.newline), room, theme.signs.ellipsis)
    const named = isSelected ? theme.selected(title) : theme.strong(title)
    const first = spread(
      drawn`${sign} ${named}`,
      passage.failed ? theme.failed(facts) : theme.dim(facts),
      size.columns - 1,
    )
    return [first, ...excerpt.map(row => indented(INDENT, isSelected ? row : theme.dim(row)))]
  })
}

function titleOf({ title, place }: FoundPassage): string {
  return title.trim() === '' ? place.session : title.trim()
}

type FactsLook = { now: number; folder: string; context: PageContext }

/** What it is, where it was said, by which agent, and when. */
function factColumns(seen: readonly SeenPassage[], { now, folder, context }: FactsLook): Columns<SeenPassage> {
  const { theme, size } = context
  const most = Math.max(8, Math.floor(size.columns / 5))
  return createColumns(
    seen,
    [
      { cell: ({ passage }) => sanitize(kindWords(passage)), rank: 1 },
      {
        cell: ({ passage }) => oneLine(sanitize(passage.folder === folder ? '' : lastName(passage.folder))),
        rank: 2,
        most,
      },
      { cell: ({ passage }) => oneLine(sanitize(passage.agent)), rank: 3, most },
      { cell: ({ passage }) => formatAge(Math.max(0, now - passage.place.at)), rank: 0, most },
    ],
    { room: Math.floor(size.columns / 2), ellipsis: theme.signs.ellipsis },
  )
}

export function kindWords({ kind, failed }: FoundPassage): string {
  return failed ? `${kind}, failed` : kind
}

function lastName(folder: string): string {
  return folder.split(/[\\/]/).findLast(name => name !== '') ?? folder
}

/** What to type, or why nothing is found. */
function insteadRows({ view, isAsking, context }: FindReading): Styled[] {
  const { theme, size } = context
  const { found } = view
  const lines = (words: string): Styled[] =>
    wrap(oneLine(sanitize(words)), Math.max(2, size.columns - EDGE - 1)).map(line => indented(EDGE, theme.dim(line)))
  if (found.problem !== null)
    return wrap(oneLine(sanitize(found.problem)), Math.max(2, size.columns - EDGE - 1)).map(line =>
      indented(EDGE, theme.failed(line)),
    )
  if (view.editor.text.trim() === '')
    return ['Type what was said, run or changed in any session.', ...FILTERS].flatMap(lines)
  if (isAsking) return []
  return lines(found.share < 1 ? 'Nothing found so far.' : 'Nothing found.')
}

const FILTERS = [
  '"two words" as they stand',
  'folder:app  agent:zot  since:2w  kind:command  failed:  narrow it',
] as const

export function findBottom(reading: FindReading): Styled {
  const { app, context, view, seen } = reading
  const { theme } = context
  const dim = (words: string, rank: number, shorter?: Fact): Fact => {
    const text = theme.dim(sanitize(words))
    return shorter ? { text, rank, shorter } : { text, rank }
  }
  const { share } = view.found
  const [keys, fewer] =
    seen.length > 0
      ? [
          [...KEYS_OF_PASSAGE, ...KEYS],
          [...KEYS_OF_PASSAGE, CLOSES],
        ]
      : [KEYS, [CLOSES]]
  const facts = (): Fact[] => [
    ...(app.question === null ? [] : [questionFact(theme)]),
    ...(share < 1
      ? [
          dim(
            `${formatPercent(share)} of your sessions are searched so far`,
            2,
            dim(`${formatPercent(share)} searched`, 2),
          ),
        ]
      : []),
    dim(
      keyedLine(app.keyNames, keys),
      3,
      dim(keyedLine(app.keyNames, fewer), 3, dim(keyedLine(app.keyNames, SHORT), 3)),
    ),
  ]
  return statusLine(app, facts, context)
}

const KEYS_OF_PASSAGE = ['{find.open} shows it', '{find.go_on} goes on from it', '{find.quote} quotes it']
const CLOSES = '{find.leave escape} closes'
const KEYS = ['{find.next_kind} kind', '{find.here} folder', CLOSES]
const SHORT = ['{find.open} shows it', CLOSES]

/** A passage in words, for people who use a screen reader. */
export function spokenFacts(passage: FoundPassage, now: number): string {
  const { folder, agent, place } = passage
  const age = formatAge(Math.max(0, now - place.at))
  return [kindWords(passage), titleOf(passage), lastName(folder), agent, age].filter(word => word !== '').join(', ')
}

/** How many were found, in words. */
export function foundWords({ length }: readonly FoundPassage[], isCut: boolean): string {
  return isCut ? `the best ${length} passages` : counted(length, 'passage')
}
