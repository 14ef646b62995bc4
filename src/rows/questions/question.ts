/** The question in the place of the composer: its subject, the warnings and the answers. */
import type { PermissionMode } from '../../agent/permission.ts'
import type { QuestionContent, QuestionView, SideContent } from '../../state/question.ts'
import type { AppState } from '../../state/state.ts'
import { labelled } from '../../state/composer/chips.ts'
import { fitting, GAP, type Fact } from '../../style/facts-line.ts'
import { drawn, empty, indented, spread, type Styled } from '../../style/styled.ts'
import { keyFact, keysLine, ruleLine } from '../../style/list-window.ts'
import type { Theme } from '../../style/theme.ts'
import { keyed, type KeyNames } from '../../text/key-hints.ts'
import { literal, oneLine, sanitize, sanitizeExact, type SafeText } from '../../text/sanitize.ts'
import { shortenPath, truncate, truncateStart } from '../../text/lines/shorten.ts'
import { displayWidth } from '../../text/lines/width.ts'
import { wrap } from '../../text/lines/wrap.ts'
import { composerBox } from '../composer.ts'
import { otherLine, reasonOf, warningLines } from './call-facts.ts'
import { answerLines, detailLines, keyOf, shownAnswers, type QuestionContext } from './answers.ts'
import { contentLines } from './content.ts'

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

/** All rows of the question, at most `most`. Minor answers become key hints if the content would not fit otherwise. */
export function questionRows(
  state: AppState,
  view: QuestionView,
  context: QuestionContext,
  most: number,
): QuestionRows {
  const isSide = view.content.kind === 'side'
  const room = isSide ? Math.min(most, Math.max(SIDE_ROOM, Math.floor(most * SIDE_SHARE))) : most
  const all = rowsWith(state, view, context, room, view.answers.length)
  const majors = view.answers.filter(({ hint }) => hint === undefined).length
  return all.room.visible >= all.room.rows ? all : rowsWith(state, view, context, room, majors)
}

