/**
 * The live zone: everything below the scrollback, which still changes. It is always lower than the terminal, because a taller
 * one would leave copies in the scrollback. Rows that do not fit become `+N`.
 */
import type { Picker } from '../state/pickers/picker.ts'
import { visibleQuestion, type AppState } from '../state/state.ts'
import { belowOf, cutBelow, rowsOfBelow, type BelowComposer } from './below-composer.ts'
import { titleLine } from './pickers/picker.ts'
import { composerBox } from './composer.ts'
import { heightOf, heights, openPieces, type LiveContext, type OpenPiece } from './open-pieces.ts'
import { questionRows } from './questions/question.ts'
import { queueLine } from './status.ts'
import { empty, fitted, type Styled } from '../style/styled.ts'
import { ruleLine } from '../style/list-window.ts'
import { leavingLine, shellLine, workingLine } from './working.ts'

/** The live zone, cut to its size. Unchanged parts are the same objects as in the last frame. */
export type LiveZone = {
  open: readonly OpenPiece[]
  working: {
    gap: boolean
    line: Styled | null
    /** The same for the user's own command. */
    command: Styled | null
    queue: Styled | null
  }
  /** The composer, or the question in its place. */
  composer: { kind: 'composer' | 'question'; gap: boolean; rows: readonly Styled[] }
  below: BelowComposer | null
  /** The caret's place in the live zone, from its upper left corner. */
  cursor: { x: number; y: number }
}

/** All rows of the live zone from the top, as its components draw them. */
export function linesOfLive({ open, working, composer, below }: LiveZone): Styled[] {
  const parts = [...open, { gap: working.gap, rows: workingRows(working) }, composer]
  return [...parts.flatMap(withGap), ...(below ? rowsOfBelow(below) : [])]
}

function withGap({ gap, rows }: Pick<OpenPiece, 'gap' | 'rows'>): readonly Styled[] {
  return gap ? [empty, ...rows] : rows
}

export function workingRows({ line, command, queue }: LiveZone['working']): Styled[] {
  return [line, command, queue].filter(row => row !== null)
}

/** The height below which only the composer and the status fit. */
const SMALL = 8

export function liveZone(state: AppState, context: LiveContext): LiveZone {
  if (state.leaving === 'gone') return nothing
  const { theme, columns, rows } = context
  const { ellipsis } = theme.signs
  const leaving = leavingLine(state, theme, columns)
  if (leaving) {
    const [line = null] = fitted([leaving], columns, ellipsis)
    return { ...nothing, working: { ...nothing.working, line } }
  }
  const room = Math.max(1, rows - 1)
  const small = rows < SMALL
  const view = visibleQuestion(state)
  // A blank row and the working line stand above a question.
  const question = view && questionRows(state, view, context, small ? room : room - 3)
  const box =
    question ??
    (state.picker
      ? titleBox(state.picker, context, small)
      : composerBox(state, context, Math.max(1, Math.floor(rows / 3))))
  const under = room - box.lines.length
  const wanted = question
    ? ({ kind: 'question', rows: question.below } as const)
    : belowOf(state, context, under - (small ? 0 : 2))
  const below = cutBelow(wanted, { columns, room: under, ellipsis })
  const belowCount = below ? rowsOfBelow(below).length : 0
  let left = room - box.lines.length - belowCount
  // At least one line separates the composer from the scrollback.
  const gap = left > 0
  left -= gap ? 1 : 0
  const working = small ? nothing.working : workingPart(state, context, left)
  const workingHeight = heightOf({ gap: working.gap, rows: workingRows(working) })
  left -= workingHeight
  const open = small ? [] : openPieces(state, context, left)
  const above = heights(open) + workingHeight + (gap ? 1 : 0)
  return {
    open,
    working,
    composer: { kind: question ? 'question' : 'composer', gap, rows: fitted(box.lines, columns) },
    below,
    cursor: { x: Math.min(box.column, columns - 1), y: above + box.row },
  }
}

/** The composer's part of an open list: its title and its filter, below a rule. */
function titleBox(picker: Picker, context: LiveContext, small: boolean): ReturnType<typeof composerBox> {
  const { line, column } = titleLine(picker, context)
  const lines = small ? [line] : [ruleLine(context.theme, 0, context.columns), line]
  return { lines, row: lines.length - 1, column }
}

/** The rows of the open question's content, and how many of them are visible. */
export function questionRoom(
  state: AppState,
  context: Pick<LiveContext, 'theme' | 'columns' | 'rows'>,
): { rows: number; visible: number } {
  const room = Math.max(1, context.rows - 1)
  const own = context.rows < SMALL ? room : room - 3
  return state.question ? questionRows(state, state.question, context, own).room : { rows: 0, visible: 0 }
}

const nothing: LiveZone = {
  open: [],
  working: { gap: false, line: null, command: null, queue: null },
  composer: { kind: 'composer', gap: false, rows: [] },
  below: null,
  cursor: { x: 0, y: 0 },
}

function workingPart(state: AppState, { theme, columns }: LiveContext, room: number): LiveZone['working'] {
  let left = room
  const take = (make: typeof workingLine): Styled | null => {
    const [line] = fitted([make(state, theme, columns) ?? []].flat(), columns, theme.signs.ellipsis)
    // The blank row above them is counted first.
    left -= line === undefined ? 0 : left === room ? 2 : 1
    return line === undefined || left < 0 ? null : line
  }
  const [line, command, queue] = [take(workingLine), take(shellLine), take(queueLine)]
  return { gap: room > 0 && left < room, line, command, queue }
}
