/** Handles the signals that end a run without the UI. None leaves an agent running or gives a wrong exit code. */
import process from 'node:process'
import { exit } from './exit.ts'
import { SIGNALS } from './ui/terminal/signals.ts'

export type StopSignals = {
  /** The agent to kill if a signal arrives before `handOver`. */
  agent: { kill: () => Promise<void> } | null
  /** Called with the exit code before the exit, if a signal arrives before `handOver`. */
  onEnd: ((code: number) => void) | null
  /** Passes later signals to `stop`, with their exit codes. Never resolves if one has arrived: zotui is ending. */
  handOver: (stop: (code: number) => void) => Promise<void>
}

export function onStopSignals(): StopSignals {
  let isEnding = false
  let onSignal = (code: number): void => void end(code)
  for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => onSignal(code))
  const signals: StopSignals = {
    agent: null,
    onEnd: null,
    async handOver(stop) {
      if (isEnding) await new Promise<never>(() => {})
      onSignal = stop
    },
  }
  return signals

  async function end(code: number): Promise<void> {
    // A second signal does not wait for the agent.
    if (!isEnding) {
      isEnding = true
      await signals.agent?.kill()
    }
    signals.onEnd?.(code)
    await exit(code)
  }
}
