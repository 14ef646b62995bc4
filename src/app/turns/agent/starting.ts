/** Starts, restarts and replaces the agent, and pauses the queue meanwhile. */
import type { SessionCut, StartOptions } from '../../../agent/backend.ts'
import { entryOf } from '../../../state/composer/queue-entry.ts'
import type { AppContext } from '../../context/context.ts'
import type { EventBatcher } from '../../events/batcher.ts'
import type { PromptQueue } from '../queue/queue.ts'
import type { AgentLifecycle } from './agent-lifecycle.ts'

export type Starting = {
  /** Starts the agent, and sends `prompt` as soon as it is ready. */
  begin: (prompt: string | null) => void
  /** Starts a fresh agent, which gets the conversation with the next prompt. */
  restart: () => Promise<void>
  /**
   * Begins another conversation, which `onTaken` makes of this one or of its part before a prompt. The agent continues
   * in a copy of its own session, or a fresh one is started. If that fails, nothing changes, and `onTaken` is not
   * called.
   */
  copy: (onTaken: () => void, cut?: SessionCut) => Promise<void>
  /** Restarts it with other options. */
  restartWith: (options: StartOptions) => Promise<void>
  /** Switches to another agent, by its name or command line. */
  switchTo: (words: string) => Promise<void>
  killAndRestart: () => Promise<void>
}

export type StartingParts = { context: AppContext; batcher: EventBatcher; life: AgentLifecycle; queue: PromptQueue }

export function createStarting({ context, batcher, life, queue }: StartingParts): Starting {
  const { state, dispatch, commands } = context
  return {
    begin(prompt) {
      void life.open().then(drain)
      batcher.flush()
      // It goes before a restored queue.
      if (prompt !== null) queue.sendNow(prompt.trim() === '' ? null : entryOf(prompt, commands()))
    },
    restart: () => heldFor(() => life.exchange()),
    copy: (onTaken, cut) => heldFor(() => life.copy(onTaken, cut)),
    restartWith: options => heldFor(() => life.exchange(options)),
    switchTo: words => heldFor(() => life.switchTo(words)),
    killAndRestart: () => heldFor(life.killAndStart),
  }

  /** Holds the queue, which was meant for the agent that is replaced. */
  async function heldFor(change: () => Promise<void>): Promise<void> {
    queue.pause()
    dispatch({ type: 'hinted', hint: null })
    await change()
    drain()
  }

  function drain(): void {
    queue.drain(state().chat.agent.phase === 'ready')
  }
}
