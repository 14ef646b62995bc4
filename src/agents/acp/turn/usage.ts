/** The tokens of a turn. Agents count differently; their totals show how. Pure. */
import type { Usage } from '../../../agent/event.ts'
import type { WirePromptResult, WireUsage } from '../frame.ts'

/** The usage at the end of a turn; null if the agent does not report it. */
export function usageOfTurn({ usage, _meta }: WirePromptResult): Usage | null {
  if (usage) return toUsage(usage)
  const quota = _meta?.quota?.token_count
  return quota ? toUsage({ inputTokens: quota.input_tokens, outputTokens: quota.output_tokens }) : null
}

/** Translates a count. Null if it counts nothing. */
export function toUsage(usage: WireUsage): Usage | null {
  const { totalTokens: total, thoughtTokens: thought } = usage
  const [input, output] = [count(usage.inputTokens), count(usage.outputTokens)]
  const [cacheRead, cacheWrite] = [count(usage.cachedReadTokens), count(usage.cachedWriteTokens)]
  const cached = cacheRead + cacheWrite
  if (input + output + cached === 0) return null
  // The input includes the cached tokens if the total is too small for both. If the total has room, the thoughts are added.
  const includesCached = total === input + output && cached > 0 && cached <= input
  const thoughtIsExtra = total === input + output + cached + count(thought)
  return {
    input: includesCached ? input - cached : input,
    output: thoughtIsExtra ? output + count(thought) : output,
    cacheRead,
    cacheWrite,
    costUsd: null,
    reasoning: thought ?? null,
  }
}

const count = (tokens: number | null | undefined): number => tokens ?? 0
