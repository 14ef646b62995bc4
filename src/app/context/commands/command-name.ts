/** Tracks the running command, so that its notices are printed below its name. */
import { AsyncLocalStorage } from 'node:async_hooks'

export type CommandNaming = {
  /** Notices that `run` and what it awaits announce are answers to this command. */
  during: <Value>(command: string, run: () => Promise<Value>) => Promise<Value>
  /** The running command, for its first notice only. */
  take: () => string | undefined
}

export function createNaming(): CommandNaming {
  const asked = new AsyncLocalStorage<{ command: string | undefined }>()
  return {
    async during(command, run) {
      const place: { command: string | undefined } = { command }
      try {
        return await asked.run(place, run)
      } finally {
        // Later notices of work that the command has started have no command's name.
        place.command = undefined
      }
    },
    take() {
      const place = asked.getStore()
      const command = place?.command
      if (place) place.command = undefined
      return command
    },
  }
}
