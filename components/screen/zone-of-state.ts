/** Makes the live zone of a state: chooses the parts that are shown, and draws their rows. */
import type { Picker } from '../../src/state/pickers/picker.ts'
import { visibleQuestion, type AppState } from '../../src/state/state.ts'
import { belowOf } from './below-composer.ts'
import { titleLine } from '../picker/picker.ts'
import { composerBox } from '../composer/rows.ts'
import { openPieces, type LiveContext } from '../turn/open-pieces.ts'
import { questionRows } from '../question/rows.ts'
import { newsLine } from '../news/rows.ts'
import { queueLine } from '../queue/rows.ts'
import { fitted, type Styled } from '../../src/style/styled.ts'
import { ruleLine } from '../../src/style/list-window.ts'
import { emptyZone, layOutZone, type LiveZone, mostComposerRows, SMALL } from './zone-layout.ts'
import { leavingLine, shellLine, workingLine } from '../working/rows.ts'

export function liveZoneOf(state: AppState, context: LiveContext): LiveZone {
  if (state.leaving === 'gone') return emptyZone
  const { theme, columns, rows } = context
  const leaving = leavingLine(state, theme, columns)
  if (leaving) {
    const [line = null] = fitted([leaving], columns, theme.signs.ellipsis)
    return { ...emptyZone, working: { ...emptyZone.working, line } }
  }
  const room = Math.max(1, rows - 1)
  const small = rows < SMALL
  const view = visibleQuestion(state)
  const question = view && questionRows(state, view, context, roomOfQuestion(state, rows), context.commands)
  const box =
    question ??
    (state.picker ? titleBox(state.picker, context, small) : composerBox(state, context, mostComposerRows(rows)))
  const under = room - box.lines.length
  const wanted = question
    ? ({ kind: 'question', rows: question.below } as const)
    : belowOf(state, context, under - (small ? 0 : 2))
  return layOutZone(
    { box, isQuestion: question !== null, below: wanted },
    context,
    left => workingPart(state, context, left, rows),
    left => openPieces(state, context, left),
  )
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
  if (!state.question) return { rows: 0, visible: 0 }
  return questionRows(state, state.question, context, roomOfQuestion(state, context.rows)).room
}

/** A blank row, the working line, the queue and news stand above a question, unless its answers need their rows. */
function roomOfQuestion({ queue, edited, news }: AppState, rows: number): number {
  const above = 3 + (queue.entries.length > 0 || edited ? 1 : 0) + (news.length > 0 ? 1 : 0)
  return Math.max(1, rows - 1) - (rows < ROOM_ABOVE ? 0 : above)
}

/** The height in rows from which on a question leaves room for what stands above it. */
const ROOM_ABOVE = 16

function workingPart(
  state: AppState,
  { theme, columns }: LiveContext,
  room: number,
  rows: number,
): LiveZone['working'] {
  let left = room
  const take = (make: typeof workingLine): Styled | null => {
    const [line] = fitted([make(state, theme, columns) ?? []].flat(), columns, theme.signs.ellipsis)
    // The blank row above them is counted first.
    left -= line === undefined ? 0 : left === room ? 2 : 1
    return line === undefined || left < 0 ? null : line
  }
  // Its key may answer a call: it must not be out of sight.
  const news = take(() => newsLine(state, theme, { columns, rows }))
  const [line, command, queue] = [take(workingLine), take(shellLine), take(queueLine)]
  return { gap: room > 0 && left < room, line, command, queue, news }
}
