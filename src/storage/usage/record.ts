/** Usage records of model calls and turns, made from events alone, so that a session's file gives the same records. */
import * as z from 'zod'
import { costSince, usageSchema, type Usage } from '../../agent/content.ts'
import type { AgentEvent } from '../../agent/event.ts'

const common = {
  /** Milliseconds since the Unix epoch. */
  at: z.number(),
  session: z.string(),
  /** The project's folder, as an absolute path. */
  folder: z.string(),
  provider: z.string(),
  model: z.string(),
}

export const recordSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), ...common, usage: usageSchema }),
  /** A turn that has ended, and its duration in milliseconds. */
  z.object({ kind: z.literal('turn'), ...common, duration: z.number() }),
  /** A part of the total cost that an agent reports in place of the cost of single calls. */
  z.object({ kind: z.literal('cost'), ...common, costUsd: z.number() }),
  /** A cost that no agent reports, such as that of a compaction. */
  z.object({ kind: z.literal('unreported'), ...common }),
])
export type UsageRecord = z.infer<typeof recordSchema>

export type UsageMeter = { read: (event: AgentEvent, session: string) => UsageRecord[] }

/** Makes records from events in order. */
export function createMeter(folder: string): UsageMeter {
  let [provider, model] = ['', '']
  let turnBegan: number | null = null
  /** The cost that the running agent has reported for all of its work. */
  let reported: number | null = null

  /** The duration of the turn that ends now; null where there is none. */
  function endTurn(at: number): number | null {
    const began = turnBegan
    turnBegan = null
    return began === null ? null : Math.max(0, at - began)
  }

  /** A call without a cost is part of the total that the agent reports. */
  function covered(usage: Usage): Usage {
    return reported !== null && usage.costUsd === null ? { ...usage, costUsd: 0 } : usage
  }

  return {
    read(event, session) {
      const { type, at } = event
      const record = { at, session, folder, provider, model }
      if (type === 'agent_started' || type === 'model_changed') [provider, model] = [event.provider, event.model]
      if (type === 'agent_started' || type === 'conversation_cleared') reported = null
      if (type === 'prompt_sent' || type === 'turn_begun') turnBegan = at
      if (type === 'prompt_refused') turnBegan = null
      if (type === 'usage_reported')
        return [{ kind: 'call', ...record, usage: event.side ? event.usage : covered(event.usage) }]
      if (type === 'context_reported' && event.costUsd !== null) {
        const costUsd = costSince(reported, event.costUsd)
        reported = event.costUsd
        return costUsd === 0 ? [] : [{ kind: 'cost', ...record, costUsd }]
      }
      if (type === 'compaction_finished' || type === 'compaction_aborted') return [{ kind: 'unreported', ...record }]
      const duration = type === 'turn_ended' || type === 'agent_ended' ? endTurn(at) : null
      return duration === null ? [] : [{ kind: 'turn', ...record, duration: Math.max(0, duration) }]
    },
  }
}
