/** Folds what model calls used and cost. */
import { onTurn } from './on-turn.ts'
import { addCost, costSince } from '../agent/content.ts'
import type { EventOf, Usage } from '../agent/event.ts'
import { noUsage, type ChatState } from './state.ts'

export function usageReported(state: ChatState, event: EventOf<'usage_reported'>): ChatState {
  const { auxiliary } = event
  // An agent that reports the cost of all its work may report none for a single call.
  const isCovered = !event.side && state.reportedCost !== null && event.usage.costUsd === null
  const usage = isCovered ? { ...event.usage, costUsd: 0 } : event.usage
  const size = usage.input + usage.cacheRead + usage.cacheWrite + usage.output
  const sum = addUsage({ usage: state.usage, isPartial: state.usageIsPartial }, usage)
  // Aborted calls may report zeros, and a tool's own model calls do not fill the conversation's window.
  const context = auxiliary || size === 0 ? state.context : size
  const known = { ...state, usage: sum.usage, usageIsPartial: sum.isPartial, context }
  if (event.side) return known
  return onTurn(known, turn => {
    const own = addUsage({ usage: turn.usage, isPartial: turn.costIsPartial }, usage)
    return { ...turn, usage: own.usage, costIsPartial: own.isPartial }
  })
}

export function contextReported(state: ChatState, event: EventOf<'context_reported'>): ChatState {
  const { used, size, costUsd } = event
  const agent = size === null ? state.agent : { ...state.agent, contextWindow: size }
  const ofSession = event.sessionCostUsd ?? costUsd ?? state.rememberedBy?.costUsd ?? null
  const rememberedBy = state.rememberedBy && { ...state.rememberedBy, costUsd: ofSession }
  const known = { ...state, agent, context: used, rememberedBy }
  if (costUsd === null) return known
  const more = costSince(state.reportedCost, costUsd)
  return onTurn({ ...known, usage: plusCost(state.usage, more), reportedCost: costUsd }, turn => ({
    ...turn,
    usage: plusCost(turn.usage, more),
  }))
}

function plusCost(usage: Usage, costUsd: number): Usage {
  return { ...usage, costUsd: (usage.costUsd ?? 0) + costUsd }
}

export type UsageSoFar = { usage: Usage; isPartial: boolean }

export function addUsage({ usage: sum, isPartial }: UsageSoFar, more: Usage): UsageSoFar {
  const { costUsd, ...cost } = addCost({ costUsd: sum.costUsd, isPartial }, more.costUsd, sum === noUsage)
  const usage = {
    input: sum.input + more.input,
    output: sum.output + more.output,
    cacheRead: sum.cacheRead + more.cacheRead,
    cacheWrite: sum.cacheWrite + more.cacheWrite,
    costUsd,
    reasoning: more.reasoning === null ? sum.reasoning : (sum.reasoning ?? 0) + more.reasoning,
  }
  return { usage, isPartial: cost.isPartial }
}
