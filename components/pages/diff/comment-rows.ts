/** Comments and the text field of one as rows below their lines. */
import { composerBox } from '../../composer/rows.ts'
import { placeOf } from '../../../src/review/comment-prompt.ts'
import type { ReviewComment } from '../../../src/review/comment.ts'
import { counted } from '../../../src/text/counted.ts'
import { sanitize, type SafeText } from '../../../src/text/sanitize.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { drawn, joinStyled, type Styled } from '../../../src/style/styled.ts'
import type { Theme } from '../../../src/style/theme.ts'
import type { PageCaret } from '../page-rows.ts'
import type { LinesFate } from './comment-places.ts'
import type { CommentField } from './state.ts'

export type CommentLook = { theme: Theme; width: number }

/** Rows of a comment that are shown; its text field shows the others. */
const MOST_ROWS = 12
/** Characters of it that are drawn. */
const MOST_SHOWN = 4000
/** Rows of the text field. */
const MOST_FIELD_ROWS = 8
/** Columns before the words: the bar and a blank. */
const BAR = 2
/** Columns of the mark at the current hunk. */
const MARGIN = 2

/** The columns in which the text of the field wraps, on a screen of this width. */
export function fieldWidth(columns: number): number {
  return Math.max(2, columns - MARGIN - BAR - 2)
}

export function commentLines(comment: ReviewComment, fate: LinesFate, { theme, width }: CommentLook): Styled[] {
  const bar = barOf(theme)
  const room = Math.max(2, width - BAR)
  const text = comment.text === '' ? (comment.draft ?? '') : comment.text
  const rows = wrap(sanitize(text.slice(0, MOST_SHOWN)), room)
  const isCut = rows.length > MOST_ROWS || text.length > MOST_SHOWN
  const shown = isCut ? rows.slice(0, MOST_ROWS - 1) : rows
  const left = `${theme.signs.ellipsis} ${counted(text.length, 'character')} in all`
  const isOver = comment.state === 'sent'
  const paint = (line: SafeText): Styled => (isOver ? theme.dim(line) : drawn`${line}`)
  return [
    ...wrap(headOf(comment, fate, theme), room),
    ...shown.map(paint),
    ...(isCut ? [theme.dim(sanitize(left))] : []),
  ].map(line => drawn`${bar} ${line}`)
}

function headOf(comment: ReviewComment, fate: LinesFate, theme: Theme): Styled {
  const { level } = comment
  const paint = level === 'error' ? theme.failed : level === 'warning' ? theme.warning : theme.accent
  const rest = [onLines(comment), ...stateWords(comment, fate)].filter(word => word !== '')
  return joinStyled([paint(sanitize(whoWords(comment))), ...rest.map(word => theme.dim(sanitize(word)))], ', ')
}

/** Whose comment it is; of a finding, also how serious. */
export function whoWords({ by, level }: ReviewComment): string {
  return by === 'review' ? `${level ?? 'note'}, found by the review` : 'comment'
}

/** The lines of a comment in words; '' for the one above it. */
export function onLines({ lines }: ReviewComment): string {
  if (lines === null) return 'on the file'
  return lines.from === lines.to && lines.side === 'after' ? '' : placeOf(lines)
}

const OUTCOMES = {
  changed: 'its lines have changed since',
  unchanged: 'its lines are unchanged',
  gone: 'its lines are gone',
} as const

const FATES: Readonly<Record<LinesFate, readonly string[]>> = {
  there: [],
  changed: ['its lines have changed'],
  gone: ['its lines are gone'],
  stale: ['stale: its lines are not among the changes'],
}

/** What became of a comment, and what it still needs. */
export function stateWords(comment: ReviewComment, fate: LinesFate): string[] {
  const { state, outcome, draft, text } = comment
  return [
    ...(state === 'offered' ? ['not kept yet'] : []),
    ...(state === 'draft' ? ['not finished'] : draft !== undefined && draft !== text ? ['being changed'] : []),
    ...(state === 'sent' ? [outcome === undefined ? 'sent' : `sent: ${OUTCOMES[outcome]}`] : []),
    ...(outcome === undefined ? FATES[fate] : []),
  ]
}

/** The text field, and the caret from its first row. `body` are the rows of the window. */
export function fieldBox(
  { comment, editor }: CommentField,
  { theme, width }: CommentLook,
  body: number,
): { lines: Styled[]; caret: PageCaret } {
  const bar = barOf(theme)
  const title = comment.state === 'draft' ? 'new comment' : 'comment'
  const on = comment.lines === null ? 'on the file' : placeOf(comment.lines)
  const heading = drawn`${bar} ${theme.accent(sanitize([title, on].filter(word => word !== '').join(', ')))}`
  const head = body > 2 ? [heading] : []
  const room = Math.max(1, Math.min(MOST_FIELD_ROWS, body - head.length))
  const look = { theme, columns: Math.max(4, width - BAR) }
  const box = composerBox({ editor, noting: false, vim: null, chips: noChips }, look, room, null)
  return {
    lines: [...head, ...box.lines.map(line => drawn`${bar} ${line}`)],
    caret: { x: MARGIN + BAR + box.column, y: head.length + box.row },
  }
}

const noChips: Parameters<typeof composerBox>[0]['chips'] = new Map()

function barOf(theme: Theme): Styled {
  return theme.accent(sanitize(theme.markdown.unicode ? '┃' : '|'))
}