/** The rows with the first `count` answers; the others are key hints. */
function rowsWith(
  state: AppState,
  view: QuestionView,
  context: QuestionContext,
  room: number,
  count: number,
): QuestionRows {
  const { theme, columns } = context
  const { keyNames } = state
  const content = contentLines(view.content, keyNames, theme, columns)
  const title = titleLine(view, context, state.chat.permissionMode)
  const head = room < 8 ? [title] : [ruleLine(theme, 0, columns), title]
  const notes = noteLines(view.content, context).slice(0, Math.max(1, Math.floor(room / 4)))
  const typed = view.typed && typedLines(state, view.typed, context, Math.max(1, Math.floor(room / 4)))
  const foot = footLines(state, view, context, { room, count, isLong: content.length > LEAST_CONTENT })
  const least = Math.min(LEAST_CONTENT, content.length)
  const leastTold = view.answers[view.selected]?.warning ? 1 : 0
  const told = view.typed ? [] : detailLines(view, context).slice(0, Math.max(leastTold, Math.floor(room / 4)))
  const fixed = head.length + notes.length + told.length + foot.length + (typed?.lines.length ?? 0)
  // The chosen answer stays on the screen.
  const shown = view.typed ? [] : shownAnswers(view, count, Math.max(1, room - fixed - least))
  const left = room - fixed - shown.length - content.length
  const above = left >= 2 && content.length > 0 ? [empty] : []
  const below = left >= 1 || room >= ROOM_FOR_GAP ? [empty] : []
  const gaps = above.length + below.length
  const visible = Math.max(0, Math.min(content.length, room - fixed - shown.length - gaps))
  const lines = [
    ...head,
    ...above,
    ...windowOfContent(content, view.scroll, visible, { ...context, keyNames }),
    ...notes,
    ...below,
    ...(typed?.lines ?? []),
  ]
  // In the smallest terminals an answer, or the text that is typed, is all that there is room for.
  const most = typed ? room : Math.max(0, room - Math.min(1, shown.length))
  const cut = Math.max(0, lines.length - most)
  const upper = typed ? lines.slice(cut) : lines.slice(0, most)
  const at = shown.findIndex(({ index }) => index === view.selected)
  return {
    lines: upper,
    below: [...answerLines(view, shown, { ...context, keyNames }), ...told, ...foot].slice(
      0,
      Math.max(0, room - upper.length),
    ),
    row: typed ? Math.max(0, upper.length - typed.lines.length + typed.row) : upper.length + Math.max(0, at),
    column: typed ? typed.column : 2,
    room: { rows: content.length, visible },
  }
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

/** Key hints or the hint that was given, and the draft. */
function footLines(
  state: AppState,
  view: QuestionView,
  context: QuestionContext,
  { room, count, isLong }: { room: number; count: number; isLong: boolean },
): Styled[] {
  const draft = draftLine(state, context)
  const minor = view.typed ? [] : view.answers.slice(count)
  const { keyNames } = state
  const hints = minor
    .filter(({ move }) => keyOf(move, keyNames) !== '')
    .map(({ hint = '', move }) => keyFact(`${keyOf(move, keyNames)} ${hint}`, move === 'leave' ? 0 : 1))
  const keys = [...hints, ...(view.typed ? typedKeys(view, keyNames) : keysOf(view, isLong, keyNames))]
  const lines = flowing(keys, context, hints.length > 0 ? 2 : 1)
  return [
    ...(state.hint === null ? lines : [...lines.slice(0, -1), hintLine(state.hint, context)]),
    ...(draft === null || room < 10 ? [] : [draft]),
  ]
}

/** A hint takes the place of key hints: the status line is covered. */
function hintLine(hint: string, { theme, columns }: QuestionContext): Styled {
  return indented(2, truncate(oneLine(sanitize(hint)), Math.max(1, columns - 2), theme.signs.ellipsis))
}

/** Key hints on at most `most` lines. Those that do not fit are dropped, the least important first. */
function flowing(keys: readonly Fact[], context: QuestionContext, most: number): Styled[] {
  const room = context.columns - 2
  const lines: Fact[][] = [[]]
  for (const fact of keys) {
    const last = lines.at(-1) ?? []
    const isFull = fitting([...last, fact], room).length < last.length + 1
    if (isFull && lines.length < most && last.length > 0) lines.push([fact])
    else last.push(fact)
  }
  return lines.map(line => keysLine(line, context))
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

/** The question, and at the other end the mode, since the status line is covered. */
function titleLine(
  { title, content }: QuestionView,
  { theme, columns }: QuestionContext,
  mode: PermissionMode | null,
): Styled {
  const count =
    content.kind === 'call' && content.others.length > 0 ? `question ${content.at} of ${content.others.length + 1}` : ''
  const isBeside = content.kind === 'side'
  const both = [
    ...(isBeside ? ['only reads'] : mode === null || content.kind === 'mode' ? [] : [`mode ${mode}`]),
    ...(count === '' ? [] : [count]),
  ]
  const whole = both.join(GAP)
  const asks = oneLine(sanitizeExact(title))
  const right = displayWidth(asks) + whole.length + GAP.length + 2 <= columns ? whole : count
  const room = Math.max(1, columns - 3 - (right === '' ? 0 : right.length + 2))
  const paths = content.kind === 'call' ? content.paths : []
  const left = truncate(oneLine(sanitizeExact(shortTitle(title, paths, room, theme))), room, theme.signs.ellipsis)
  return spread(drawn`${theme.warning(sanitize('?'))} ${theme.strong(left)}`, theme.dim(sanitize(right)), columns)
}

/** The title with a shorter path if it is too long: the end of a path says more than its beginning. */
function shortTitle(title: string, [path]: readonly string[], room: number, { signs }: Theme): string {
  const over = displayWidth(title) - room
  if (path === undefined || over <= 0) return title
  return title.replace(path, () => shortenPath(path, Math.max(1, displayWidth(path) - over), signs.ellipsis))
}

/** The dangers of a call, the reason for the question, and the other questions that wait. */
function noteLines(content: QuestionContent, context: QuestionContext): Styled[] {
  if (content.kind === 'side') return sideNotes(content, context)
  if (content.kind !== 'call') return []
  const { theme, columns } = context
  const why = reasonOf(content)
  const dangers = content.dangers.flatMap(danger => warningLines(danger, theme, columns))
  const others = otherLine(content, theme, columns)
  return [...dangers, ...(why === '' ? [] : reasonLines(why, context)), ...(others === null ? [] : [others])]
}

/** The reason on as many rows as it needs. A row that has no room for the rest ends with the sign of omitted text. */
function reasonLines(why: SafeText, { theme, columns }: QuestionContext): Styled[] {
  const width = Math.max(2, columns - 4)
  const lines = wrap(why, width)
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

function typedKeys({ content }: QuestionView, names: KeyNames): Fact[] {
  const leaves = content.kind === 'form' ? '{typed.question_leave}: no answer' : '{typed.question_leave} cancels'
  return [keyFact(keyed(names, '{typed.question_take} confirms'), 0), keyFact(keyed(names, leaves), 1)]
}

function keysOf({ content, answers }: QuestionView, isLong: boolean, names: KeyNames): Fact[] {
  const isCall = content.kind === 'call'
  const hasLeave = answers.some(({ move }) => move === 'leave')
  const hints: [string, number][] = [
    ['{question.up} and {question.down} choose', 5],
    ['{question.take} selects', 0],
    [isLong ? '{question.page_up}, {question.page_down} scroll' : '', 3],
    [isCall && content.others.length > 0 ? '{question.previous}, {question.next}: the others' : '', 2],
    [isCall ? '{question.next_mode} next mode' : '', 4],
    [hasLeave ? '' : `{question.leave}${LEAVES[content.kind]}`, 1],
  ]
  return hints.map(([hint, rank]) => keyFact(keyed(names, hint), rank))
}

/** The effect of leaving, after the key's name. */
const LEAVES: Readonly<Record<QuestionContent['kind'], string>> = {
  call: ' cancels',
  mode: ': ask',
  plan: ': later',
  form: ': no answer',
  side: ' closes',
}

/** The draft, whose place the question takes; null if there is none. */
function draftLine({ editor, chips }: AppState, { theme, columns }: QuestionContext): Styled | null {
  if (editor.text === '') return null
  const text = oneLine(sanitize(labelled(editor.text.slice(-LONGEST_DRAFT), chips)), theme.signs.newline)
  const label = sanitize('Kept for your next prompt: ')
  const room = Math.max(1, columns - 2 - displayWidth(label))
  // Its end is what the user types.
  return drawn`  ${theme.dim(label)}${truncateStart(text, room, theme.signs.ellipsis)}`
}

/** Characters of a draft that are looked at. */
const LONGEST_DRAFT = 1000
