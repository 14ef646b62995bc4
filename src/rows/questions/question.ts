/** The question in the place of the composer: what it is about, what to mind, and the answers. */
import type { QuestionAnswer, QuestionContent, QuestionView } from '../../state/question.ts'
import type { AppState } from '../../state/state.ts'
import { labelled } from '../../state/chips.ts'
import { factsLine, type Fact } from '../../style/facts-line.ts'
import { drawn, empty, indented, joinStyled, spread, type Styled } from '../../style/styled.ts'
import type { Theme } from '../../style/theme.ts'
import { keyFact, keysLine, ruleLine, windowStart } from '../../style/list-window.ts'
import { oneLine, sanitize, sanitizeExact, type SafeText } from '../../text/sanitize.ts'
import { truncate } from '../../text/shorten.ts'
import { displayWidth } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import { composerBox } from '../composer.ts'
import { callFacts, otherLine } from './facts.ts'
import { contentLines } from './content.ts'

export type QuestionContext = { theme: Theme; columns: number }

/** `lines` stand above, and `below` in the place of the status line. The caret's row counts from the first of all. */
export type QuestionRows = {
  lines: Styled[]
  below: Styled[]
  row: number
  column: number
  /** The rows of the content, and how many of them are visible. */
  room: { rows: number; visible: number }
}

/** The fewest rows of the content that are visible beside the answers. */
const LEAST_CONTENT = 3

/** All rows of it, at most `room`. */
export function questionRows(
  state: AppState,
  view: QuestionView,
  context: QuestionContext,
  room: number,
): QuestionRows {
  const { theme, columns } = context
  const content = contentLines(view.content, theme, columns)
  const head = room < 8 ? [titleLine(view, context)] : [ruleLine(theme, 0, columns), titleLine(view, context)]
  const notes = noteLines(view.content, context).slice(0, Math.max(1, Math.floor(room / 4)))
  const typed =
    view.typed && composerBox({ ...state, editor: view.typed.editor }, context, Math.max(1, Math.floor(room / 4)))
  const draft = draftLine(state, context)
  const keys = view.typed ? typedKeys : keysOf(view, content.length > LEAST_CONTENT)
  const foot = [keysLine(keys, context), ...(draft === null || room < 10 ? [] : [draft])]
  const least = Math.min(LEAST_CONTENT, content.length)
  const roomForAnswers = Math.max(1, room - head.length - notes.length - foot.length - least - 1)
  const answers = view.typed ? [] : answerLines(view, context, roomForAnswers)
  const typedLines = typed ? [drawn`  ${theme.strong(sanitize(view.typed?.label ?? ''))}`, ...typed.lines] : []
  const fixed = head.length + notes.length + foot.length + answers.length + typedLines.length
  const gaps = room - fixed - least >= 2 ? 1 : 0
  const visible = Math.max(0, Math.min(content.length, room - fixed - gaps))
  const shown = windowOfContent(content, view.scroll, visible, context)
  const lines = [...head, ...shown, ...notes, ...(gaps > 0 ? [empty] : []), ...typedLines]
  const at = view.selected - firstAnswer(view, roomForAnswers)
  return {
    lines,
    below: [...answers, ...foot].slice(0, Math.max(0, room - lines.length)),
    row: typed ? lines.length - typed.lines.length + typed.row : lines.length + at,
    column: typed ? typed.column : 2,
    room: { rows: content.length, visible },
  }
}

/** The visible rows of the content. The last of them says how many follow. */
function windowOfContent(
  content: readonly Styled[],
  scroll: number,
  visible: number,
  { theme }: QuestionContext,
): readonly Styled[] {
  if (content.length <= visible) return content
  const from = Math.max(0, Math.min(scroll, content.length - visible))
  const rows = content.slice(from, from + visible)
  const hidden = content.length - from - visible
  const words = hidden > 0 ? `+${hidden + 1} lines, PageDown shows them` : ''
  if (words === '' || visible < 2) return rows
  return [...rows.slice(0, -1), theme.warning(drawn`    ${sanitize(words)}`)]
}

function titleLine({ title, content }: QuestionView, { theme, columns }: QuestionContext): Styled {
  const count =
    content.kind === 'call' && content.others.length > 0 ? `${content.at} of ${content.others.length + 1}` : ''
  const right = theme.dim(sanitize(count))
  const left = truncate(
    oneLine(sanitizeExact(title)),
    Math.max(1, columns - 3 - (count === '' ? 0 : count.length + 2)),
    theme.signs.ellipsis,
  )
  return spread(drawn`${theme.warning(sanitize('?'))} ${theme.strong(left)}`, right, columns)
}

