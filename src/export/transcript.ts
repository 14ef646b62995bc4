/** Turns a conversation into the transcript that is exported. */
import { shownPrompt } from '../conversation/queries/shown-prompt.ts'
import { truncate } from '../text/lines/shorten.ts'
import { textArgument } from '../tools/arguments.ts'
import { parseBashResult, resultText } from '../tools/result.ts'
import type { AgentEvent } from '../agent/event.ts'
import { reduceWhole } from '../conversation/reduce.ts'
import { initialChat, type AgentTask, type ChatState, type Entry, type Turn } from '../conversation/state.ts'
import type { Notice, Part, Shell, ToolCall } from '../conversation/part.ts'
import { isOutdated } from '../conversation/walk.ts'
import type { Transcript, TranscriptEntry, TranscriptPart, TranscriptTask } from './schema.ts'

/** Facts about a session that its conversation does not contain. */
export type ExportFacts = {
  id: string | null
  /** The title that the user has set; empty for the beginning of its first prompt. */
  title: string
  /** The project's folder; only its name is exported. */
  folder: string | null
}

/** Columns of a title that a prompt gives. */
const LONGEST_TITLE = 80

export function transcriptOfEvents(events: readonly AgentEvent[], facts: ExportFacts): Transcript {
  const chat = events.reduce((state, event) => reduceWhole(state, event), initialChat)
  return transcriptOf(chat, facts)
}

/** The transcript of a conversation. Withdrawn parts and unfinished text are omitted. */
export function transcriptOf(chat: ChatState, { id, title, folder }: ExportFacts): Transcript {
  const all = [...chat.entries, ...(chat.open === null ? [] : [chat.open])]
  const own = all.flatMap((entry, at) => (isOutdated(entry, all[at + 1] ?? null) ? [] : entryOf(entry)))
  const entries = withTasks(own, chat)
  const times = entries.flatMap(timesOf)
  const { name, version, provider, model } = chat.agent
  return {
    format: 'zotui-session',
    version: 1,
    id,
    title: title || titleFromPrompt(entries),
    project: folder === null ? null : (/[^/\\]+(?=[/\\]*$)/.exec(folder)?.[0] ?? null),
    startedAt: times[0] ?? null,
    endedAt: times.at(-1) ?? null,
    agent: { name, version, provider, model },
    usage: chat.usage,
    usageIsPartial: chat.usageIsPartial,
    entries,
  }
}

/** The entries with the conversation of each subagent at the end of the turn in which it began, or else of the last one before it. */
function withTasks(entries: readonly TranscriptEntry[], { tasks }: ChatState): TranscriptEntry[] {
  const begun = new Map<TranscriptEntry, TranscriptTask[]>()
  for (const task of tasks) {
    const turns = taskTurnsOf(task)
    const since = task.startedAt ?? Infinity
    const turn = turns.length === 0 ? undefined : entries.findLast(entry => entry.kind === 'turn' && entry.at <= since)
    if (turn) begun.set(turn, [...(begun.get(turn) ?? []), { ...taskFactsOf(task), turns }])
  }
  return entries.map(entry =>
    entry.kind === 'turn' ? { ...entry, parts: entry.parts.concat(begun.get(entry) ?? []) } : entry,
  )
}

/** The turns of a subagent. */
export function taskTurnsOf({ chat }: Pick<AgentTask, 'chat'>): TranscriptTask['turns'] {
  if (!chat) return []
  const all = [...chat.entries, ...(chat.open ? [chat.open] : [])]
  return all.flatMap(entry => (entry.kind === 'turn' ? [turnOf(entry)] : []))
}

export function taskFactsOf({
  name,
  about,
  model,
  state,
  startedAt,
  endedAt,
}: AgentTask): Omit<TranscriptTask, 'turns'> {
  return { kind: 'task', name, about, model, state, startedAt, endedAt }
}

/** The beginning of the first prompt. */
function titleFromPrompt(entries: readonly TranscriptEntry[]): string {
  for (const entry of entries) {
    const line = entry.kind === 'turn' ? (/\S.*/.exec(shownPrompt(entry))?.[0].trim() ?? '') : ''
    if (line !== '') return truncate(line, LONGEST_TITLE)
  }
  return 'Conversation'
}

function timesOf(entry: TranscriptEntry): number[] {
  const begun = 'at' in entry ? entry.at : entry.startedAt
  const ended = 'endedAt' in entry ? entry.endedAt : null
  return [begun, ended].filter(time => time !== null)
}

