/** The end of an agent's process: asked first, then forced. */
import type { Transport } from '../transport/transport.ts'
import { withTimeout } from '../transport/with-timeout.ts'

export type ShutDown = {
  transport: Transport
  /** Resolves when the process has ended. */
  gone: Promise<void>
  /** The time to end after its input is closed, in milliseconds, and then after SIGTERM. It is not asked with 0. */
  patience: { input: number; term: number }
}

export async function shutDown({ transport, gone, patience }: ShutDown): Promise<void> {
  transport.closeInput()
  if (patience.input > 0 && (await withTimeout(patience.input, gone)) !== 'timed out') return
  if (patience.term > 0) transport.kill('SIGTERM')
  if (patience.term === 0 || (await withTimeout(patience.term, gone)) === 'timed out') transport.kill('SIGKILL')
  await gone
}