/** Where it runs, why it is asked, and what is dangerous about it. */
function noteLines(content: QuestionContent, context: QuestionContext): Styled[] {
  if (content.kind !== 'call') return []
  const { theme, columns } = context
  const facts = callFacts(content)
  const width = Math.max(2, columns - 6)
  const dangers = content.dangers.flatMap(danger =>
    wrap(oneLine(sanitizeExact(danger)), width).map(
      (line, index) => drawn`  ${theme.warning(index === 0 ? drawn`! ${line}` : drawn`  ${line}`)}`,
    ),
  )
  const others = otherLine(content, theme, columns)
  return [
    ...dangers,
    ...(facts.length === 0 ? [] : [indented(4, theme.dim(factsLine(facts, columns - 4, theme.gap)))]),
    ...(others === null ? [] : [others]),
  ]
}

function firstAnswer({ answers, selected }: QuestionView, room: number): number {
  return windowStart(answers.length, selected, room)
}

function answerLines(view: QuestionView, context: QuestionContext, room: number): Styled[] {
  const from = firstAnswer(view, room)
  return view.answers.slice(from, from + room).map((answer, index) => answerLine(answer, from + index, view, context))
}

/** `› 1  Yes   y`: the chosen row has its mark as soon as keys count. */
function answerLine(
  answer: QuestionAnswer,
  index: number,
  view: QuestionView,
  { theme, columns }: QuestionContext,
): Styled {
  const isChosen = view.isArmed && index === view.selected
  const { signs, accent, dim, selected } = theme
  const mark = isChosen ? accent(sanitize(signs.chosen)) : drawn` `
  const name = oneLine(sanitizeExact(answer.label))
  const key = keyOf(answer)
  const number = dim(sanitize(String(index + 1)))
  const room = Math.max(4, columns - 8)
  const label = truncate(name, room, signs.ellipsis)
  const painted = isChosen ? selected(label) : view.isArmed ? drawn`${label}` : dim(label)
  const behind = joinStyled(
    [key, oneLine(sanitizeExact(answer.detail))].filter(part => part !== ''),
    '   ',
  )
  const left = columns - 7 - displayWidth(label) - 3
  const detail = left < 1 || displayWidth(behind) === 0 ? empty : dim(truncate(behind, left, signs.ellipsis))
  const line = drawn`  ${mark} ${number} ${painted}`
  return detail === empty ? line : drawn`${line}   ${detail}`
}

const KEYS: Partial<Record<NonNullable<QuestionAnswer['move']>, string>> = {
  yes: 'y',
  always: 'a',
  no: 'n',
  words: 'w',
  change: 'e',
  yes_all: 'Y',
  no_all: 'N',
  leave: 'Esc',
}

function keyOf({ move }: QuestionAnswer): SafeText {
  return sanitize((move && KEYS[move]) ?? '')
}

const typedKeys: readonly Fact[] = [keyFact('Enter takes it', 0), keyFact('Esc back', 1)]

function keysOf({ content, answers }: QuestionView, isLong: boolean): Fact[] {
  const leaves = answers.some(({ move }) => move === 'leave')
    ? ''
    : content.kind === 'mode'
      ? 'Esc: ask'
      : content.kind === 'plan'
        ? 'Esc: later'
        : 'Esc back'
  return [
    keyFact('Up and Down choose', 5),
    keyFact('Enter takes it', 0),
    keyFact(isLong ? 'PageUp, PageDown scroll' : '', 3),
    keyFact(content.kind === 'call' && content.others.length > 0 ? 'Left, Right: the others' : '', 2),
    keyFact(content.kind === 'call' ? 'Shift+Tab next mode' : '', 4),
    keyFact(leaves, 1),
  ]
}

/** The draft, which has no place of its own meanwhile; null if there is none. */
function draftLine({ editor, chips }: AppState, { theme, columns }: QuestionContext): Styled | null {
  if (editor.text === '') return null
  const text = oneLine(sanitize(labelled(editor.text.slice(-LONGEST_DRAFT), chips)), theme.signs.newline)
  const label = sanitize('draft  ')
  const room = Math.max(1, columns - 2 - displayWidth(label))
  return drawn`  ${theme.dim(label)}${truncate(text, room, theme.signs.ellipsis)}`
}

const LONGEST_DRAFT = 1000
