/** What a conversation of a race has come to, from its session. Pure. */
import { finalAnswer } from '../conversation/queries/answer.ts'
import { errorOfTurn, providerMessage } from '../conversation/queries/provider-error.ts'
import { lastPromptedTurn } from '../conversation/queries/last-turn.ts'
import type { ChatState, Turn } from '../conversation/state.ts'
import type { Entrant } from './race-record.ts'

export type TurnResult = Pick<Entrant, 'step' | 'problem' | 'workedMs' | 'costUsd' | 'tokens' | 'lastLine'>

/** The longest last line that is kept. */
const LONGEST = 200

/** Null while a turn is open, or before there is one. */
export function turnResult(chat: ChatState): TurnResult | null {
  const turn = lastPromptedTurn(chat.entries)
  if (!turn || chat.open?.kind === 'turn') return null
  return { ...outcomeOf(turn), ...usedBy(chat) }
}

/** The result of one whose process has ended: a turn that was open then has been cut off. */
export function resultAtEnd(chat: ChatState | null): TurnResult {
  const result = chat && turnResult(chat)
  if (result) return result
  const open = chat?.open?.kind === 'turn'
  const problem = open
    ? 'Its process ended in the middle of the turn.'
    : 'Its process ended before it had done anything.'
  const used = chat ? usedBy(chat) : { workedMs: 0, costUsd: null, tokens: null, lastLine: '' }
  return { step: 'failed', problem, ...used }
}

function outcomeOf(turn: Turn): Pick<TurnResult, 'step' | 'problem'> {
  switch (turn.outcome) {
    case 'failed':
    case 'refused':
      return { step: 'failed', problem: problemOf(turn) }
    case 'agent_ended':
      return { step: 'failed', problem: 'Its agent ended in the middle of the turn.' }
    case 'zotui_ended':
      return { step: 'failed', problem: 'Its process ended in the middle of the turn.' }
    case 'aborted':
      return { step: 'stopped', problem: '' }
    case 'done':
    case null:
      return { step: 'done', problem: '' }
  }
}

/** An error that is not known is said in the agent's own words. */
function problemOf(turn: Turn): string {
  if (turn.error === null) return 'The turn has failed.'
  const { kind, what } = errorOfTurn(turn)
  const [words = ''] = providerMessage(turn.error).trim().split('\n')
  return kind === 'other' && words !== '' ? `${what.slice(0, -1)}: ${words.slice(0, LONGEST)}` : what
}

function usedBy({ entries, usage }: ChatState): Omit<TurnResult, 'step' | 'problem'> {
  const turns = [...entries].filter((entry): entry is Turn => entry.kind === 'turn')
  const workedMs = turns.reduce(
    (sum, { startedAt, endedAt }) => sum + Math.max(0, (endedAt ?? startedAt) - startedAt),
    0,
  )
  const input = usage.input + usage.cacheRead + usage.cacheWrite
  const last = turns.at(-1)
  const lines = last ? finalAnswer(last).split('\n') : []
  return {
    workedMs,
    costUsd: usage.costUsd,
    tokens: input + usage.output === 0 ? null : { input, output: usage.output },
    lastLine: (lines.findLast(line => line.trim() !== '') ?? '').trim().slice(0, LONGEST),
  }
}
