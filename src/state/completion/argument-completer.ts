/** How a slash command completes its argument. */
import type { Choice } from '../pickers/picker.ts'
import type { AppState } from '../state.ts'

export type ArgumentChoice = Choice & {
  /** False if Enter does not run the command with it; true by default. */
  sends?: boolean
  /** True if it is the current value. */
  isInUse?: boolean
}

export type ArgumentCompleter = {
  /** The known values; `label` is inserted. `query` is the typed part. */
  choices?: (state: AppState, query: string) => readonly ArgumentChoice[]
  /** Requests unknown values. Called when the user begins to type an argument. */
  load?: (sources: ArgumentSources) => void
  /** The hint while no known value matches. */
  none?: (state: AppState) => string | null
  /** True if it may also be a file of the project. */
  files?: boolean
}

/** Requests that a completer can make; the answers go into the state. */
export type ArgumentSources = { models: () => Promise<void>; branches: () => Promise<void> }

/** The detail of a value that is in use. */
export function inUse(choice: string, used: string): string {
  return choice === used ? 'in use' : ''
}
