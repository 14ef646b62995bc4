/** The agent's question: the call in the place of the composer, and the answers below. */
import { isAsked } from '../../src/conversation/queries/silence.ts'
import { takesKeys, visibleQuestion, type AppState } from '../../src/state/state.ts'
import { keyed } from '../../src/text/key-hints.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { enterWords } from '../composer/enter-words.ts'
import type { LiveFrame } from '../live-frame.ts'
import { type Panel, type PanelFrame } from '../regions.ts'
import { spokenQuestion } from './spoken.ts'
import { questionRows, type QuestionRows } from './rows.ts'

export const question: Panel<LiveFrame> = {
  name: 'question',
  draw(frame) {
    const shown = shownIn(frame)
    return shown && { pieces: [{ rows: shown.lines }], caret: { row: shown.row, column: shown.column } }
  },
  /** The question, when it changes; and the effect of Enter, when something is typed while it waits. */
  spoken(before, now, { commands }) {
    const [was, is] = [before, now].map(visibleQuestion)
    const takes = takesKeys(now)
    if (is === was && takes === takesKeys(before)) return []
    const lines = spokenQuestion(
      was ? { ...was, isArmed: takesKeys(before) } : null,
      is ? { ...is, isArmed: takes } : null,
      now.keyNames,
    )
    if (!is || now.editor.text === '' || before.editor.text !== '') return lines
    const { words } = enterWords(now, commands)
    return [...lines, oneLine(sanitize(keyed(now.keyNames, `{composer.submit} ${words}`)))]
  },
}

/** The answers; nothing else is below a question, even if it has none. */
export const answers: Panel<LiveFrame> = {
  name: 'answers',
  draw(frame) {
    const shown = shownIn(frame)
    return shown && { pieces: [{ rows: shown.below }] }
  },
}

const known = new WeakMap<LiveFrame, QuestionRows | null>()

/** The visible question, drawn once for both panels. */
function shownIn(frame: LiveFrame): QuestionRows | null {
  const done = known.get(frame)
  if (done !== undefined) return done
  const view = visibleQuestion(frame.state)
  const rows = view && questionRows(frame.state, view, frame, roomOf(frame.state, frame.rows), frame.commands)
  known.set(frame, rows)
  return rows
}

/** The rows of the open question's content, and how many of them are visible. */
export function questionRoom(frame: PanelFrame): QuestionRows['room'] {
  const { state } = frame
  if (!state.question) return { rows: 0, visible: 0 }
  return questionRows(state, state.question, frame, roomOf(state, frame.rows)).room
}

/** A blank row, and what goes on below another one, stand above a question, unless its answers need their rows. */
function roomOf({ chat, steers, queue, edited, news }: AppState, rows: number): number {
  const waits = queue.entries.length > 0 || edited !== null
  const ongoing = [!isAsked(chat), steers.length > 0, waits, news.length > 0].filter(Boolean).length
  return Math.max(1, rows - 1) - (rows < ROOM_ABOVE ? 0 : 1 + (ongoing > 0 ? 1 + ongoing : 0))
}

/** The height in rows from which on a question leaves room for what stands above it. */
const ROOM_ABOVE = 16
