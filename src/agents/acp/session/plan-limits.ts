/** The windows of the user's plan, which Claude reports in the `_meta` of a `usage_update` when they change. Other agents report none. */
import { z } from 'zod'
import type { LimitWindow } from '../../../agent/session-events.ts'
import { maybeText } from '../../transport/lenient.ts'

/** `utilization` is a share of 1, `resetsAt` in seconds since 1970. An odd value costs only itself. */
const window = z.object({
  utilization: z.number().optional().catch(undefined),
  resetsAt: z.number().optional().catch(undefined),
  status: maybeText,
})
const windows = z.record(z.string(), z.unknown()).catch({}).optional()
const rateLimit = window.extend({ rateLimitType: maybeText, unifiedWindows: windows })
const schema = z.object({ '_claude/rateLimit': rateLimit.optional().catch(undefined) }).catch({})

/** A share of more is no share: the agent may count in percent by mistake. */
const MOST_USED = 10
/** A window that is longer is none: milliseconds. */
const LONGEST = 400 * 86_400_000
/** Windows of one report. */
const MOST_WINDOWS = 20

/** The windows that are named in `meta`, at a time in milliseconds; empty if it is about anything else. */
export function planLimits(meta: unknown, at: number): LimitWindow[] {
  const { '_claude/rateLimit': reported } = schema.parse(meta ?? {})
  if (!reported) return []
  const { rateLimitType, unifiedWindows = {}, ...own } = reported
  const found = new Map<string, LimitWindow>()
  const take = (id: string, facts: z.infer<typeof window>): void => {
    const read = windowOf(id, facts, at)
    if (read && found.size < MOST_WINDOWS) found.set(id, read)
  }
  for (const [id, value] of Object.entries(unifiedWindows)) {
    const facts = window.safeParse(value)
    if (facts.success) take(id, facts.data)
  }
  if (rateLimitType) take(rateLimitType, own)
  return [...found.values()]
}

function windowOf(
  id: string,
  { utilization, resetsAt, status }: z.infer<typeof window>,
  at: number,
): LimitWindow | null {
  const isReached = status === 'rejected'
  const used = utilization !== undefined && utilization >= 0 && utilization <= MOST_USED ? utilization : null
  if (id === '' || (used === null && !isReached)) return null
  const time = resetsAt === undefined ? null : resetsAt * 1000
  const isLikely = time !== null && time > at - LONGEST && time < at + LONGEST
  return { id, used: used ?? 1, resetsAt: isLikely ? time : null, ...(isReached && { isReached }) }
}
