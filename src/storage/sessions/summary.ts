/** Folds the lines of a session into its summary, so that new lines can be added to an old summary. */
import { addCost, costSince } from '../../agent/content.ts'
import type { AnswerContent } from '../../agent/event.ts'
import { type SessionLine } from './session-format.ts'
import { agentSessionName, type SessionSummary } from '../../conversation/queries/session/session-summary.ts'

/** The number of characters of all prompts that are kept for searching, and of single texts for display. */
const SEARCHED = 2000
const SHOWN = 300

export function emptySummary(id: string): SessionSummary {
  return {
    id,
    folder: '',
    createdAt: 0,
    at: 0,
    title: '',
    provider: '',
    model: '',
    turns: 0,
    costUsd: 0,
    costIsPartial: false,
    firstPrompt: '',
    lastPrompt: '',
    lastAnswer: '',
    prompts: '',
    parent: null,
  }
}

/** The side questions and the spawned sessions that are kept. */
const MOST_BESIDE = 50

type SideLine = Extract<SessionLine, { type: 'side_ended' }>

function withSide(
  { sides = [] }: SessionSummary,
  { at, question, outcome, answer }: SideLine,
): SessionSummary['sides'] {
  const side = { at, question: question.slice(0, SHOWN), outcome, answer: answer.trim().slice(0, SHOWN) }
  return [...sides, side].slice(-MOST_BESIDE)
}

type EventOfShown = Extract<SessionLine, { type: 'session_shown' }>

/** The types of lines that can change a summary. */
const AFFECTS_SUMMARY: ReadonlySet<string> = new Set<SessionLine['type']>([
  'session',
  'session_titled',
  'session_shown',
  'side_ended',
  'session_spawned',
  'prompt_sent',
  'turn_begun',
  'prompt_refused',
  'steer_delivered',
  'step_ended',
  'error_reported',
  'answer_finished',
  'usage_reported',
  'context_reported',
  'turn_ended',
  'compaction_finished',
  'compaction_aborted',
  'agent_starting',
  'agent_started',
  'model_changed',
  'agent_session_opened',
])

