/**
 * What follows a request that the agent has settled: a compaction if the window is nearly full, a second try if it was too full, a
 * question about the cost limit or an error, or else the next entry of the queue.
 */
import { formatPercent } from '../text/format.ts'
import type { TurnStep } from './turn-step.ts'
import { afterPrompt, type AgentRequest, type EndedTurn, type Settled } from './machine.ts'
import { askLimit, drain } from './queue-steps.ts'

export function settle(now: TurnStep, request: AgentRequest, how: Settled): void {
  now.set({ request: null })
  if (request.kind === 'prompt') for (const step of afterPrompt) now.add({ type: 'after_prompt', step })
  if (how.of === 'turn') afterTurn(now, request, how)
  else if (how.of === 'lost prompt') afterLostPrompt(now, request)
  else if (how.of === 'compaction') afterCompaction(now, request, how)
  else afterClear(now, how.ok)
  const { caller } = request
  if (caller !== undefined) now.add({ type: 'answer', caller, ok: how.of !== 'clear' || how.ok })
}

/** The result of a request whose agent ended before it answered. */
export function endOfOrphan({ kind }: AgentRequest): Settled {
  if (kind === 'clear') return { of: 'clear', ok: false }
  if (kind === 'compaction') return { of: 'compaction', outcome: 'failed', last: null }
  return { of: 'turn', outcome: 'agent_ended', error: 'other', canCompact: false, fullness: null }
}

function afterTurn(now: TurnStep, { why }: AgentRequest, turn: Extract<Settled, { of: 'turn' }>): void {
  const { outcome, error, canCompact, fullness } = turn
  // The second try is the last.
  if (why === 'overflow') return outcome === 'done' ? drain(now, true) : stopAt(now, turn)
  if (now.seen.isLimitReached) return askLimit(now)
  if (outcome === 'done' && fullness === null) return drain(now, true)
  if (outcome === 'done') return compact(now, 'due', whenFull(fullness ?? 1))
  if (outcome === 'failed' && error === 'overflow' && canCompact) return compact(now, 'overflow', TOO_LONG)
  stopAt(now, turn)
}

/** It may have arrived, so only the user sends it again. */
function afterLostPrompt(now: TurnStep, { entry }: AgentRequest): void {
  if (entry) {
    now.putFirst(entry, true)
    now.add({ type: 'add_notice', level: 'warn', text: UNCONFIRMED })
  }
  stopAt(now, { outcome: 'agent_ended', error: 'other' })
}

function afterCompaction(
  now: TurnStep,
  { why }: AgentRequest,
  { outcome, last }: Extract<Settled, { of: 'compaction' }>,
): void {
  // One that failed is tried again after the next turn.
  if (why === 'due') return drain(now, outcome !== 'aborted' && now.seen.agent === 'ready')
  if (why === 'overflow') {
    if (outcome !== 'done' || !now.isFree) return stopAt(now, last)
    const id = now.request({ kind: 'prompt', why })
    return now.add({ type: 'send_again', id })
  }
  if (now.seen.isLimitReached) return askLimit(now)
  drain(now, outcome === 'done' || outcome === 'nothing')
}

function afterClear(now: TurnStep, ok: boolean): void {
  if (now.seen.agent === 'off') now.add({ type: 'offer_restart', inTurn: false })
  // Work that made the agent forget continues, and so does its queue.
  if (!now.machine.work) drain(now, ok)
}

function compact(now: TurnStep, why: 'due' | 'overflow', { level, text }: typeof TOO_LONG): void {
  now.add({ type: 'add_notice', level, text })
  if (!now.isFree) return
  const id = now.request({ kind: 'compaction', why })
  now.add({ type: 'compact', id })
}

/** Pauses the queue, and offers what may help. */
function stopAt(now: TurnStep, turn: EndedTurn | null): void {
  drain(now, false)
  if (turn?.outcome === 'failed') now.add({ type: 'offer_ways', error: turn.error })
  if (turn?.outcome === 'agent_ended') now.add({ type: 'offer_restart', inTurn: true })
}

const UNCONFIRMED = 'It is not known whether the last prompt arrived: it is in the queue again, and waits for you.'

const TOO_LONG = {
  level: 'warn' as 'warn' | 'info',
  text: 'The conversation no longer fits the model: compacting it, then sending the prompt again.',
}

function whenFull(fullness: number): typeof TOO_LONG {
  const text = `The window is ${formatPercent(fullness)} full: compacting the conversation before the next prompt.`
  return { level: 'info', text }
}
