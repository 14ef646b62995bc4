/** Events of a conversation, short to write: `at` counts up by a second with each. */
import type { AgentEvent, AnswerContent, Content, Usage } from '../../src/agent/event.ts'
import { createImplied } from '../../src/agent/implied.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { initialChat, type ChatState, type Turn } from '../../src/conversation/state.ts'
import type { Part, ToolCall } from '../../src/conversation/part.ts'
import { TaskList } from '../../src/conversation/task-list.ts'

type Untimed<Event> = Event extends { at: number } ? Omit<Event, 'at'> : never
export type Told = Untimed<AgentEvent>

/** The events with their times: a second apart, from `start` on. */
export function timed(events: readonly Told[], start = 0): AgentEvent[] {
  return events.map((event, index) => ({ ...event, at: start + (index + 1) * 1000 }))
}

/** As zot's events are folded: with those that they imply. */
export function fold(events: readonly AgentEvent[], from: ChatState = initialChat): ChatState {
  return events.flatMap(createImplied()).reduce(reduce, from)
}

/** Folds one event of zot after the other, each with those that it implies. */
export function zotReducer(): typeof reduce {
  const addImplied = createImplied()
  return (state, event) => addImplied(event).reduce(reduce, state)
}

/**
 * The state that the screen is drawn from, without how an open text grew: that matters only for following it. TaskList are in the order of
 * their ids, since those that began within the same moment have none.
 */
export function chatOf(events: readonly AgentEvent[]): ChatState {
  return settled(fold(events))
}

function settled(chat: ChatState): ChatState {
  const tasks = [...TaskList.of([...chat.tasks]).changed(task => ({ ...task, chat: task.chat && settled(task.chat) }))]
  const sorted = TaskList.of(tasks.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  return { ...chat, tasks: sorted, open: chat.open?.kind === 'turn' ? ungrown(chat.open) : chat.open }
}

function ungrown(turn: Turn): Turn {
  return {
    ...turn,
    parts: turn.parts.changed(0, turn.parts.length, part => (part.kind === 'text' ? { ...part, grown: null } : part)),
  }
}

export function chatAfter(...events: readonly Told[]): ChatState {
  return fold(timed(events))
}

/** The turn that these events make, from a prompt on. */
export function turnOf(...events: readonly Told[]): Turn {
  const { entries, open } = chatAfter(prompt('go'), accepted, ...events)
  const turn = open ?? entries.findLast(entry => entry.kind === 'turn')
  if (turn?.kind !== 'turn') throw new Error('there is no turn')
  return turn
}

export const started: Told = {
  type: 'agent_started',
  agent: 'zot',
  version: '0.3.3',
  provider: 'anthropic',
  model: 'claude',
  contextWindow: 200_000,
  reasoning: '',
  reasoningLevels: ['low', 'high'],
}
export const ended: Told = { type: 'turn_ended' }
export const accepted: Told = { type: 'prompt_accepted' }
export const answering: Told = { type: 'answer_started' }
export const aborting: Told = { type: 'abort_requested' }

export const prompt = (text: string): Told => ({ type: 'prompt_sent', text, images: [] })
export const step = (number: number): Told => ({ type: 'step_started', step: number })
export const says = (text: string): Told => ({ type: 'text_received', text })
export const drafts = (id: string, name: string): Told => ({ type: 'tool_drafted', id, name })
export const writes = (id: string, text: string): Told => ({ type: 'tool_arguments_received', id, text })
export const drafted = (id: string): Told => ({ type: 'tool_arguments_finished', id })
export const calls = (id: string, name: string, args: unknown = {}): Told => ({
  type: 'tool_called',
  id,
  name,
  arguments: args,
})
export const answered = (...content: readonly AnswerContent[]): Told => ({
  type: 'answer_finished',
  content: [...content],
})
export const text = (words: string): Content => ({ type: 'text', text: words })
export const call = (id: string, name: string, args: unknown = {}): AnswerContent => ({
  type: 'tool_call',
  id,
  name,
  arguments: args,
})
export const stops = (stop: string, error?: string): Told => ({
  type: 'step_ended',
  stop,
  ...(error === undefined ? {} : { error }),
})
export const prints = (id: string, words: string): Told => ({ type: 'tool_progressed', id, text: words })
export const returns = (id: string, words: string, failed = false): Told => ({
  type: 'tool_finished',
  id,
  failed,
  content: [text(words)],
})
export const fails = (message: string): Told => ({ type: 'error_reported', message })
export const usage = (numbers: Partial<Usage> = {}): Usage => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  costUsd: 0,
  reasoning: null,
  ...numbers,
})
export const costs = (numbers: Partial<Usage>, auxiliary = false): Told => ({
  type: 'usage_reported',
  usage: usage(numbers),
  auxiliary,
})
export const notes = (extension: string, message: string): Told => ({
  type: 'extension_noted',
  extension,
  level: 'info',
  message,
})

/** A step with one tool call, up to where it runs. */
export const runsTool = (id: string, name: string, args: unknown = {}): Told[] => [
  answering,
  drafts(id, name),
  writes(id, JSON.stringify(args)),
  drafted(id),
  answered(call(id, name, args)),
  calls(id, name, args),
  stops('tool_use'),
]

/** A part on one line: what it is, what it says, and what has become of it. */
export function describePart(part: Part): string {
  const withdrawn = part.withdrawn ? ', withdrawn' : ''
  if (part.kind === 'text') return `"${part.text}"${part.final || part.withdrawn ? '' : ', open'}${withdrawn}`
  if (part.kind === 'tool') return `${part.name} ${part.id} ${part.state}${withdrawn}`
  if (part.kind === 'shell') return `command ${part.tool.state}`
  if (part.kind === 'thought') return `thought ${part.text}${withdrawn}`
  return `note ${part.text}${withdrawn}`
}

export function partsOf(turn: Turn): string[] {
  return [...turn.parts].map(describePart)
}

export function toolOf(turn: Turn, id: string): ToolCall {
  const tool = turn.parts.findLast(part => part.kind === 'tool' && part.id === id)
  if (tool?.kind !== 'tool') throw new Error(`there is no tool ${id}`)
  return tool
}

/** The words of the turn in the end: its texts as far as they count, a line each. */
export function wordsOf(turn: Turn): string {
  return [...turn.parts].flatMap(part => (part.kind === 'text' && !part.withdrawn ? [part.text] : [])).join('\n')
}
