/**
 * What an agent itself says in pieces of its answer: Copilot reports failures of its model so, with the end of a turn that went well, and
 * that it stops after a refused call. It sends such a piece whole and alone. A request to its model begins with a `usage_update`: a failure
 * comes after one, the words about the refused call come without one. Pure.
 */

export type SpokenTrouble = {
  /** Takes a piece of the answer, and returns what of it can be shown now: a piece that may be a failure is buffered. */
  piece(text: string): string
  /** A request to the model begins: the buffered text was the words of a retry, or a part of the answer. */
  requested(): { retry: string } | { text: string } | null
  /** The user refused a call. Until the next request, the model says nothing. */
  refused(): void
  /** Anything else of the turn arrives: the buffered text was a part of the answer. */
  release(): string
  /** The turn ends: the buffered text is a failure, a notice, or a part of the answer. */
  end(counted: Counted): { failure: string } | { notice: string } | { text: string } | null
}

/** The tokens of the turn: whether the agent has reported any, and whether there were more than before it. */
export type Counted = 'nothing' | 'no more' | 'more'

/** Copilot says so that it tries again. */
const RETRY = /^Info: ((?:Request failed|Response was interrupted) due to [^\n]+\. Retrying\.\.\.)$/

/** Copilot says so that a turn ended after a refused call. */
const CANCELLED = /^Info: (Operation cancelled by user)$/

const ERROR = /^Error: /

/** Copilot says so that the model's server gave an error, or that it gave up. */
const KNOWN =
  /^Error: (?:[45]\d\d [^\n]+|Failed to get response from the AI model; retried [^\n]+|Authentication failed with provider at [^\n]+ \(HTTP \d+\)\.[^]*)$/

export function createSpokenTrouble(): SpokenTrouble {
  let buffered = ''
  /** Whether the request that runs has said nothing so far. */
  let isFirst = false
  /** Whether a call was refused since the last request. */
  let isRefused = false
  /** The requests of this turn, without those that were tried again. */
  let requests = 0

  return {
    piece(text) {
      if (text === '') return ''
      const before = release()
      const isOwn = (isFirst && ERROR.test(text)) || (isRefused && CANCELLED.test(text))
      const mayBe = RETRY.test(text) || (isOwn && before === '')
      isFirst = false
      if (!mayBe) return before + text
      buffered = text
      return before
    },
    requested() {
      isFirst = true
      isRefused = false
      const [, retry] = RETRY.exec(buffered) ?? []
      if (retry === undefined) requests += 1
      const text = release()
      if (retry !== undefined) return { retry }
      return text === '' ? null : { text }
    },
    refused: () => void (isRefused = true),
    release,
    end(counted) {
      const [, notice] = (isRefused && CANCELLED.exec(buffered)) || []
      const isFailure = ERROR.test(buffered) && isOwnWords(counted)
      const text = release()
      if (text === '') return null
      if (notice !== undefined) return { notice }
      return isFailure ? { failure: text.replace(ERROR, '') } : { text }
    },
  }

  /** An answer has tokens. After a call, those of the call hide whether there was one: then only the words themselves show it. */
  function isOwnWords(counted: Counted): boolean {
    if (counted === 'no more') return true
    return KNOWN.test(buffered) && (counted === 'nothing' || requests > 1)
  }

  function release(): string {
    const text = buffered
    buffered = ''
    return text
  }
}
