/** The signals that end a run without the UI. They are heard before there is an agent, so that none leaves it behind or ends zotui without its code. */
import process from 'node:process'
import { exit } from './exit.ts'
import { SIGNALS } from './ui/terminal/signals.ts'

export type StopSignals = {
  /** Takes the agent that is to end if a signal comes before the run has the signals. */
  agent: { kill: () => Promise<void> } | null
  /** Gives the run the signals: `stop` gets the exit code of each. Does not resolve if one has come, because zotui ends then. */
  handOver: (stop: (code: number) => void) => Promise<void>
}

export function hearStopSignals(): StopSignals {
  let isEnding = false
  let heard = (code: number): void => void end(code)
  for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => heard(code))
  const signals: StopSignals = {
    agent: null,
    async handOver(stop) {
      if (isEnding) await new Promise<never>(() => {})
      heard = stop
    },
  }
  return signals

  async function end(code: number): Promise<void> {
    // A second signal does not wait for the agent.
    if (!isEnding) {
      isEnding = true
      await signals.agent?.kill()
    }
    await exit(code)
  }
}
