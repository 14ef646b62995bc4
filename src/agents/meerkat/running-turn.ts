/** The turn in flight: from `turn/start` to both its answer and the last event of the run, of which either may be late or lost. */
import type { AgentEvent } from '../../agent/event.ts'
import type { Requests } from '../host/requests.ts'
import type { RpcPeer, RpcReply } from '../transport/json-rpc.ts'
import { readTurn, type MeerkatEvent } from './frame.ts'
import type { MeerkatLimits } from './limits.ts'
import type { MeerkatSession } from './session/sessions.ts'
import type { MeerkatTurnEnd } from './turn/ending.ts'
import type { MeerkatTurn } from './turn/turn.ts'

export type RunningTurn = {
  readonly session: MeerkatSession
  readonly turn: MeerkatTurn
  /** Takes an event of its session. */
  event(event: MeerkatEvent): void
  /** Asks the agent to stop. The turn must have begun. */
  stop(): void
}

export type RunningTurnOptions = {
  peer: RpcPeer
  requests: Requests
  limits: MeerkatLimits
  now: () => number
  emit: (event: AgentEvent) => void
  can: (method: string) => boolean
  session: MeerkatSession
  turn: MeerkatTurn
  /** The fields of `turn/start` beside the session. */
  fields: Record<string, unknown>
  onBegun: () => void
  /** Called once, when both ends have arrived or one of them is overdue. */
  onEnd: (end: MeerkatTurnEnd) => void
}

export function runTurn(options: RunningTurnOptions): RunningTurn {
  const { peer, requests, limits, now, emit, can, session, turn, fields, onBegun, onEnd } = options
  let reply: RpcReply | null = null
  let overdue: NodeJS.Timeout | undefined
  let isOver = false
  peer.send('turn/start', { session_id: session.id, ...fields }, answered)

  return {
    session,
    turn,
    event(event) {
      if (isOver) return
      const hadBegun = turn.hasBegun
      const events = turn.event(event, now())
      if (!hadBegun) onBegun()
      for (const each of events) emit(each)
      if (turn.isComplete) settle()
    },
    stop: () => void stop(),
  }

  function answered(answer: RpcReply): void {
    reply = answer
    settle()
  }

  /** By Meerkat's rule the answer follows the last event, but that is not guaranteed. */
  function settle(): void {
    clearTimeout(overdue)
    const isFinal = reply !== null && !reply.ok && (reply.ending !== null || !turn.hasBegun)
    if (reply && (turn.isComplete || isFinal)) return end(endOf(reply))
    const limit = reply ? limits.grace : limits.answer
    overdue = setTimeout(() => end(reply ? endOf(reply) : 'unanswered'), limit)
  }

  function end(how: MeerkatTurnEnd): void {
    if (isOver) return
    isOver = true
    onEnd(how)
  }

  /** The exact request stops this run only. If nothing is stored yet, it would leave the agent in an undefined state. */
  async function stop(): Promise<void> {
    const params = { session_id: session.id }
    if (session.isCommitted && turn.runId !== '' && can('turn/stop_run')) {
      const exact = { ...params, run_id: turn.runId, reason: 'the user stopped it' }
      const stopped = await requests.send('turn/stop_run', exact)
      if (stopped !== 'timed out' && stopped.ok && !JSON.stringify(stopped.result).includes('not_current')) return
    }
    // The session may be in its next turn.
    if (!isOver) await requests.send('turn/interrupt', params)
  }
}

function endOf(reply: RpcReply): MeerkatTurnEnd {
  if (!reply.ok) return reply.ending ? 'cut' : { error: reply.error }
  return { result: readTurn(reply.result) }
}
