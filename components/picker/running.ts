/**
 * The list of what works in this conversation: subagents, commands in the background and processes that are left, wake-ups, the side
 * question. Opens the conversation of a subagent, or the output of a command, and stops one.
 */
import type { RunningCommand } from '../../src/agent/requests.ts'
import type { TaskState } from '../../src/agent/task-events.ts'
import type { PickerApp } from '../../src/app/pickers/pickers.ts'
import { lastCall } from '../../src/conversation/calls/nesting.ts'
import {
  lastLineOf,
  stateOfTask,
  taskAge,
  taskName,
  taskTitle,
  tokenWords,
} from '../../src/conversation/queries/task-words.ts'
import type { ToolCall } from '../../src/conversation/part.ts'
import type { AgentTask, ChatState } from '../../src/conversation/state.ts'
import { isAtWork } from '../../src/conversation/task-list.ts'
import { readRegularFileEndSync } from '../../src/platform/regular-file.ts'
import { openPicker, type RunningPicker } from '../../src/state/pickers/picker.ts'
import { runningRows, type RunningRow } from '../../src/state/pickers/running-rows.ts'
import type { AppState } from '../../src/state/state.ts'
import type { Column } from '../../src/style/columns.ts'
import type { Fact } from '../../src/style/facts-line.ts'
import { keyFact } from '../../src/style/list-window.ts'
import type { Theme } from '../../src/style/theme.ts'
import { formatBytes, formatDuration } from '../../src/text/format.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { sentence } from '../../src/text/sentence.ts'
import { resultText } from '../../src/tools/result.ts'
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
    if (event.type === 'side_changed') return withRows({ ...picker, side: event.side }, tasks)
    return event.type === 'conversation_folded' && event.chat.tasks !== tasks
      ? withRows(picker, event.chat.tasks)
      : picker
  },
  open: app => void open(app),
  take,
  remove: stop,
  press: (app, picker, letter) => (letter === 's' ? stop(app, picker) : undefined),
}

/** The list with the current rows. The same one stays selected. */
function withRows(picker: RunningPicker, tasks: ChatState['tasks']): RunningPicker {
  const { side, commands, selected } = picker
  const rows = runningRows({ tasks, commands: commands ?? [], side })
  const was = picker.rows[selected]?.id
  const same = rows.findIndex(({ id }) => id === was)
  return { ...picker, rows, selected: same < 0 ? Math.max(0, Math.min(selected, rows.length - 1)) : same }
}

/** Milliseconds after which the agent's commands are listed again while the list is open. */
const AGAIN = 2000

async function open({ context }: PickerApp): Promise<void> {
  const { state, dispatch, hint, backend } = context
  const { side, chat } = state()
  const empty = { kind: 'running', filter: '', selected: 0, rows: [], commands: null, side } as const
  const isKnown = chat.tasks.size > 0 || side !== null
  // What is known at once is shown at once.
  if (isKnown) dispatch({ type: 'picker_changed', picker: withRows(empty, chat.tasks) })
  const commands = await backend.listRunning()
  if (!isKnown && commands.length === 0)
    return hint('The agent has no commands running, and left none in the background. It has no subagents.')
  if (!isKnown && state().picker === null) dispatch({ type: 'picker_changed', picker: withRows(empty, chat.tasks) })
  takeIn(commands)

  function takeIn(listed: readonly RunningCommand[]): void {
    const picker = openPicker(state().picker, 'running')
    if (!picker) return
    const isSame = picker.commands?.map(({ pid }) => pid).join(' ') === listed.map(({ pid }) => pid).join(' ')
    if (!isSame)
      dispatch({ type: 'picker_changed', picker: withRows({ ...picker, commands: listed }, state().chat.tasks) })
    setTimeout(() => void again(), AGAIN).unref()
  }

  async function again(): Promise<void> {
    if (openPicker(state().picker, 'running')) takeIn(await backend.listRunning())
  }
}

