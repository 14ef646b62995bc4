/** The question in the place of the composer: its subject, the warnings and the answers. */
import type { PermissionMode } from '../../src/agent/permission.ts'
import type { QuestionContent, QuestionView, SideContent } from '../../src/state/question.ts'
import type { AppState } from '../../src/state/state.ts'
import type { SlashCommand } from '../../src/state/slash.ts'
import { GAP } from '../../src/style/facts-line.ts'
import { firstLines, firstNotes } from '../../src/style/first-lines.ts'
import { drawn, empty, indented, joinStyled, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { literal, oneLine, sanitize, sanitizeExact, type SafeText } from '../../src/text/sanitize.ts'
import { shortenPath, truncate } from '../../src/text/lines/shorten.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { wrap } from '../../src/text/lines/wrap.ts'
import { composerBox } from '../composer/rows.ts'
import { describeRequest } from '../../src/tools/describe-request.ts'
import { otherLine, warningLines } from './call-facts.ts'
import {
  answerRows,
  compactRows,
  detailLines,
  windowOfAnswers,
  type AnswerRow,
  type AnswersContext,
  type QuestionContext,
} from './answers.ts'
import { contentLines } from './content.ts'
import { footLines, minorHints, type Density } from './foot.ts'

/** With this many rows a blank one always separates the answers. */
const ROOM_FOR_GAP = 16

/** `lines` replace the composer, and `below` the status line. The caret's row counts from the first of `lines`. */
export type QuestionRows = {
  lines: Styled[]
  below: Styled[]
  row: number
  column: number
  /** The rows of the content, and how many of them are visible. */
  room: { rows: number; visible: number }
}

/** The fewest rows that the answers leave to the content. */
const LEAST_CONTENT = 3

/** The most of the room for a side question, since the turn goes on above it; and rows that it always gets. */
const SIDE_SHARE = 0.75
const SIDE_ROOM = 14

/**
 * All rows of the question, at most `most`. If the content would not fit otherwise, minor answers become key hints. If there
 * is still too little room, all answers become words beside each other, so that none is out of sight.
 */
export function questionRows(
  state: AppState,
  asked: QuestionView,
  context: QuestionContext,
  most: number,
  commands: readonly SlashCommand[] = [],
): QuestionRows {
  const view = { ...asked, isArmed: asked.isArmed && state.editor.text === '' }
  const isSide = view.content.kind === 'side'
  const room = isSide ? Math.min(most, Math.max(SIDE_ROOM, Math.floor(most * SIDE_SHARE))) : most
  const { theme, columns } = context
  const title = titleLine(view, context, state.chat.permissionMode)
  const content = contentLines(view.content, title.asks, { names: state.keyNames, theme, columns })
  const laidOut = (density: Density): LaidOut => {
    const arrange = (isLong: boolean): LaidOut =>
      layOut(state, view, { ...context, commands, content, title: title.line }, room, { density, isLong })
    // The keys that scroll are named only where there is something to scroll to.
    const whole = arrange(false)
    return whole.room.visible >= whole.room.rows ? whole : arrange(true)
  }
  const all = laidOut('rows')
  if (all.showsAll && all.room.visible >= all.room.rows) return all
  const hasMinor = view.answers.some(({ isMinor }) => isMinor)
  // The key hints give way to what Enter does with a draft.
  const majors = hasMinor && state.editor.text === '' ? laidOut('majors') : all
  if (majors.showsAll && majors.room.visible >= Math.min(LEAST_CONTENT, majors.room.rows)) return majors
  return laidOut('compact')
}

/** `showsAll` is true if no answer is out of sight. */
type LaidOut = QuestionRows & { showsAll: boolean }

function layOut(
  state: AppState,
  view: QuestionView,
  context: QuestionContext & { commands: readonly SlashCommand[]; content: readonly Styled[]; title: Styled },
  room: number,
  { density, isLong }: { density: Density; isLong: boolean },
): LaidOut {
  const { theme, columns, content, title } = context
  const { keyNames } = state
  const look = { ...context, keyNames }
  const isCompact = density === 'compact'
  const draft = state.editor.text === '' ? null : composerBox(state, context, Math.max(1, Math.floor(room / 4)))
  const head = [title]
  const isTight = isCompact && room < 10
  // A user who chooses among the wider answers has just read the content, and one who types gives no answer yet.
  const hasSeen = draft !== null || view.answers.some(({ group }) => group)
  const mostNotes = Math.max(1, Math.floor(room / 4))
  const notes =
    isTight && hasSeen
      ? []
      : firstNotes(noteLines(view.content, context, mostNotes), mostNotes, columns, theme.signs.ellipsis)
  const typed = view.typed && typedLines(state, view.typed, context, Math.max(1, Math.floor(room / 4)))
  const foot = footLines(state, view, context, { room, density, isLong })
  const details = view.typed ? { lines: [], least: 0 } : detailLines(view, context, isCompact)
  const warned = Math.max(Math.min(details.least, room - 2), isCompact ? 0 : Math.floor(room / 4))
  const others = [head, notes, foot, typed?.lines ?? [], draft?.lines ?? []].reduce((sum, rows) => sum + rows.length, 0)
  const rows = view.typed ? [] : rowsOf(view, look, density)
  const least = Math.min(isTight ? (hasSeen ? 0 : 1) : LEAST_CONTENT, content.length)
  // The chosen answer stays on the screen.
  const roomForAnswers = Math.max(1, room - others - Math.min(warned, details.lines.length) - least)
  const shown = windowOfAnswers(rows, view, roomForAnswers, look)
  const shownDetails = details.lines.slice(0, Math.max(warned, isCompact ? room - others - shown.length - least : 0))
  const fixed = others + shownDetails.length
  const left = room - fixed - shown.length - content.length
  const above = left >= 2 && content.length > 0 ? [empty] : []
  const below = left >= 1 || room >= ROOM_FOR_GAP ? [empty] : []
  const beside = draft && left >= 3 ? [empty] : []
  const gaps = above.length + below.length + beside.length
  const visible = Math.max(0, Math.min(content.length, room - fixed - shown.length - gaps))
  const upper = [
    ...head,
    ...above,
    ...windowOfContent(content, view.scroll, visible, look),
    ...notes,
    ...below,
    ...(typed?.lines ?? []),
  ]
  const answers = [...shown.map(({ line }) => line), ...shownDetails]
  const size = { rows: content.length, visible }
  const hints = density === 'majors' ? minorHints(view, keyNames) : []
  const showsHints = hints.every(({ text }) => foot.some(line => line.text.includes(text)))
  const showsAll = rows.length <= roomForAnswers && showsHints
  if (draft) {
    // In the smallest terminals the draft is all that there is room for.
    const lines = [...upper, ...answers, ...beside, ...draft.lines].slice(-Math.max(1, room - foot.length))
    const row = Math.max(0, lines.length - draft.lines.length + draft.row)
    return { lines, below: foot.slice(0, room - lines.length), row, column: draft.column, room: size, showsAll }
  }
  // In the smallest terminals an answer, or the text that is typed, is all that there is room for.
  const most = typed ? room : Math.max(0, room - Math.min(1, shown.length))
  const lines = typed ? upper.slice(Math.max(0, upper.length - most)) : upper.slice(0, most)
  const at = shown.findIndex(row => row.answers.includes(view.selected))
  return {
    lines,
    below: [...answers, ...foot].slice(0, Math.max(0, room - lines.length)),
    row: typed ? Math.max(0, lines.length - typed.lines.length + typed.row) : lines.length + Math.max(0, at),
    column: typed ? typed.column : isCompact ? 0 : 2,
    room: size,
    showsAll,
  }
}

function rowsOf(view: QuestionView, look: AnswersContext, density: Density): readonly AnswerRow[] {
  if (density === 'compact') return compactRows(view, look)
  return answerRows(view, look, ({ isMinor }, index) => density === 'rows' || !isMinor || index === view.selected)
}

/** The label of a typed answer, and the rows of its text. */
function typedLines(
  state: AppState,
  { label, editor }: NonNullable<QuestionView['typed']>,
  context: QuestionContext,
  rows: number,
): { lines: Styled[]; row: number; column: number } {
  const box = composerBox({ ...state, editor }, context, rows)
  return { ...box, lines: [drawn`  ${context.theme.strong(oneLine(sanitize(label)))}`, ...box.lines], row: box.row + 1 }
}

/** The visible rows of the content. The last of them shows how many follow. */
function windowOfContent(
  content: readonly Styled[],
  scroll: number,
  visible: number,
  { theme, keyNames }: QuestionContext & { keyNames: KeyNames },
): readonly Styled[] {
  if (content.length <= visible) return content
  const from = Math.max(0, Math.min(scroll, content.length - visible))
  const rows = content.slice(from, from + visible)
  const hidden = content.length - from - visible
  const words = hidden > 0 ? `+${hidden + 1} lines${keyed(keyNames, ', {question.page_down} shows them')}` : ''
  if (words === '' || visible < 2) return rows
  return [...rows.slice(0, -1), theme.warning(drawn`    ${sanitize(words)}`)]
}

/** The columns from which the count of the questions has words: in fewer, the question itself needs the room. */
const ROOM_FOR_COUNT = 36

/** The question, and after it the mode, since the status line is covered; and the question alone as it is shown. */
function titleLine(
  { title, content }: QuestionView,
  { theme, columns }: QuestionContext,
  mode: PermissionMode | null,
): { line: Styled; asks: SafeText } {
  const count =
    content.kind === 'call' && content.others.length > 0 ? `question ${content.at} of ${content.others.length + 1}` : ''
  const isBeside = content.kind === 'side'
  const both = [
    ...(isBeside ? ['only reads'] : mode === null || content.kind === 'mode' ? [] : [`mode ${mode}`]),
    ...(count === '' ? [] : [count]),
  ]
  const whole = both.join(GAP)
  const brief = content.kind === 'call' && count !== '' ? `${content.at}/${content.others.length + 1}` : ''
  const asks = oneLine(sanitizeExact(title))
  const isRoomFor = (words: string): boolean => displayWidth(asks) + words.length + GAP.length + 2 <= columns
  const paths = content.kind === 'call' ? content.paths : []
  // A path in the title can be shortened, and other titles are cut.
  const hasRoomForCount = columns >= ROOM_FOR_COUNT && (paths.length > 0 || isRoomFor(count))
  const right = isRoomFor(whole) ? whole : hasRoomForCount ? count : brief
  const room = Math.max(1, columns - 3 - (right === '' ? 0 : right.length + 2))
  const left = truncate(oneLine(sanitizeExact(shortTitle(title, paths, room, theme))), room, theme.signs.ellipsis)
  const asked = drawn`${theme.warning(sanitize('?'))} ${theme.strong(left)}`
  const words = right === '' ? [asked] : [asked, theme.dim(sanitize(right))]
  return { line: theme.promptBand(joinStyled(words, GAP), columns), asks: left }
}

/** The title with a shorter path if it is too long: the end of a path says more than its beginning. */
function shortTitle(title: string, [path]: readonly string[], room: number, { signs }: Theme): string {
  const over = displayWidth(title) - room
  if (path === undefined || over <= 0) return title
  return title.replace(path, () => shortenPath(path, Math.max(1, displayWidth(path) - over), signs.ellipsis))
}

/** Every danger in full, or else on one row, so that the first does not hide the others. The last of `most` rows counts the rest. */
function dangerLines(
  dangers: readonly string[],
  context: QuestionContext,
  most: number,
): readonly (readonly Styled[])[] {
  const { theme, columns } = context
  const whole = dangers.map(danger => warningLines(danger, theme, columns))
  if (dangers.length < 2 || whole.flat().length <= most) return whole
  const rows = whole.flatMap(lines => firstLines(lines, 1, columns, theme.signs.ellipsis))
  const last = rows[most - 1]
  if (rows.length <= most || last === undefined) return rows.map(row => [row])
  const count = theme.warning(drawn` +${rows.length - most}`)
  const counted = drawn`${truncate(last, columns - count.width, theme.signs.ellipsis)}${count}`
  return [...rows.slice(0, most - 1), counted].map(row => [row])
}

/** The dangers of a call, the reason for the question, and the other questions that wait: much more than `most` rows are not made. */
function noteLines(content: QuestionContent, context: QuestionContext, most: number): readonly (readonly Styled[])[] {
  if (content.kind === 'side') return [sideNotes(content, context)]
  if (content.kind !== 'call') return []
  const { theme, columns } = context
  const { dangers: named, wants, reason } = describeRequest(content)
  const reasons = [...wants, reason].filter(why => why !== '').map(why => reasonLines(why, context))
  const dangers = dangerLines(named, context, most)
  const others = otherLine(content, theme, columns)
  return [...dangers, ...reasons, ...(others === null ? [] : [[others]])]
}

/** The reason on as many rows as it needs. A row that has no room for the rest ends with the sign of omitted text. */
function reasonLines(why: string, { theme, columns }: QuestionContext): Styled[] {
  const width = Math.max(2, columns - 4)
  const lines = wrap(oneLine(sanitizeExact(why)), width)
  const [last, next] = lines.slice(MOST_REASON - 1)
  const end = last !== undefined && next !== undefined ? literal`${last} ${next}` : last
  return [...lines.slice(0, MOST_REASON - 1), ...(end === undefined ? [] : [end])].map(line =>
    indented(4, theme.dim(truncate(line, width, theme.signs.ellipsis))),
  )
}

/** The most rows of a reason: a command in it can be long. */
const MOST_REASON = 3

/** The progress of a side question, on one line. */
function sideNotes({ facts }: SideContent, { theme, columns }: QuestionContext): Styled[] {
  const words = oneLine(sanitizeExact(facts.join(GAP)))
  return facts.length === 0
    ? []
    : [indented(4, theme.dim(truncate(words, Math.max(1, columns - 4), theme.signs.ellipsis)))]
}
