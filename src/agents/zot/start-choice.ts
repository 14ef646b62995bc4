/** The options of the next start, such as its model and its provider. */
import type { StartOptions } from '../../agent/backend.ts'

const NOTHING: Required<StartOptions> = { provider: '', model: '', baseUrl: '', apiKey: '', reasoning: '' }

export type StartChoice = {
  current: () => StartOptions
  /** The options with these in their place. Another provider never gets this one's key and address; the first one gets its own again. */
  after: (options: StartOptions) => StartOptions
  /** Takes options for the next start, and returns all of the former ones. */
  use: (options: StartOptions) => StartOptions
  /** An agent has started: the key and the address of the first start are for its provider. */
  started: (provider: string) => void
}

export function createStartChoice(first: StartOptions = {}): StartChoice {
  let current = first
  let firstProvider: string | undefined
  return {
    current: () => current,
    after(options) {
      const { provider } = options
      const start = { ...current, ...options }
      if (provider === undefined || provider === (current.provider ?? firstProvider)) return start
      const own = provider === firstProvider ? first : undefined
      return { ...start, apiKey: own?.apiKey ?? '', baseUrl: own?.baseUrl ?? '', ...options }
    },
    use(options) {
      const former = { ...NOTHING, ...current }
      current = options
      return former
    },
    started(provider) {
      firstProvider ??= current.provider ?? provider
    },
  }
}