/** Whether an encoded line can change a summary. The others need not be decoded. */
export function affectsSummary(line: string): boolean {
  const type = /^\{"type":"(\w+)"/.exec(line)?.[1]
  return type === undefined || AFFECTS_SUMMARY.has(type)
}

export function summarise(summary: SessionSummary, line: SessionLine): SessionSummary {
  if (line.type === 'session') {
    const { folder, createdAt, provider, model, parent, kind } = line
    return { ...summary, folder, createdAt, at: createdAt, provider, model, parent, ...(kind && { kind }) }
  }
  if (line.type === 'session_titled') return { ...summary, title: line.title }
  if (line.type === 'session_shown') return withShown(summary, line)
  if (line.type === 'side_ended') return { ...summary, sides: withSide(summary, line) }
  if (line.type === 'session_spawned')
    return { ...summary, spawned: [...(summary.spawned ?? []), { at: line.at, id: line.id }].slice(-MOST_BESIDE) }
  if (!AFFECTS_SUMMARY.has(line.type)) return summary
  const at = Math.max(summary.at, line.at)
  const later = withFailure({ ...summary, at, ...(summary.isShown && { shownAt: at }) }, line)
  if (line.type === 'prompt_sent') {
    // Lists show and find the words of the user, not those of zotui.
    const words = line.by === 'zotui' ? null : (line.typed ?? line.text).trim()
    return { ...later, ...withPrompt(summary, words) }
  }
  if (line.type === 'steer_delivered') return { ...later, ...withWords(summary, (line.typed ?? line.text).trim()) }
  if (line.type === 'turn_begun') return { ...later, turns: summary.turns + 1 }
  if (line.type === 'answer_finished') return { ...later, lastAnswer: textOf(line.content) || summary.lastAnswer }
  if (line.type === 'usage_reported') return { ...later, ...withUsage(summary, line.usage.costUsd) }
  if (line.type === 'context_reported') return line.costUsd === null ? later : withReport(later, line.costUsd)
  if (line.type === 'compaction_finished' || line.type === 'compaction_aborted')
    return { ...later, costIsPartial: true }
  if (line.type === 'agent_session_opened') return { ...later, ...withAgentSession(summary, line.id) }
  if (line.type === 'agent_starting') return { ...later, agent: line.agent }
  if (line.type !== 'agent_started' && line.type !== 'model_changed') return later
  const known = { ...later, provider: line.provider, model: line.model }
  // A new agent counts from the beginning.
  if (line.type === 'agent_started') delete known.reportedCost
  return known
}

function withShown({ isShown: _was, ...rest }: SessionSummary, line: EventOfShown): SessionSummary {
  return { ...rest, shownAt: line.at, ...(line.isShown && { isShown: true }) }
}

/** A turn fails if its last step did, or with an error of the agent. */
function withFailure(summary: SessionSummary, line: SessionLine): SessionSummary {
  const { isFailing, ...rest } = summary
  if (line.type === 'prompt_sent' || line.type === 'turn_begun') return rest
  if (line.type === 'error_reported') return { ...rest, isFailing: true }
  if (line.type === 'step_ended') return line.stop === 'error' ? { ...rest, isFailing: true } : rest
  if (line.type !== 'turn_ended' && line.type !== 'prompt_refused') return summary
  const isFailed = line.type === 'prompt_refused' || isFailing === true
  return isFailed ? { ...rest, failedTurns: (rest.failedTurns ?? 0) + 1 } : rest
}

function withUsage(
  { costUsd, costIsPartial, reportedCost }: SessionSummary,
  more: number | null,
): Pick<SessionSummary, 'costUsd' | 'costIsPartial'> {
  // An agent that reports its total cost may report none for a single call.
  const known = more === null && reportedCost !== undefined ? 0 : more
  const sum = addCost({ costUsd, isPartial: costIsPartial }, known, costUsd === 0)
  return { costUsd: sum.costUsd, costIsPartial: sum.isPartial }
}

function withReport(summary: SessionSummary, costUsd: number): SessionSummary {
  const more = costSince(summary.reportedCost ?? null, costUsd)
  return { ...summary, costUsd: (summary.costUsd ?? 0) + more, reportedCost: costUsd }
}

function withAgentSession({ agent = '', agentSessions = [] }: SessionSummary, id: string) {
  const name = agentSessionName(agent, id)
  return { agentSessions: agentSessions.includes(name) ? agentSessions : [...agentSessions, name] }
}

function withPrompt(
  { turns, firstPrompt, lastPrompt, prompts }: SessionSummary,
  words: string | null,
): Pick<SessionSummary, 'turns' | 'firstPrompt' | 'lastPrompt' | 'lastAnswer' | 'prompts'> {
  if (words === null) return { turns: turns + 1, firstPrompt, lastPrompt, lastAnswer: '', prompts }
  return {
    turns: turns + 1,
    lastAnswer: '',
    ...withWords({ firstPrompt, prompts }, words),
  }
}

/** Lists show what the user said last, and find all that the user said. */
function withWords(
  { firstPrompt, prompts }: Pick<SessionSummary, 'firstPrompt' | 'prompts'>,
  words: string,
): Pick<SessionSummary, 'firstPrompt' | 'lastPrompt' | 'prompts'> {
  const room = Math.max(0, SEARCHED - prompts.length)
  return {
    firstPrompt: firstPrompt === '' ? words.slice(0, SHOWN) : firstPrompt,
    lastPrompt: words.slice(0, SHOWN),
    prompts: room === 0 ? prompts : `${prompts}${words.slice(0, room)}\n`,
  }
}

function textOf(content: readonly AnswerContent[]): string {
  const text = content.find(block => block.type === 'text' && block.text.trim() !== '')
  return text?.type === 'text' ? text.text.trim().slice(0, SHOWN) : ''
}
