/** A task in words: what it is to do, what it says last, its tokens, its time. Unsanitised. */
import type { TaskState } from '../../agent/task-events.ts'
import { formatDuration, formatTokens } from '../../text/format.ts'
import { textAt } from '../../text/member.ts'
import type { AgentTask, ChatState, Turn } from '../state.ts'
import { LONGEST_NAME, taskName } from './work-beside.ts'

/** Its name and what it is to do, unless the name says that. */
export function taskTitle(task: Pick<AgentTask, 'name' | 'kind' | 'about'>): string {
  const [name, about] = [taskName(task), task.about.trim().slice(0, LONGEST_NAME)]
  return about === '' || about === name ? name : `${name}: ${about}`
}

/** Characters of the name of a task that asks: the agent chooses it, and it must not hide what is asked. */
const LONGEST_ASKER = 24

/** The name of the task that asks; null for the agent itself. */
export function askerOf({ tasks }: Pick<ChatState, 'tasks'>, task: string | undefined): string | null {
  if (task === undefined) return null
  const known = tasks.get(task)
  const name = known ? taskName(known) : 'subagent'
  return name.length > LONGEST_ASKER ? `${name.slice(0, LONGEST_ASKER).trimEnd()}...` : name
}

/** All tokens that it used; null if that is not known. */
export function taskTokens({ chat }: Pick<AgentTask, 'chat'>): number | null {
  if (!chat) return null
  const { input, output, cacheRead, cacheWrite } = chat.usage
  const used = input + output + cacheRead + cacheWrite
  return used > 0 ? used : chat.context
}

/** How long it has worked; '' if that is not known. */
export function taskAge({ startedAt, endedAt }: Pick<AgentTask, 'startedAt' | 'endedAt'>, now: number): string {
  return startedAt === null ? '' : formatDuration(Math.max(0, (endedAt ?? now) - startedAt))
}

export function tokenWords(task: Pick<AgentTask, 'chat'>): string {
  const tokens = taskTokens(task)
  return tokens === null ? '' : `${formatTokens(tokens)} tokens`
}

export const stateOfTask: Readonly<Record<TaskState, string>> = {
  running: 'working',
  waiting: 'asks you',
  idle: 'done',
  unknown: 'the agent no longer reports it',
  done: 'done',
  failed: 'failed',
  stopped: 'stopped',
}

/** The line that a task leaves in the conversation when it ends. */
export function endOfTask(task: AgentTask, at: number): string {
  return [taskTitle(task), stateOfTask[task.state], taskAge(task, at), tokenWords(task)].filter(Boolean).join(' · ')
}

/** Characters of a text in which its last line is looked for. */
const END = 400

/** What it said or called last, or how it ended; '' if that is not known. */
export function lastLineOf({ chat, summary, state }: Pick<AgentTask, 'chat' | 'summary' | 'state'>): string {
  if (summary.trim() !== '' && state !== 'running') return lastLineIn(summary)
  const turn = chat?.open ?? chat?.entries.findLast(entry => entry.kind === 'turn')
  return turn?.kind === 'turn' ? lastLineOfTurn(turn) : ''
}

function lastLineOfTurn({ parts }: Turn): string {
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const part = parts.get(at)
    if (!part || part.withdrawn) continue
    const line =
      part.kind === 'tool'
        ? part.title || [part.name, textAt(part.arguments, 'command') ?? textAt(part.arguments, 'path') ?? ''].join(' ')
        : part.kind === 'text' || part.kind === 'thought'
          ? lastLineIn(part.text)
          : ''
    if (line.trim() !== '') return line.trim()
  }
  return ''
}

/** The last line that is not blank, of at most the last characters of a text. */
export function lastLineIn(text: string): string {
  const end = text.slice(-END).trimEnd()
  return end.slice(end.lastIndexOf('\n') + 1).trim()
}
