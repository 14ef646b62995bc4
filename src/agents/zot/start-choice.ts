/**
 * The start of zot: one value that nothing changes. Every zot of a conversation starts with a value that is derived from the one of the
 * command line and the settings, so that no path of a restart can lose a flag.
 */
import type { StartOptions } from '../../agent/backend.ts'
import type { ZotOptions } from './program/options.ts'

export type StartChoice = {
  current: () => Readonly<ZotOptions>
  /** Its options that can change; '' for one that is not set. The provider is known once an agent has started. */
  options: () => Required<StartOptions>
  /**
   * The current start with these options in the place of its own. The key stays with the provider that it was set for, and with the
   * address that was set with it: no other server gets it.
   */
  after: (options: StartOptions) => Readonly<ZotOptions>
  /** Takes a start for the next zot, and returns the options that undo that. */
  use: (start: Readonly<ZotOptions>) => Required<StartOptions>
  /** An agent has started: the key of the first start is for its provider. */
  started: (provider: string) => void
}

export function createStartChoice(first: Readonly<ZotOptions> = {}): StartChoice {
  let current = Object.freeze({ ...first })
  let firstProvider = first.provider
  return {
    current: () => current,
    options: () => changeable({ ...current, provider: current.provider ?? firstProvider }),
    after(options) {
      const { provider, apiKey } = options
      const start = { ...current, ...withoutEmpty(options) }
      if (provider === undefined || provider === '' || apiKey !== undefined) return start
      const isSameServer =
        provider === firstProvider || (start.baseUrl !== undefined && start.baseUrl === first.baseUrl)
      return { ...start, apiKey: isSameServer ? first.apiKey : undefined }
    },
    use(start) {
      const former = changeable(current)
      current = Object.freeze({ ...start })
      return former
    },
    started(provider) {
      firstProvider ??= provider
    },
  }
}

const words = (value: string | undefined): string => value ?? ''

function changeable({ provider, model, baseUrl, apiKey, reasoning }: Readonly<ZotOptions>): Required<StartOptions> {
  return {
    provider: words(provider),
    model: words(model),
    baseUrl: words(baseUrl),
    apiKey: words(apiKey),
    reasoning: words(reasoning),
  }
}

function withoutEmpty(options: StartOptions): ZotOptions {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, value === '' ? undefined : value]))
}