function take(app: PickerApp, { rows, selected }: RunningPicker): void {
  const { context, pages, turns } = app
  const row = rows[selected]
  if (!row) return
  if (row.kind === 'side') {
    context.dispatch({ type: 'picker_changed', picker: null })
    return turns.command('btw')
  }
  if (row.kind === 'task' && (row.task.kind === 'subagent' || row.task.chat))
    return pages.open('transcript', { task: row.task.id })
  showOutput(app, row)
}

/** Bytes read of the end of a command's output. */
const MOST_OUTPUT = 256 * 1024

function showOutput({ context, pages }: PickerApp, row: Exclude<RunningRow, { kind: 'side' }>): void {
  const { hint, state, host } = context
  const [title, callId, path] =
    row.kind === 'task'
      ? [taskTitle(row.task), row.task.callId, row.task.outputPath]
      : [row.command.command, row.command.callId, null]
  // The file is on the machine of the agent.
  const bytes = path === null || host?.remote ? null : readRegularFileEndSync(path, MOST_OUTPUT)
  const isCut = bytes?.length === MOST_OUTPUT
  const written = bytes && `${isCut ? `The last ${formatBytes(MOST_OUTPUT)}:\n\n` : ''}${bytes.toString('utf8')}`
  const text = written ?? outputOf(callId === null ? null : callIn(state().chat, callId))
  if (text.trim() === '') return hint(noOutput(row, title))
  pages.open('help', { kind: 'text', title: `Output of ${title}`, text })
}

function noOutput(row: RunningRow, title: string): string {
  if (row.kind !== 'task' || row.task.kind !== 'wakeup') return `There is no output of ${title} yet.`
  return `${title} has nothing to show: it begins a turn when it is due.`
}

function callIn({ entries, open }: ChatState, id: string): ToolCall | null {
  for (const entry of [...entries, ...(open ? [open] : [])].toReversed()) {
    const part = entry.kind === 'turn' ? entry.parts.get(lastCall(entry, id)) : undefined
    if (part?.kind === 'tool') return part
  }
  return null
}

function outputOf(call: ToolCall | null): string {
  return call?.result ? resultText(call.result) : (call?.progress ?? '')
}

function stop({ context }: PickerApp, { rows, selected }: RunningPicker): void {
  const { hint, keyed: named } = context
  const row = rows[selected]
  if (!row) return
  if (row.kind === 'side') return hint(`${named('{picker.take} shows it')}; Esc stops it there.`)
  if (row.kind === 'command') return void end(context, row.command.pid, row.command.command)
  const { task, pid } = row
  const name = taskName(task)
  if (task.canStop) return void stopTask(context, task.id, name)
  if (pid !== null) return void end(context, pid, name)
  hint(isAtWork(task) ? `${name} cannot be stopped alone: the agent offers no way.` : `${name} does not run.`)
}

async function stopTask(
  { backend, hint, addProgramNotice }: PickerApp['context'],
  id: string,
  name: string,
): Promise<void> {
  const reply = await backend.stopTask(id)
  if (!reply.ok) return addProgramNotice('error', `${name} was not stopped: ${sentence(reply.message)}`)
  hint(`Stopped ${name}.`)
}

async function end(context: PickerApp['context'], pid: number, name: string): Promise<void> {
  const { backend, addProgramNotice, hint, state, dispatch } = context
  const reply = await backend.endRunning(pid)
  if (!reply.ok) return addProgramNotice('error', `${name} was not ended: ${sentence(reply.message)}`)
  const picker = openPicker(state().picker, 'running')
  const commands = picker?.commands?.filter(each => each.pid !== pid) ?? null
  if (picker) dispatch({ type: 'picker_changed', picker: withRows({ ...picker, commands }, state().chat.tasks) })
  hint(`Ended ${name}${state().chat.open ? '; the turn continues' : ''}.`)
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
    task.model,
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
    keyFact(isStoppable ? 's stops it' : '', 1),
    keyFact(keyed(names, '{picker.close} closes'), 2),
  ]
}
