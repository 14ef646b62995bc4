/** Which command is being carried out where something is said, so that what it says stands below its name. */
import { AsyncLocalStorage } from 'node:async_hooks'

export type Naming = {
  /** What is said while `run` goes on, by it and by what it waits for, answers this command. */
  during: <Value>(command: string, run: () => Promise<Value>) => Promise<Value>
  /** The command that is answered here, for the first thing that it says. */
  take: () => string | undefined
}

export function createNaming(): Naming {
  const asked = new AsyncLocalStorage<{ command: string | undefined }>()
  return {
    async during(command, run) {
      const place: { command: string | undefined } = { command }
      try {
        return await asked.run(place, run)
      } finally {
        // What it has set going says its own things from now on.
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
