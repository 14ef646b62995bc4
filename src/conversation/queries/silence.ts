/** The time for which an agent has said nothing while the user waits for it. */
import type { ChatState } from '../state.ts'
import type { Part } from '../part.ts'

/** Milliseconds of silence before zotui reports it. */
const SILENCE = 20_000

/** The time since which the agent has said nothing; null if that is expected, such as while a call runs. */
function silentSince(chat: ChatState, heardAt: number): number | null {
  const { open } = chat
  if (open?.kind !== 'turn' || isAsked(chat) || open.retry !== null || open.compactingSince !== null) return null
  if (open.parts.findLastIndex(isRunning, open.attemptStart) >= 0) return null
  return Math.max(heardAt, open.startedAt)
}

/** Milliseconds for which the agent has said nothing; null if that is expected or not long. */
export function silentFor(chat: ChatState, heardAt: number, now: number): number | null {
  const since = silentSince(chat, heardAt)
  return since === null || now - since < SILENCE ? null : now - since
}

/** The time at which `silentFor` begins to report; null if it reports already or the silence is expected. */
export function silenceAt(chat: ChatState, heardAt: number, now: number): number | null {
  const since = silentSince(chat, heardAt)
  return since === null || now - since >= SILENCE ? null : since + SILENCE
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
