/** What can be done with what works in a conversation, from the list of it. */
import type { RunningCommand } from '../../agent/requests.ts'
import { lastCall } from '../../conversation/calls/nesting.ts'
import { taskTitle } from '../../conversation/queries/task-words.ts'
import { taskName } from '../../conversation/queries/work-beside.ts'
import type { ToolCall } from '../../conversation/part.ts'
import type { ChatState } from '../../conversation/state.ts'
import { isAtWork } from '../../agent/task-events.ts'
import { readRegularFileEndSync } from '../../platform/regular-file.ts'
import { openPicker } from '../../state/pickers/picker.ts'
import { withWork, type RunningRow } from '../../state/pickers/running-rows.ts'
import { formatBytes } from '../../text/format.ts'
import { sentence } from '../../text/sentence.ts'
import type { AppContext } from '../context/context.ts'

export type RunningWork = {
  /** Opens the list; if nothing works, a hint says so. */
  open: () => void
  /** Shows the conversation of a subagent, the output of a command, or the side answer. */
  show: (row: RunningRow | undefined) => void
  /** Stops one without stopping the turn. */
  stop: (row: RunningRow | undefined) => void
}

export type WorkPages = {
  showTask: (id: string) => void
  showText: (title: string, text: string) => void
  showSide: () => void
}

/** Milliseconds after which the agent's commands are listed again while the list is open. */
const AGAIN = 2000
/** Bytes read of the end of a command's output. */
const MOST_OUTPUT = 256 * 1024
const NOTHING = 'No command, subagent or wake-up runs.'

export function createRunningWork(context: AppContext, pages: WorkPages): RunningWork {
  const { state, dispatch, hint, keyed, backend, addProgramNotice, host } = context
  return { open: () => void open(), show, stop }

  async function open(): Promise<void> {
    const { side, chat } = state()
    const empty = { kind: 'running', filter: '', selected: 0, rows: [], commands: null, side } as const
    const isKnown = chat.tasks.size > 0 || side !== null
    // What is known is shown at once.
    if (isKnown) dispatch({ type: 'picker_changed', picker: withWork(empty, chat.tasks) })
    const commands = await backend.listRunning()
    if (!isKnown && commands.length === 0) return hint(NOTHING)
    if (!isKnown && state().picker === null)
      dispatch({ type: 'picker_changed', picker: withWork(empty, state().chat.tasks) })
    takeIn(commands)
  }

  function takeIn(commands: readonly RunningCommand[]): void {
    const list = openPicker(state().picker, 'running')
    if (!list) return
    const isSame = list.commands !== null && pidsOf(list.commands) === pidsOf(commands)
    if (!isSame) dispatch({ type: 'picker_changed', picker: withWork({ ...list, commands }, state().chat.tasks) })
    setTimeout(() => void listAgain(), AGAIN).unref()
  }

  async function listAgain(): Promise<void> {
    if (openPicker(state().picker, 'running')) takeIn(await backend.listRunning())
  }

  function show(row: RunningRow | undefined): void {
    if (!row) return
    if (row.kind === 'side') {
      dispatch({ type: 'picker_changed', picker: null })
      return pages.showSide()
    }
    if (row.kind === 'task' && (row.task.kind === 'subagent' || row.task.chat)) return pages.showTask(row.task.id)
    const [title, callId, path] =
      row.kind === 'task'
        ? [taskTitle(row.task), row.task.callId, row.task.outputPath]
        : [row.command.command, row.command.callId, null]
    const text = writtenTo(path) ?? outputOf(callId === null ? null : callIn(state().chat, callId))
    if (text.trim() !== '') return pages.showText(`Output of ${title}`, text)
    const isWakeup = row.kind === 'task' && row.task.kind === 'wakeup'
    hint(isWakeup ? `${title}: it begins a turn when it is due.` : `There is no output of ${title} yet.`)
  }

  /** The end of a file of output; null if there is none to read. An agent on another machine has it there. */
  function writtenTo(path: string | null): string | null {
    const bytes = path === null || host?.remote ? null : readRegularFileEndSync(path, MOST_OUTPUT)
    if (!bytes || bytes.length === 0) return null
    const note = bytes.length === MOST_OUTPUT ? `The last ${formatBytes(MOST_OUTPUT)}:\n\n` : ''
    return `${note}${bytes.toString('utf8')}`
  }

  function stop(row: RunningRow | undefined): void {
    if (!row) return
    if (row.kind === 'side')
      return hint(keyed('{picker.take} shows the side question, {composer.stop} stops it there.'))
    if (row.kind === 'command') return void end(row.command.pid, row.command.command)
    const { task, pid } = row
    const name = taskName(task)
    if (task.canStop) return void stopTask(task.id, name)
    if (pid !== null) return void end(pid, name)
    hint(isAtWork(task) ? `${name} cannot be stopped alone: the agent offers no way.` : `${name} does not run.`)
  }

  async function stopTask(id: string, name: string): Promise<void> {
    const reply = await backend.stopTask(id)
    if (!reply.ok) return addProgramNotice('error', `${name} was not stopped: ${sentence(reply.message)}`)
    hint(`Stopped ${name}.`)
  }

  async function end(pid: number, name: string): Promise<void> {
    const reply = await backend.endRunning(pid)
    if (!reply.ok) return addProgramNotice('error', `${name} was not ended: ${sentence(reply.message)}`)
    const list = openPicker(state().picker, 'running')
    const commands = list?.commands?.filter(each => each.pid !== pid) ?? null
    if (list) dispatch({ type: 'picker_changed', picker: withWork({ ...list, commands }, state().chat.tasks) })
    hint(`Ended ${name}${state().chat.open ? '; the turn continues' : ''}.`)
  }
}

function pidsOf(commands: readonly RunningCommand[]): string {
  return commands.map(({ pid }) => pid).join(' ')
}

function callIn({ entries, open }: ChatState, id: string): ToolCall | null {
  for (const entry of [...entries, ...(open ? [open] : [])].toReversed()) {
    const part = entry.kind === 'turn' ? entry.parts.get(lastCall(entry, id)) : undefined
    if (part?.kind === 'tool') return part
  }
  return null
}

function outputOf(call: ToolCall | null): string {
  const texts = call?.result?.flatMap(block => (block.type === 'text' ? [block.text] : []))
  return texts?.join('\n') ?? call?.progress ?? ''
}
