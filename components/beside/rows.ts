/** The subagents and commands that work beside the turn, a line each. */
import { lastLineOf, stateOfTask, taskAge, taskTitle, tokenWords } from '../../src/conversation/queries/task-words.ts'
import { workBeside } from '../../src/conversation/queries/work-beside.ts'
import type { AgentTask } from '../../src/conversation/state.ts'
import type { AppState } from '../../src/state/state.ts'
import { factsLine, type Fact } from '../../src/style/facts-line.ts'
import { drawn, indented, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { keyed } from '../../src/text/key-hints.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { type Panel, rowsOnly } from '../regions.ts'

export const beside: Panel = {
  name: 'beside',
  draw: ({ state, theme, columns }, room) => rowsOnly(besideRows(state, { theme, columns, room }), true),
  /** Those that have begun. Their ends are in the conversation. */
  spoken(before, now) {
    if (now.chat.tasks === before.chat.tasks) return []
    const begun = workBeside(now.chat).filter(({ id }) => before.chat.tasks.get(id) === undefined)
    return begun.map(task => oneLine(sanitize(`${taskTitle(task)} begins`)))
  },
}

/** The most lines, since all are drawn again below each line of an answer; and the rows of the screen for each of them. */
const MOST = 3
const ROWS_EACH = 4

type BesideLook = { theme: Theme; columns: number; room: number }

export function besideRows(
  state: Pick<AppState, 'chat' | 'now' | 'keyNames'>,
  { theme, columns, room }: BesideLook,
): readonly Styled[] {
  const { chat, now, keyNames } = state
  if (chat.tasks.size === 0) return []
  const second = Math.floor(now / 1000)
  const from = [chat.tasks, second, keyNames, theme, columns, room] as const
  if (drawnRows?.from.every((each, at) => each === from[at]) !== true)
    drawnRows = { from, rows: rowsOf(state, { theme, columns, room }) }
  return drawnRows.rows
}

/** The rows are drawn with each piece of an answer, and change once a second, or when a task reports something. */
let drawnRows: { from: readonly unknown[]; rows: readonly Styled[] } | null = null

function rowsOf(
  state: Pick<AppState, 'chat' | 'now' | 'keyNames'>,
  { theme, columns, room }: BesideLook,
): readonly Styled[] {
  const work = workBeside(state.chat)
  const most = Math.max(1, Math.min(MOST, Math.floor(room / ROWS_EACH)))
  const shown = work.length > most ? work.slice(0, Math.max(1, most - 1)) : work
  const rows = shown.map(task => taskRow(task, state.now, theme, columns))
  const more = work.length - shown.length
  if (more > 0)
    rows.push(
      indented(2, theme.dim(sanitize(keyed(state.keyNames, `+${more} more, {composer.list_running} lists them`)))),
    )
  return rows
}

function taskRow(task: AgentTask, now: number, theme: Theme, columns: number): Styled {
  const { ellipsis, newline } = theme.signs
  const asks = task.state === 'waiting'
  const sign = asks ? theme.warning(sanitize(theme.signs.waiting)) : theme.running(sanitize(theme.signs.begun))
  const room = Math.max(1, columns - 4)
  const title = oneLine(sanitize(taskTitle(task)), newline)
  const facts: Fact[] = [
    { text: oneLine(sanitize(asks ? stateOfTask.waiting : '')), rank: 0 },
    { text: sanitize(ageInSeconds(task, now)), rank: 1 },
    { text: sanitize(tokenWords(task)), rank: 2 },
  ]
  // The name keeps half of a narrow line, and the last line gets what is left.
  const beside = factsLine(facts, Math.floor(room / 2))
  const name = truncate(title, Math.max(8, room - displayWidth(beside) - 3), ellipsis)
  const used = displayWidth(name) + displayWidth(beside) + 6
  const last = oneLine(sanitize(lastLineOf(task)), newline)
  const said = room - used < LEAST_LAST ? sanitize('') : truncate(last, room - used, ellipsis)
  return drawn`  ${sign} ${name}   ${theme.dim(
    factsLine(
      [
        { text: beside, rank: 0 },
        { text: said, rank: 1 },
      ],
      room,
    ),
  )}`
}

/** Its age without tenths, which would move all the time. */
function ageInSeconds(task: AgentTask, now: number): string {
  const { startedAt } = task
  const whole = startedAt === null ? now : startedAt + Math.floor((now - startedAt) / 1000) * 1000
  return taskAge(task, whole).replace('.0s', 's')
}

/** Columns below which a last line says nothing. */
const LEAST_LAST = 12
