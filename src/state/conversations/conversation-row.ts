/** A conversation as a row of the list. The first frame does not need this. */
import { askerOf } from '../../conversation/queries/task-words.ts'
import { callInBrief } from '../../conversation/calls/call-in-brief.ts'
import { lastTurn } from '../../conversation/queries/last-turn.ts'
import { shownPrompt } from '../../conversation/queries/shown-prompt.ts'
import type { ChatState, Turn } from '../../conversation/state.ts'
import type { ConversationRow, ConversationState } from './conversations.ts'
import type { AppState } from '../state.ts'

/** The facts about a conversation that are not in its state. */
export type ConversationFacts = Pick<ConversationRow, 'number' | 'isShown' | 'title'> & {
  /** True if the user has looked at it since its last turn ended. */
  isSeen: boolean
  isSuspended: boolean
}

/** The part of a conversation's state that its row shows. */
type ListedState = Pick<AppState, 'chat' | 'queue' | 'question' | 'opening'> & {
  startup: Pick<AppState['startup'], 'folder' | 'branch'>
}

/** Characters of a title, and of a last line. */
const TITLE = 80
const LINE = 200

export function conversationRow(state: ListedState, facts: ConversationFacts): ConversationRow {
  const { chat, startup } = state
  const { number, isShown } = facts
  const last = newestTurn(chat)
  const [call] = chat.questions
  return {
    number,
    isShown,
    title: (facts.title || chat.agentTitle || firstPrompt(state)).slice(0, TITLE),
    state: stateOf(state, facts),
    since: chat.open?.startedAt ?? last?.endedAt ?? null,
    lastLine: last ? lastLine(last) : '',
    costUsd: chat.usage.costUsd,
    folder: startup.folder,
    branch: startup.branch,
    call: call
      ? { id: call.id, subject: callInBrief(call), isWhole: isWhole(call), asker: askerOf(chat, call.task) }
      : null,
  }
}

/** The state of a conversation. It is computed at each event, so it must be cheap. */
export function stateOf(
  state: Omit<ListedState, 'startup'>,
  { isSeen, isSuspended }: Pick<ConversationFacts, 'isSeen' | 'isSuspended'>,
): ConversationState {
  const { chat, queue, question } = state
  if (chat.questions.length + chat.forms.length > 0 || question !== null) return 'asks'
  if (chat.open !== null) return 'working'
  if (isSuspended) return 'resting'
  if (chat.agent.phase === 'starting' || state.opening !== null) return 'starting'
  // The next message is sent at once.
  if (queue.entries.length > 0 && !queue.paused) return queue.isInLine ? 'waiting' : 'working'
  if (isSeen) return 'idle'
  if (chat.agent.phase === 'ended') return 'failed'
  const outcome = lastTurn(chat.entries)?.outcome
  if (outcome === undefined || outcome === null) return 'idle'
  return outcome === 'failed' || outcome === 'refused' ? 'failed' : 'done'
}

/** Only the subject of a command says all that would run. */
function isWhole({ kind, title, command, wants }: ChatState['questions'][number]): boolean {
  return kind === 'command' && title === undefined && command !== undefined && (wants?.kind ?? 'host') === 'host'
}

/** The open turn, or the last one that has ended. */
function newestTurn({ open, entries }: ChatState): Turn | undefined {
  return open?.kind === 'turn' ? open : lastTurn(entries)
}

/** The first prompt, or else the first one in the queue. */
export function firstPrompt({ chat: { open, entries }, queue }: Pick<ListedState, 'chat' | 'queue'>): string {
  const first = [...entries, open].find(entry => entry?.kind === 'turn' && entry.unprompted === undefined)
  const queued = queue.entries.find(({ kind }) => kind === 'prompt')
  const prompt = first?.kind === 'turn' ? shownPrompt(first) : queued?.kind === 'prompt' ? queued.text : ''
  return prompt.slice(0, LINE).trim()
}

function lastLine({ parts }: Turn): string {
  const at = parts.findLastIndex(part => (part.kind === 'text' || part.kind === 'tool') && !part.withdrawn)
  const part = parts.get(at)
  if (part?.kind === 'tool') return part.name
  if (part?.kind !== 'text') return ''
  // The last line may have only begun.
  const lines = part.text.slice(-2 * LINE).split('\n')
  return (lines.findLast(line => line.trim() !== '') ?? '').trim().slice(0, LINE)
}

/** A conversation in a few words. */
export function conversationName({ number, title, backgroundId }: ConversationRow): string {
  const place = number > 0 ? String(number) : '&'
  if (title === '') return number > 0 ? `conversation ${number}` : `conversation ${backgroundId}`
  return `${place} ${title.slice(0, 40)}`
}
