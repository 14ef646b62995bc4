/** The answers to a question: a row each, and the rest of the chosen one. */
import type { QuestionAnswer, QuestionView } from '../../src/state/question.ts'
import { drawn, empty, indented, joinStyled, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { firstLines } from '../../src/style/first-lines.ts'
import { windowStart } from '../../src/style/list-window.ts'
import { keyed, keyName, type KeyNames } from '../../src/text/key-hints.ts'
import { oneLine, sanitize, sanitizeExact, type SafeText } from '../../src/text/sanitize.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { trimEndOf } from '../../src/text/styled.ts'
import { displayWidth, padTo } from '../../src/text/lines/width.ts'
import { wrap } from '../../src/text/lines/wrap.ts'
import { warningLines } from './call-facts.ts'

export type QuestionContext = { theme: Theme; columns: number }

export type AnswersContext = QuestionContext & { keyNames: KeyNames }

/** A row, and the places of the answers that it shows; a heading shows none. */
export type AnswerRow = { line: Styled; answers: readonly number[] }

/** A row for each answer that `isShown`, with their keys in one column, below the headings of their groups. */
export function answerRows(
  view: QuestionView,
  context: AnswersContext,
  isShown: (answer: QuestionAnswer, index: number) => boolean,
): AnswerRow[] {
  const keys = view.answers.map(({ move }) => displayWidth(keyOf(move, context.keyNames)))
  const widths = {
    label: labelWidth(view, context),
    key: hasKeys(view.answers) ? Math.max(LEAST_KEY, ...keys) : 0,
  }
  return view.answers.flatMap((answer, index) =>
    isShown(answer, index)
      ? [
          ...headingOf(view, index, answer.group?.label, context, 4),
          ...answerLines({ answer, index }, view, widths, context).map((line, row) => ({
            line,
            answers: row === 0 ? [index] : [],
          })),
        ]
      : [],
  )
}

/** As many answers on each row as fit, in a word or two with their keys or numbers: `›y yes  n no`. */
export function compactRows(view: QuestionView, context: AnswersContext): AnswerRow[] {
  const { theme, columns, keyNames } = context
  const gap = columns < WIDE ? 0 : 1
  const rows: { parts: Styled[]; answers: number[]; width: number }[] = []
  const done: AnswerRow[] = []
  const flush = (): void => {
    const made = rows.splice(0)
    done.push(...made.map(({ parts, answers }) => ({ line: joinStyled(parts, ' '.repeat(gap)), answers })))
  }
  for (const [index, answer] of view.answers.entries()) {
    const heading = headingOf(view, index, answer.group?.short, context, 1)
    if (heading.length > 0) {
      flush()
      done.push(...heading)
    }
    const part = compactAnswer(answer, index, view, context)
    const width = displayWidth(part)
    const last = rows.at(-1)
    if (last && last.width + gap + width <= columns) {
      last.parts.push(part)
      last.answers.push(index)
      last.width += gap + width
    } else rows.push({ parts: [part], answers: [index], width })
  }
  flush()
  return done

  function compactAnswer(answer: QuestionAnswer, index: number, of: QuestionView, look: AnswersContext): Styled {
    const isChosen = of.isArmed && index === of.selected
    const key = keyOf(answer.move, keyNames)
    const name = key === '' ? sanitize(String(index + 1)) : key
    const room = Math.max(1, look.columns - displayWidth(name) - 2)
    const word = truncate(oneLine(sanitizeExact(answer.short ?? answer.label)), room, theme.signs.ellipsis)
    const mark = isChosen ? theme.accent(sanitize(theme.signs.chosen)) : drawn` `
    const painted = isChosen ? theme.selected(word) : of.isArmed ? drawn`${word}` : theme.dim(word)
    return drawn`${mark}${theme.dim(name)} ${painted}`
  }
}

/** Columns from which on answers in one row have a wider gap. */
const WIDE = 40

/** The heading of the group that begins with this answer, marked if the answers have a warning; none within a group. */
function headingOf(
  { answers }: QuestionView,
  index: number,
  words: string | undefined,
  { theme, columns }: QuestionContext,
  indent: number,
): AnswerRow[] {
  const answer = answers[index]
  if (words === undefined || answers[index - 1]?.group?.label === answer?.group?.label) return []
  const warns = answer?.warning ? drawn` ${theme.warning(sanitize('!'))}` : empty
  const room = Math.max(1, columns - indent - displayWidth(warns))
  const line = drawn`${truncate(oneLine(sanitizeExact(words)), room, theme.signs.ellipsis)}${warns}`
  return [{ line: indented(indent, line), answers: [] }]
}

/** At most `room` rows around the chosen answer. If rows are missing, the last one says how many answers are. */
export function windowOfAnswers(
  rows: readonly AnswerRow[],
  { answers, selected }: QuestionView,
  room: number,
  { theme, columns, keyNames }: AnswersContext,
): readonly AnswerRow[] {
  if (rows.length <= room) return rows
  const at = Math.max(
    0,
    rows.findIndex(row => row.answers.includes(selected)),
  )
  if (room < 2) return rows.slice(at, at + Math.max(0, room))
  const from = windowStart(rows.length, at, room - 1)
  const shown = rows.slice(from, from + room - 1)
  const missing = answers.length - shown.flatMap(row => row.answers).length
  if (missing === 0) return shown
  const words = sanitize(`+${missing} more${keyed(keyNames, ', {question.up} and {question.down}')}`)
  const line = indented(2, theme.dim(truncate(words, Math.max(1, columns - 2), theme.signs.ellipsis)))
  return [...shown, { line, answers: [] }]
}

function labelWidth({ answers }: QuestionView, { columns }: QuestionContext): number {
  const most = mostOfLabel(answers, columns)
  return answers.reduce((width, answer) => {
    const label = oneLine(sanitizeExact(shownLabel(answer, most)))
    return Math.max(width, Math.min(most, displayWidth(label)))
  }, 0)
}

const mostOfLabel = (answers: readonly QuestionAnswer[], columns: number): number =>
  Math.max(8, Math.floor(columns * (hasKeys(answers) ? 0.7 : 0.5)))

/** The label, or its short form instead of a part of it. Unsanitised. */
function shownLabel({ label, short, isWhole = false }: QuestionAnswer, most: number): string {
  return short !== undefined && !isWhole && displayWidth(oneLine(sanitizeExact(label))) > most ? short : label
}

const hasKeys = (answers: readonly QuestionAnswer[]): boolean => answers.some(({ move }) => move !== null)

/** The columns of a label with nothing after it. */
const aloneWidth = ({ columns }: Pick<QuestionContext, 'columns'>): number => Math.max(4, columns - 8)

/** Whether so many rows hold the label. */
const fitsIn = (label: string, rows: number, width: number): boolean =>
  fits(label, width) || (rows > 1 && wrap(oneLine(sanitizeExact(label)), width).length <= rows)

const fits = (text: string, width: number): boolean => displayWidth(oneLine(sanitizeExact(text))) <= width

/**
 * The warning of the chosen answer, which fills the first `least` rows, and whatever of the answer its row has no room for,
 * since the meaning of a grant must not be cut. All answers get as many rows, so that nothing moves. None for answers
 * with keys, whose details are unimportant.
 */
export function detailLines(
  view: QuestionView,
  context: QuestionContext,
  isCompact: boolean,
): { lines: Styled[]; least: number } {
  const { columns, theme } = context
  const { answers, selected } = view
  const room = columns - 6 - labelWidth(view, context) - 3
  if (hasKeys(answers)) return { lines: [], least: 0 }
  const all = answers.map(({ label, short = label, isWhole = false, detail, warning, group }) => {
    const isHeaded = group === undefined || (isCompact ? group.short === group.label : fits(group.label, columns - 6))
    const isNamed = isCompact
      ? short === label && fits(label, columns - 4)
      : fitsIn(label, isWhole ? LABEL_ROWS : 1, detail === '' ? aloneWidth(context) : labelWidth(view, context))
    const isShown = detail === '' || (!isCompact && fits(detail, room))
    const words = [...(isHeaded ? [] : [group.label]), ...(isNamed ? [] : [label]), ...(isShown ? [] : [detail])]
    const rest = words.length === 0 ? [] : wrap(oneLine(sanitizeExact(words.join(': '))), Math.max(2, columns - 6))
    const warned = warning ? warningLines(warning, theme, columns) : []
    return { lines: warned.concat(rest.map(line => indented(6, theme.dim(line)))), least: warned.length }
  })
  const rows = Math.max(0, ...all.map(({ lines }) => lines.length))
  const { lines = [], least = 0 } = all[selected] ?? {}
  return { lines: Array.from({ length: rows }, (_, row) => lines[row] ?? empty), least }
}

/** `› 1 Yes   y`: the chosen row is marked as soon as keys are accepted. Below it the rest of a whole label. */
function answerLines(
  { answer, index }: { answer: QuestionAnswer; index: number },
  view: QuestionView,
  { label: width, key: keyWidth }: { label: number; key: number },
  { theme, columns, keyNames }: AnswersContext,
): Styled[] {
  const isChosen = view.isArmed && index === view.selected
  const { signs, accent, dim, selected } = theme
  const mark = isChosen ? accent(sanitize(signs.chosen)) : drawn` `
  const key = keyOf(answer.move, keyNames)
  const detail = oneLine(sanitizeExact(answer.detail))
  const alone = displayWidth(key) === 0 && displayWidth(detail) === 0
  const most = alone ? aloneWidth({ columns }) : mostOfLabel(view.answers, columns)
  const shown = oneLine(sanitizeExact(shownLabel(answer, most)))
  const room = alone ? most : width
  const paint = (part: SafeText): Styled => (isChosen ? selected(part) : view.isArmed ? drawn`${part}` : dim(part))
  const parts = answer.isWhole ? wrap(shown, room) : [shown]
  const painted = firstLines(parts.map(paint), LABEL_ROWS, room, signs.ellipsis)
  const label = truncate(painted[0] ?? empty, room, signs.ellipsis)
  const line = drawn`  ${mark} ${dim(sanitize(String(index + 1)))} ${label}`
  const below = painted.slice(1).map(part => indented(6, part))
  const behind = joinStyled(
    [padTo(key, keyWidth), detail].filter(part => part.trim() !== ''),
    '  ',
  )
  const left = columns - 6 - width - 3
  if (left < 1 || displayWidth(behind) === 0) return [line, ...below]
  // A beginning of only a few letters is useless.
  const ending = displayWidth(behind) > left && left < LEAST_DETAIL ? drawn`${key}` : behind
  const gap = sanitize(' '.repeat(width - displayWidth(label) + 3))
  return [trimEndOf(drawn`${line}${gap}${dim(truncate(ending, left, signs.ellipsis))}`), ...below]
}

/** The most rows of a whole label. */
const LABEL_ROWS = 4

/** The fewest columns in which the beginning of a detail is shown. */
const LEAST_DETAIL = 16

/** The fewest columns of the keys. */
const LEAST_KEY = 3

/** The key that gives an answer in addition to its number; '' for none. */
export function keyOf(move: QuestionAnswer['move'], names: KeyNames): SafeText {
  return sanitize((move && keyName(names, `question.${move}`)) ?? '')
}