export function entryOf(entry: Entry): TranscriptEntry[] {
  switch (entry.kind) {
    case 'turn':
      return [turnOf(entry)]
    case 'compaction': {
      const { kind, startedAt, endedAt, outcome, summary, error } = entry
      return [{ kind, at: startedAt, endedAt, outcome, summary, error }]
    }
    case 'notice':
      return noticeOf(entry)
    case 'shell':
      return shellOf(entry)
    case 'cleared':
    case 'agent_ended':
      return [entry]
  }
}

/** `parts`: those that it is about; all by default. */
export function turnOf(turn: Turn, parts: Iterable<Part> = turn.parts): TranscriptTask['turns'][number] {
  const { prompt, typed, by, before, mentions, images, startedAt, endedAt, outcome, error, usage } = turn
  return {
    kind: 'turn',
    at: startedAt,
    endedAt,
    outcome: outcome ?? 'running',
    ...(turn.stoppedFrom !== undefined && { stoppedFrom: turn.stoppedFrom }),
    // A running turn may still be retried.
    error: outcome === null ? null : error,
    prompt,
    ...(typed !== undefined && { typed }),
    ...(by && { by }),
    ...(turn.from !== undefined && { from: turn.from }),
    ...(turn.unprompted && { unprompted: { cause: turn.unprompted.cause, about: turn.unprompted.about } }),
    before: [...before],
    images: [...images],
    ...(mentions.length > 0 && { files: [...mentions] }),
    parts: [...parts].flatMap(partOf),
    usage,
    ...(turn.stopReason !== null && { stop: turn.stopReason }),
    ...(turn.plan.length > 0 &&
      !turn.planInAnswer && { plan: turn.plan.map(({ text, status }) => ({ text, status })) }),
  }
}

export function partOf(part: Part): Exclude<TranscriptPart, TranscriptTask>[] {
  if (part.withdrawn) return []
  switch (part.kind) {
    case 'text':
      return part.final && part.text.trim() !== '' ? [{ kind: 'text', text: part.text }] : []
    case 'thought': {
      const { kind, text, startedAt, endedAt } = part
      return [{ kind, text, startedAt, endedAt }]
    }
    case 'tool':
      return [toolOf(part)]
    case 'notice':
      return noticeOf(part)
    case 'shell':
      return shellOf(part)
    case 'steer': {
      const { kind, at, text, typed, images, before, mentions, from } = part
      const beside = {
        ...(before.length > 0 && { before: [...before] }),
        ...(mentions.length > 0 && { files: [...mentions] }),
        ...(from !== undefined && { from }),
      }
      return [{ kind, at, text, ...(typed !== undefined && { typed }), images: [...images], ...beside }]
    }
  }
}

export function toolOf(tool: ToolCall): Extract<TranscriptPart, { kind: 'tool' }> {
  const { kind, id, parent, name, state, permission, heldIn, letOutBy, startedAt, endedAt, result } = tool
  const held = {
    ...(tool.steered && { steered: true as const }),
    ...(heldIn && { heldIn }),
    ...(letOutBy && { letOutBy }),
  }
  const asked = { ...(permission && { permission }), ...held }
  const args = tool.arguments ?? null
  return {
    kind,
    id,
    parent,
    name,
    ...(tool.title !== '' && { title: tool.title }),
    ...(tool.diffs.length > 0 && { diffs: [...tool.diffs] }),
    ...(tool.locations.length > 0 && { locations: [...tool.locations] }),
    arguments: args,
    state,
    ...asked,
    startedAt,
    endedAt,
    result: result && [...result],
  }
}

/** Omits zotui's own output, such as its help, and what is about zotui itself. */
function noticeOf(notice: Notice): Extract<TranscriptPart, { kind: 'notice' }>[] {
  const { kind, at, level, source, text, hint, details, withdrawn, markdown, aside } = notice
  if (withdrawn || markdown || aside) return []
  return [{ kind, at, level, source, text, hint, ...(details !== undefined && { details }) }]
}

function shellOf({ kind, withdrawn, tool, shared }: Shell): Extract<TranscriptPart, { kind: 'shell' }>[] {
  if (withdrawn) return []
  const { state, startedAt, endedAt, result } = tool
  const command = textArgument(tool, 'command') ?? ''
  const text = resultText(result ?? [])
  const bash = parseBashResult(text, command)
  const [exitCode, output] = [bash?.exitCode ?? null, bash?.output ?? text]
  return [{ kind, command, shared, state, startedAt, endedAt, exitCode, output }]
}
