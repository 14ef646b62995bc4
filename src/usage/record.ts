/** Usage records of model calls and turns, made from events alone, so that a session's file gives the same records. */
import * as z from 'zod'
import { costSince, usageSchema, type Usage } from '../agent/content.ts'
import type { AgentEvent } from '../agent/event.ts'

const common = {
  /** Milliseconds since the Unix epoch. */
  at: z.number(),
  session: z.string(),
  /** The project's folder, as an absolute path. */
  folder: z.string(),
  /** The agent's name, as in `claude`; empty in records of versions that did not store it. */
  agent: z.string().default(''),
  provider: z.string(),
  model: z.string(),
}

export const recordSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), ...common, usage: usageSchema }),
  /** A turn that has ended, and its duration in milliseconds. */
  z.object({ kind: z.literal('turn'), ...common, duration: z.number() }),
  /** An answer of the user to the agent, and for how many milliseconds it waited, as far as no other record covers them. */
  z.object({ kind: z.literal('wait'), ...common, duration: z.number() }),
  /** A part of the total cost that an agent reports in place of the cost of single calls. */
  z.object({ kind: z.literal('cost'), ...common, costUsd: z.number() }),
  /** A cost that no agent reports, such as that of a compaction. */
  z.object({ kind: z.literal('unreported'), ...common }),
])
export type UsageRecord = z.infer<typeof recordSchema>

/** A wait counts for at most an hour: after that, nobody is there, or the machine is suspended. */
export const LONGEST_WAIT = 3600 * 1000

export type UsageMeter = { read: (event: AgentEvent, session: string) => UsageRecord[] }

/** Makes records from events in order. */
export function createMeter(folder: string): UsageMeter {
  let [agent, provider, model] = ['', '', '']
  const waits = createWaits()
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
      const record = { at, session, folder, agent, provider, model }
      if (type === 'agent_started') agent = event.agent
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
      const waited = waits(event)
      if (waited !== null) return [{ kind: 'wait', ...record, duration: waited }]
      const duration = type === 'turn_ended' || type === 'agent_ended' ? endTurn(at) : null
      return duration === null ? [] : [{ kind: 'turn', ...record, duration: Math.max(0, duration) }]
    },
  }
}

/**
 * Measures how long the agent waited for an answer that an event brings; null for other events, and for answers that no user gave.
 * While several questions wait, no moment counts twice.
 */
function createWaits(): (event: AgentEvent) => number | null {
  const asked = new Map<string, number>()
  let counted = 0

  function answered(id: string, at: number): number | null {
    const since = Math.max(counted, Math.min(...asked.values()))
    if (!asked.delete(id)) return null
    counted = at
    return Math.min(LONGEST_WAIT, Math.max(0, at - since))
  }

  return event => {
    const { type, at } = event
    if (type === 'permission_requested') asked.set(`call ${event.id}`, at)
    if (type === 'question_asked') asked.set(`question ${event.id}`, at)
    if (type === 'agent_started' || type === 'agent_ended') asked.clear()
    if (type === 'question_answered') return answered(`question ${event.id}`, at)
    if (type !== 'permission_decided') return null
    if (event.by === 'user' || event.by === 'end') return answered(`call ${event.id}`, at)
    asked.delete(`call ${event.id}`)
    return null
  }
}
