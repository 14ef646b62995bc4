/** The answers to a question: a row each, and the rest of the chosen one. */
import type { QuestionAnswer, QuestionView } from '../../state/question.ts'
import { drawn, empty, indented, joinStyled, type Styled } from '../../style/styled.ts'
import type { Theme } from '../../style/theme.ts'
import { windowStart } from '../../style/list-window.ts'
import { keyName, type KeyNames } from '../../text/key-hints.ts'
import { oneLine, sanitize, sanitizeExact, type SafeText } from '../../text/sanitize.ts'
import { truncate } from '../../text/lines/shorten.ts'
import { trimEndOf } from '../../text/styled.ts'
import { displayWidth, padTo } from '../../text/lines/width.ts'
import { wrap } from '../../text/lines/wrap.ts'
import { warningLines } from './call-facts.ts'

export type QuestionContext = { theme: Theme; columns: number }

type ShownAnswer = { answer: QuestionAnswer; index: number }

/** The answers that fit, around the chosen one. */
export function shownAnswers({ answers, selected }: QuestionView, count: number, room: number): ShownAnswer[] {
  const all = answers.map((answer, index) => ({ answer, index }))
  const rows = all.filter(({ index }) => index < count || index === selected)
  const from = windowStart(
    rows.length,
    rows.findIndex(({ index }) => index === selected),
    room,
  )
  return rows.slice(from, from + room)
}

/** The answers with their keys in one column. */
export function answerLines(
  view: QuestionView,
  shown: readonly ShownAnswer[],
  context: QuestionContext & { keyNames: KeyNames },
): Styled[] {
  const keys = view.answers.map(({ move }) => displayWidth(keyOf(move, context.keyNames)))
  const widths = {
    label: labelWidth(view, context),
    key: hasKeys(view.answers) ? Math.max(LEAST_KEY, ...keys) : 0,
  }
  return shown.map(row => answerLine(row, view, widths, context))
}

function labelWidth({ answers }: QuestionView, { columns }: QuestionContext): number {
  const most = Math.max(8, Math.floor(columns * (hasKeys(answers) ? 0.7 : 0.5)))
  return answers.reduce((width, { label }) => Math.max(width, Math.min(most, displayWidth(sanitize(label)))), 0)
}

const hasKeys = (answers: readonly QuestionAnswer[]): boolean => answers.some(({ move }) => move !== null)

/** The columns of a label with nothing after it. */
const aloneWidth = ({ columns }: Pick<QuestionContext, 'columns'>): number => Math.max(4, columns - 8)

/**
 * The warning of the chosen answer, and the part of it that does not fit into its row, since the meaning of a grant must
 * not be cut. All answers get as many rows, so that nothing moves. None for answers with keys, whose details are
 * unimportant.
 */
export function detailLines(view: QuestionView, context: QuestionContext): Styled[] {
  const { columns, theme } = context
  const { answers, selected } = view
  const room = columns - 6 - labelWidth(view, context) - 3
  if (hasKeys(answers)) return []
  const all = answers.map(({ label, detail, warning }) => {
    const isCut = detail !== '' && displayWidth(oneLine(sanitizeExact(detail))) > room
    const most = detail === '' ? aloneWidth(context) : labelWidth(view, context)
    const isNamed = displayWidth(oneLine(sanitizeExact(label))) <= most
    const words = [...(isNamed ? [] : [label]), ...(isCut ? [detail] : [])].join(': ')
    const rest = words === '' ? [] : wrap(oneLine(sanitizeExact(words)), Math.max(2, columns - 6))
    const warned = warning ? warningLines(warning, theme, columns) : []
    return warned.concat(rest.map(line => indented(6, theme.dim(line))))
  })
  const rows = Math.max(0, ...all.map(lines => lines.length))
  const chosen = all[selected] ?? []
  return Array.from({ length: rows }, (_, row) => chosen[row] ?? empty)
}

/** `› 1 Yes   y`: the chosen row is marked as soon as keys are accepted. */
function answerLine(
  { answer, index }: ShownAnswer,
  view: QuestionView,
  { label: width, key: keyWidth }: { label: number; key: number },
  { theme, columns, keyNames }: QuestionContext & { keyNames: KeyNames },
): Styled {
  const isChosen = view.isArmed && index === view.selected
  const { signs, accent, dim, selected } = theme
  const mark = isChosen ? accent(sanitize(signs.chosen)) : drawn` `
  const key = keyOf(answer.move, keyNames)
  const detail = oneLine(sanitizeExact(answer.detail))
  const alone = displayWidth(key) === 0 && displayWidth(detail) === 0
  const label = truncate(oneLine(sanitizeExact(answer.label)), alone ? aloneWidth({ columns }) : width, signs.ellipsis)
  const painted = isChosen ? selected(label) : view.isArmed ? drawn`${label}` : dim(label)
  const line = drawn`  ${mark} ${dim(sanitize(String(index + 1)))} ${painted}`
  const behind = joinStyled(
    [padTo(key, keyWidth), detail].filter(part => part.trim() !== ''),
    '  ',
  )
  const left = columns - 6 - width - 3
  if (left < 1 || displayWidth(behind) === 0) return line
  // A beginning of only a few letters is useless.
  const told = displayWidth(behind) > left && left < LEAST_DETAIL ? drawn`${key}` : behind
  const gap = sanitize(' '.repeat(width - displayWidth(label) + 3))
  return trimEndOf(drawn`${line}${gap}${dim(truncate(told, left, signs.ellipsis))}`)
}

/** The fewest columns in which the beginning of a detail is shown. */
const LEAST_DETAIL = 16

/** The fewest columns of the keys. */
const LEAST_KEY = 3

/** The key that gives an answer in addition to its number; '' for none. */
export function keyOf(move: QuestionAnswer['move'], names: KeyNames): SafeText {
  return sanitize((move && keyName(names, `question.${move}`)) ?? '')
}
