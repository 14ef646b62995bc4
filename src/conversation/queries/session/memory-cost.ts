/** An estimate of what a repeated conversation costs as input. */
import type { ChatState, Turn } from '../../state.ts'
import { sentTo } from '../../sharing.ts'
import { sessionEntries } from './session-entries.ts'

/** Prices relative to fresh input, as at most providers. */
const OUTPUT = 5
const CACHE_READ = 0.1
const CACHE_WRITE = 1.25

/**
 * In US dollars: what the same model has cost in this conversation per token of input. Null if it has cost nothing yet, or does
 * not say.
 */
export function memoryCost(chat: Pick<ChatState, 'agent' | 'entries'>, tokens: number): number | null {
  const now = sentTo(chat.agent)
  const [costs, inputs] = [{ sum: 0 }, { sum: 0 }]
  for (const entry of sessionEntries(chat)) {
    if (entry.kind !== 'turn' || !isSame(entry, now) || (entry.usage.costUsd ?? 0) <= 0 || entry.costIsPartial) continue
    const { input, output, cacheRead, cacheWrite, costUsd } = entry.usage
    costs.sum += costUsd ?? 0
    inputs.sum += input + output * OUTPUT + cacheRead * CACHE_READ + cacheWrite * CACHE_WRITE
  }
  return inputs.sum > 0 && costs.sum > 0 ? (costs.sum / inputs.sum) * tokens : null
}

function isSame(turn: Turn, now: Turn['sentTo']): boolean {
  return now !== null && turn.sentTo?.provider === now.provider && turn.sentTo.model === now.model
}
