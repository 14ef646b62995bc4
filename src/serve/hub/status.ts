/** The state of a conversation that is looked at, in the words of the page. */
import { isRunning } from '../../conversation/queries/silence.ts'
import { lastTurn } from '../../conversation/queries/last-turn.ts'
import { retryWords } from '../../conversation/queries/retry-words.ts'
import type { ChatState, Turn } from '../../conversation/state.ts'
import type { PublishedRow } from '../../published/protocol.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { nameOf, subjectOf, subjectText } from '../../tools/describe-call.ts'
import type { PageStatus } from '../page-lines.ts'
import type { Feed } from './feed.ts'

/** Characters of an activity. */
const MOST_WORDS = 200

export function pageStatus(
  { chat, queue, models }: Pick<Feed, 'chat' | 'queue' | 'models'>,
  row: PublishedRow,
  watchers: readonly string[],
): PageStatus {
  const turn = chat.open?.kind === 'turn' ? chat.open : lastTurn(chat.entries)
  const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = turn?.usage ?? {}
  return {
    isWorking: chat.open !== null || chat.shell !== null,
    activity: activityOf(chat),
    since: chat.open?.startedAt ?? row.since,
    model: row.model,
    models,
    mode: row.mode ?? '',
    costUsd: row.costUsd,
    tokens: { input: input + cacheRead + cacheWrite, output },
    queue,
    watchers,
  }
}

/** What it does, in a few words. */
function activityOf({ open, questions, forms, shell }: ChatState): string {
  if (open === null) return shell === null ? '' : 'a command of yours runs'
  if (open.aborting) return 'stopping'
  if (open.kind === 'compaction') return 'compacting the conversation'
  return questions.length + forms.length > 0 ? 'waits for an answer' : shortened(ofTurn(open))
}

function ofTurn(turn: Turn): string {
  if (turn.retry) return retryWords(turn.retry)
  if (turn.compactingSince !== null) return 'compacting the conversation'
  if (turn.activity.trim() !== '') return turn.activity.trim()
  const call = turn.parts.findLast(isRunning)
  if (call?.kind === 'tool') return `${nameOf(call)} ${subjectText(subjectOf(call, {}))}`.trim()
  return turn.askedModelAt === null ? 'answering' : 'waiting for the model'
}

function shortened(text: string): string {
  const line = oneLine(sanitize(text)).replaceAll(/\s+/g, ' ')
  return line.length > MOST_WORDS ? `${line.slice(0, MOST_WORDS)}…` : line
}
