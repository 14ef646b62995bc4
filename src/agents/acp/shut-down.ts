/** The end of an agent's process: asked first, then forced. */
import type { Transport } from '../transport/transport.ts'
import { within } from '../transport/within.ts'
import type { AcpLimits } from './limits.ts'

export type ShutDown = {
  transport: Transport
  limits: AcpLimits
  /** Resolves when the process has ended. */
  gone: Promise<void>
  /** Whether the agent goes on when its input is closed. */
  outlivesInput: boolean
}

export async function shutDown({ transport, limits, gone, outlivesInput }: ShutDown): Promise<void> {
  transport.closeInput()
  if (!outlivesInput && (await within(limits.closeExit, gone)) !== 'timed out') return
  transport.kill('SIGTERM')
  if ((await within(limits.closeExit, gone)) === 'timed out') transport.kill('SIGKILL')
  await gone
}
