/** Restarts an agent that ended by itself, and makes an agent forget the conversation. */
import { sentence } from '../../../text/sentence.ts'
import type { AppContext } from '../../context/context.ts'
import type { EventBatcher } from '../../events/batcher.ts'
import type { AfterTurn } from '../after-turn.ts'
import type { Operation } from '../operation.ts'
import type { AgentLifecycle } from './agent-lifecycle.ts'
import type { Starting } from './starting.ts'

export type Recovery = {
  /** Makes the agent forget the conversation; false if it does not. Prompts wait meanwhile. */
  forget: () => Promise<boolean>
}

export type RecoveryParts = {
  context: AppContext
  batcher: EventBatcher
  operation: Pick<Operation, 'perform' | 'isRunning'>
  life: Pick<AgentLifecycle, 'isChanging' | 'settled'>
  starting: Pick<Starting, 'restart'>
  after: Pick<AfterTurn, 'offerRestart'>
}

/** Milliseconds after a restart in which an agent that ends is not restarted automatically. */
const RESTART_PAUSE = 30_000

export function createRecovery({ context, batcher, operation, life, starting, after }: RecoveryParts): Recovery {
  const { backend, state, announce } = context
  let restartedAt = Number.NEGATIVE_INFINITY

  batcher.subscribe(events => {
    const fell = events.findLast(event => event.type === 'agent_ended')
    if (!fell || fell.expected || operation.isRunning()) return
    // The user decides whether one in the background is resumed.
    if (backend.holder?.isLost()) return void offerSettled()
    if (life.isChanging()) return
    if (fell.at - restartedAt < RESTART_PAUSE) return after.offerRestart(false)
    // An idle agent that ended is restarted, so that it is ready before the next prompt.
    restartedAt = fell.at
    void starting.restart()
  })

  return {
    async forget() {
      const reply = await operation.perform(backend.clear())
      if (reply?.ok === false) announce('error', sentence(reply.message))
      if (state().chat.agent.phase === 'ended') after.offerRestart(false)
      return reply?.ok === true
    },
  }

  async function offerSettled(): Promise<void> {
    await life.settled()
    after.offerRestart(false)
  }
}
