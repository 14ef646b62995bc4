/** Ends an agent's process: first by request, then by force. */
import type { Transport } from '../transport/transport.ts'
import { withTimeout } from '../transport/with-timeout.ts'

export type ShutDown = {
  transport: Transport
  /** Resolves when the process has ended. */
  gone: Promise<void>
  /**
   * The time to end in milliseconds, first after its input is closed, then after SIGTERM. 0 skips the wait; for `term` also the
   * SIGTERM.
   */
  patience: { input: number; term: number }
}

export async function shutDown({ transport, gone, patience }: ShutDown): Promise<void> {
  transport.closeInput()
  if (patience.input > 0 && (await withTimeout(patience.input, gone)) !== 'timed out') return
  if (patience.term > 0) transport.kill('SIGTERM')
  if (patience.term === 0 || (await withTimeout(patience.term, gone)) === 'timed out') transport.kill('SIGKILL')
  await gone
}
