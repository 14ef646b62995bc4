/**
 * The list of what works in this conversation: subagents, commands in the background and processes that are left, wake-ups, the side
 * question. Opens the conversation of a subagent, or the output of a command, and stops one.
 */
import type { RunningCommand } from '../../src/agent/requests.ts'
import { isAtWork, type TaskState } from '../../src/agent/task-events.ts'
import { lastLineOf, stateOfTask, taskAge, taskTitle, tokenWords } from '../../src/conversation/queries/task-words.ts'
import type { AgentTask, ChatState } from '../../src/conversation/state.ts'
import { LONGEST_NAME, taskName } from '../../src/conversation/queries/work-beside.ts'
import type { RunningPicker } from '../../src/state/pickers/picker.ts'
import { withWork, type RunningRow } from '../../src/state/pickers/running-rows.ts'
import type { AppState } from '../../src/state/state.ts'
import type { Column } from '../../src/style/columns.ts'
import type { Fact } from '../../src/style/facts-line.ts'
import { keyFact } from '../../src/style/list-window.ts'
import type { Theme } from '../../src/style/theme.ts'
import { formatDuration } from '../../src/text/format.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { aboutLines, factsLayout, rowsOf, type ListRow, type RowList } from './list.ts'
import type { PickerSpec } from './picker-spec.ts'

export const running: PickerSpec<'running'> = {
  title: () => 'running',
  size: ({ rows }) => rows.length,
  filter: picker => picker,
  rows: runningList,
  isIncomplete: ({ commands }) => commands === null,
  letters: () => 'act',
  follow(picker, event, { chat: { tasks } }) {
    if (event.type === 'side_changed') return withWork({ ...picker, side: event.side }, tasks)
    return event.type === 'conversation_folded' && event.chat.tasks !== tasks
      ? withWork(picker, event.chat.tasks)
      : picker
  },
  open: ({ runningWork }) => runningWork.open(),
  take: ({ runningWork }, { rows, selected }) => runningWork.show(rows[selected]),
  remove: ({ runningWork }, { rows, selected }) => runningWork.stop(rows[selected]),
  press: ({ runningWork }, { rows, selected }, letter) =>
    letter === 's' ? runningWork.stop(rows[selected]) : undefined,
}

export function runningList(
  { rows, selected }: RunningPicker,
  { now, hint, keyNames, chat }: Pick<AppState, 'now' | 'hint' | 'keyNames' | 'chat'>,
  theme: Theme,
): RowList {
  return {
    selected,
    ...rowsOf(rows, row => listRow(row, now, theme)),
    none: sanitize('nothing works beside the conversation'),
    layout: (shown, columns) => ({
      ...factsLayout(shown, factsOf(columns), { theme, columns }),
      about: room => (room < ROOM_FOR_ABOUT ? [] : linesAbout(rows[selected], chat, theme, columns)),
    }),
    keys: () => keysOf(rows[selected], keyNames),
    hint,
  }
}

/** With less room than this, nothing is shown below the list. */
const ROOM_FOR_ABOUT = 6

/** State, time, tokens, model. */
function factsOf(columns: number): Omit<Column<ListRow>, 'cell'>[] {
  const most = Math.floor(columns / 4)
  return [
    { rank: 0, most },
    { rank: 1, most, isNumber: true },
    { rank: 2, most, isNumber: true },
    { rank: 3, most },
  ]
}

function listRow(row: RunningRow, now: number, theme: Theme): ListRow {
  const base = { positions: [], note: sanitize('') }
  if (row.kind === 'task') {
    const name = nameIn(row.task, theme)
    // Words say more than a depth.
    return { ...base, name, depth: theme.isSpoken ? 0 : row.depth, facts: taskFacts(row.task, now) }
  }
  const { text, facts } = row.kind === 'side' ? sideWords(row.side) : commandWords(row.command, now)
  return {
    ...base,
    name: oneLine(sanitize(text), theme.signs.newline),
    depth: 0,
    facts: facts.map(fact => oneLine(sanitize(fact))),
  }
}

function nameIn(task: AgentTask, theme: Theme): ListRow['name'] {
  const { signs } = theme
  const table: Partial<Record<TaskState, string>> = {
    running: signs.begun,
    waiting: '?',
    failed: signs.failed,
    stopped: signs.failed,
  }
  const sign = theme.isSpoken ? '' : `${table[task.state] ?? signs.done} `
  return oneLine(sanitize(`${sign}${taskTitle(task)}`), signs.newline)
}

function taskFacts(task: AgentTask, now: number): ListRow['facts'] {
  return [
    task.kind === 'wakeup' && isAtWork(task) ? dueWords(task.dueAt, now) : stateOfTask[task.state],
    taskAge(task, now),
    tokenWords(task),
    task.model.slice(0, LONGEST_NAME),
  ].map(fact => oneLine(sanitize(fact)))
}

function dueWords(dueAt: number | null, now: number): string {
  return dueAt === null ? 'waits' : dueAt <= now ? 'due' : `in ${formatDuration(dueAt - now)}`
}

type RowWords = { text: string; facts: readonly string[] }

function commandWords({ command, callId, startedAt, pid }: RunningCommand, now: number): RowWords {
  const place = callId === null ? 'left in the background' : 'runs now'
  return { text: command, facts: [place, formatDuration(Math.max(0, now - startedAt)), '', String(pid)] }
}

function sideWords({ question, isRunning, model }: Extract<RunningRow, { kind: 'side' }>['side']): RowWords {
  return { text: `side question: ${question}`, facts: [isRunning ? 'working' : 'answered', '', '', model] }
}

function linesAbout(
  row: RunningRow | undefined,
  { tasks }: ChatState,
  theme: Theme,
  columns: number,
): ReturnType<typeof aboutLines> {
  if (!row) return []
  const look = { theme, columns }
  if (row.kind === 'side') return aboutLines([['last', row.side.lastLine]], BESIDE, look)
  // A narrow screen cuts the name off.
  if (row.kind === 'command') return aboutLines([['command', row.command.command]], BESIDE, look)
  const { task } = row
  const parent = task.parent === null ? undefined : tasks.get(task.parent)
  const by = parent && theme.isSpoken ? taskName(parent) : ''
  return aboutLines(
    [
      ['task', taskTitle(task)],
      ['of', by],
      ['last', lastLineOf(task)],
    ],
    BESIDE,
    look,
  )
}

/** Columns before the texts about a row. */
const BESIDE = 15

function keysOf(row: RunningRow | undefined, names: KeyNames): Fact[] {
  const opens = row?.kind === 'task' && row.task.kind === 'subagent' ? 'opens its conversation' : 'shows its output'
  const isStoppable =
    row?.kind === 'command' || (row?.kind === 'task' && ((row.task.canStop && isAtWork(row.task)) || row.pid !== null))
  return [
    keyFact(row ? keyed(names, `{picker.take} ${row.kind === 'side' ? 'shows the answer' : opens}`) : '', 0),
    keyFact(isStoppable ? 's stops' : '', 1),
    keyFact(keyed(names, '{picker.close} closes'), 2),
  ]
}
