/**
 * Failures of the model that an agent reports as pieces of its answer: Copilot does, with the end of a turn that went well. It sends such a
 * piece whole and alone, after the `usage_update` with which each request to its model begins. Pure.
 */

export type SpokenTrouble = {
  /** Takes a piece of the answer, and returns what of it is said now: one that may be a failure is held. */
  piece(text: string): string
  /** A request to the model begins: what was held was a retry, or was said. */
  requested(): { retry: string } | { text: string } | null
  /** Anything else of the turn arrives: what was held was said. */
  release(): string
  /** The turn ends: what was held is a failure, or was said. */
  end(counted: Counted): { failure: string } | { text: string } | null
}

/** The tokens of the turn: whether the agent has reported any, and whether there were more than before it. */
export type Counted = 'nothing' | 'no more' | 'more'

/** Its own words for another try. */
const RETRY = /^Info: ((?:Request failed|Response was interrupted) due to [^\n]+\. Retrying\.\.\.)$/

const ERROR = /^Error: /

/** Its own words for an error of the model's server. */
const KNOWN =
  /^Error: (?:[45]\d\d [^\n]+|Failed to get response from the AI model; retried [^\n]+|Authentication failed with provider at [^\n]+ \(HTTP \d+\)\.[^]*)$/

export function createSpokenTrouble(): SpokenTrouble {
  let held = ''
  /** Whether the request that runs has said nothing so far. */
  let isFirst = false
  /** The requests of this turn, without those that were tried again. */
  let requests = 0

  return {
    piece(text) {
      if (text === '') return ''
      const before = release()
      const mayBe = RETRY.test(text) || (isFirst && ERROR.test(text) && before === '')
      isFirst = false
      if (!mayBe) return before + text
      held = text
      return before
    },
    requested() {
      isFirst = true
      const [, retry] = RETRY.exec(held) ?? []
      if (retry === undefined) requests += 1
      const text = release()
      if (retry !== undefined) return { retry }
      return text === '' ? null : { text }
    },
    release,
    end(counted) {
      const isFailure = ERROR.test(held) && isTold(counted)
      const text = release()
      if (text === '') return null
      return isFailure ? { failure: text.replace(ERROR, '') } : { text }
    },
  }

  /** An answer has tokens. After a call, those of the call hide whether there was one: then only its own words tell. */
  function isTold(counted: Counted): boolean {
    if (counted === 'no more') return true
    return KNOWN.test(held) && (counted === 'nothing' || requests > 1)
  }

  function release(): string {
    const text = held
    held = ''
    return text
  }
}
