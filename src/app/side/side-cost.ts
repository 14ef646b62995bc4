/** The usage of a side question. */
import type { Usage } from '../../agent/event.ts'

/** The usage between two readings of one total; null if nothing was used. An unknown cost stays unknown. */
export function usageSince(before: Usage, now: Usage): Usage | null {
  const { costUsd, reasoning } = now
  const usage = {
    input: now.input - before.input,
    output: now.output - before.output,
    cacheRead: now.cacheRead - before.cacheRead,
    cacheWrite: now.cacheWrite - before.cacheWrite,
    costUsd: costUsd === null ? null : costUsd - (before.costUsd ?? 0),
    reasoning: reasoning === null ? null : reasoning - (before.reasoning ?? 0),
  }
  const { input, output, cacheRead, cacheWrite } = usage
  return input + output + cacheRead + cacheWrite === 0 && usage.costUsd === 0 ? null : usage
}
