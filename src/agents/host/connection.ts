/** The end of an agent: first by request, then by force. */
import type { Ending, Transport } from '../transport/transport.ts'
import { withTimeout } from '../transport/with-timeout.ts'

export type AgentConnection = {
  /** Resolves, never rejects, when the agent has ended. */
  readonly ended: Promise<Ending>
  /** Ends the agent gracefully, as far as it responds. `isStuck` if it ignored an abort. Resolves when it has ended. */
  close(isStuck: boolean): Promise<void>
  kill(): void
}

/**
 * The time to end in milliseconds, first after its input is closed, then after SIGTERM. 0 skips the wait; for `term` also the
 * SIGTERM.
 */
export type Patience = { input: number; term: number }

export function processConnection(transport: Transport, patience: () => Patience): AgentConnection {
  const { ended } = transport
  return {
    ended,
    async close(isStuck) {
      // It is not waited for again.
      if (isStuck) transport.kill('SIGKILL')
      const { input, term } = patience()
      transport.closeInput()
      if (input > 0 && (await withTimeout(input, ended)) !== 'timed out') return
      if (term > 0) transport.kill('SIGTERM')
      if (term === 0 || (await withTimeout(term, ended)) === 'timed out') transport.kill('SIGKILL')
      await ended
    },
    kill: () => transport.kill('SIGKILL'),
  }
}
