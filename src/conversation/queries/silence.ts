/** The time for which an agent has said nothing while the user waits for it. */
import type { AgentTask, ChatState } from '../state.ts'
import type { Part } from '../part.ts'
import { workBeside } from './work-beside.ts'

/** Milliseconds of silence before zotui reports it. */
const SILENCE = 20_000
/** Milliseconds after which zotui says that the agent waits for the model. Most answers have begun by then. */
const PATIENCE = 3000

/** Milliseconds by which an event may be noted after it was told. */
const NOTED_WITHIN = 300

/**
 * The subagents without which the agent does not go on. If it has ended its answer and runs nothing, it holds the turn open for all that
 * work. Else it waits for those that it began last: their call may last until they end, and is not shown. Otherwise it waits for its model.
 */
export function awaitedSubagents(chat: ChatState, lastEventAt: number): AgentTask[] {
  const { open, tasks } = chat
  if (tasks.size === 0 || open?.kind !== 'turn' || open.parts.findLastIndex(isRunning, open.attemptStart) >= 0)
    return []
  const subagents = workBeside(chat).filter(({ kind }) => kind === 'subagent')
  const said = open.parts.get(open.parts.findLastIndex(isSaid, open.attemptStart))
  if (said?.kind === 'text' && open.askedModelAt === null) return subagents
  return subagents.filter(({ startedAt }) => startedAt !== null && startedAt + NOTED_WITHIN >= lastEventAt)
}

const isSaid = (part: Part): boolean =>
  (part.kind === 'text' || part.kind === 'thought' || part.kind === 'tool') && !part.withdrawn

/** The time since which the agent has said nothing; null if that is expected, such as while a call runs. */
function silentSince(chat: ChatState, lastEventAt: number): number | null {
  const { open } = chat
  if (open?.kind !== 'turn' || isAsked(chat) || open.compactingSince !== null) return null
  if (awaitedSubagents(chat, lastEventAt).length > 0) return null
  // Nobody knows when an announced retry without a time comes.
  if (open.retry !== null && open.retryAt === null) return null
  if (open.parts.findLastIndex(isRunning, open.attemptStart) >= 0) return null
  return Math.max(lastEventAt, open.startedAt, open.retryAt ?? 0)
}

/**
 * The time since which the agent waits for the model; null if it does not, or not long. An agent whose request is refused may
 * try again without a word, so this is all that can be known.
 */
export function awaitsModelSince({ open }: Pick<ChatState, 'open'>, now: number): number | null {
  const since = open?.kind === 'turn' && open.activity.trim() === '' ? open.askedModelAt : null
  return since === null || now - since < PATIENCE ? null : since
}

/** Milliseconds for which the agent has said nothing; null if that is expected or not long. */
export function silentFor(chat: ChatState, lastEventAt: number, now: number): number | null {
  const since = silentSince(chat, lastEventAt)
  return since === null || now - since < SILENCE ? null : now - since
}

/** The time at which `silentFor` or `awaitsModelSince` begins to report; null if neither will. */
export function silenceAt(chat: ChatState, lastEventAt: number, now: number): number | null {
  const since = silentSince(chat, lastEventAt)
  const asked = chat.open?.kind === 'turn' ? chat.open.askedModelAt : null
  const times = [asked === null ? 0 : asked + PATIENCE, since === null ? 0 : since + SILENCE]
  return times.filter(at => at > now).toSorted((a, b) => a - b)[0] ?? null
}

/** Whether the agent waits for an answer of the user. */
export function isAsked({ questions, forms }: Pick<ChatState, 'questions' | 'forms'>): boolean {
  return questions.length + forms.length > 0
}

/** The time of the first question that waits for an answer, in milliseconds since the Unix epoch; null for none. */
export function askedAt({ questions, forms }: Pick<ChatState, 'questions' | 'forms'>): number | null {
  const times = [...questions, ...forms].map(({ at }) => at)
  return times.length === 0 ? null : Math.min(...times)
}

/** Whether a part is a call that runs. */
export function isRunning(part: Part): boolean {
  return part.kind === 'tool' && !part.withdrawn && part.state === 'running'
}
