/** What one command may reach: the rules that hold at the moment, and what the person has answered about it. */
import { isAskable, isListed, type HostRule, type NamedHost } from './hosts.ts'

export type HostPolicy = {
  /** Nothing may be reached, and nobody is asked. */
  isClosed: boolean
  rules: readonly HostRule[]
}

/** `refuse_now`: only those who wait are refused, and the next one asks again. */
export type HostAnswer = 'allow' | 'refuse' | 'refuse_now'

/** A host that no rule names, while the connection to it waits. */
export type HostQuestion = {
  /** In lower case; an IPv6 address has no brackets. */
  host: string
  port: number
  /** Aborted when nobody waits for the answer any more: the clients have gone away for some seconds, or the command has ended. */
  signal: AbortSignal
}

/** Rejecting is refusing. */
export type DecideHost = (question: HostQuestion) => Promise<HostAnswer>

/** A host that a command did not reach, for each host and port once. */
export type RefusedHost = {
  host: string
  port: number
  /**
   * 'unlisted': no rule names it and the person did not allow it. 'address': it belongs or leads to an address that has to be listed itself.
   * 'closed': there is no network at all. 'many': too many other hosts were asked about.
   */
  why: 'unlisted' | 'address' | 'closed' | 'many'
}

/** Different hosts that one command may be asked about at once, and in all. */
const MOST_WAITING = 16
const MOST_ASKED = 128
const MOST_REFUSED = 128

export type HostPass = {
  /** Whether it may be reached; else why not. While the person is asked, this takes any time. `gone`: the client does not wait any more. */
  judge(named: NamedHost, port: number, gone: AbortSignal): Promise<'allowed' | RefusedHost['why']>
  /** Its name was allowed, and it led to an address that is not. */
  refuse(refused: RefusedHost): void
  /** The first ones. */
  refused(): readonly RefusedHost[]
  /** Withdraws all questions. Nothing is allowed from now on. */
  close(): void
}

type PendingQuestion = {
  answer: Promise<HostAnswer>
  withdraw: AbortController
  clients: number
  /** Runs while it has no client. */
  absence: NodeJS.Timeout | undefined
}

type PassOptions = {
  policy: () => HostPolicy
  decide: DecideHost
  /** Milliseconds that a question is kept when its last client has gone: many programs give up after some seconds, and try again. */
  absence: number
}

/** An answer holds for the host and the port until the command ends, so that one that tries again does not ask again. */
export function createHostPass({ policy, decide, absence }: PassOptions): HostPass {
  const answers = new Map<string, HostAnswer>()
  const questions = new Map<string, PendingQuestion>()
  const refusals = new Map<string, RefusedHost>()
  let isOver = false

  const refuse = (refused: RefusedHost): void => {
    if (refusals.size < MOST_REFUSED) refusals.set(keyOf(refused), refused)
  }

  async function judge(named: NamedHost, port: number, gone: AbortSignal): ReturnType<HostPass['judge']> {
    const { isClosed, rules } = policy()
    if (isOver || isClosed) return 'closed'
    if (isListed(rules, named.host, port)) return 'allowed'
    if (!isAskable(named)) return 'address'
    const { host } = named
    const answer = answers.get(keyOf({ host, port })) ?? (await ask({ host, port }, gone))
    if (answer === 'many') return answer
    // It took its time, and no network at all comes before what was answered.
    if (isOver || policy().isClosed) return 'closed'
    return answer === 'allow' ? 'allowed' : 'unlisted'
  }

  /** Clients that want the same host wait for the same answer. */
  async function ask(asked: { host: string; port: number }, gone: AbortSignal): Promise<HostAnswer | 'many'> {
    const key = keyOf(asked)
    const isMany = questions.size >= MOST_WAITING || answers.size >= MOST_ASKED
    if (isMany && !questions.has(key)) return 'many'
    const waiting = questions.get(key) ?? begin(key, asked)
    waiting.clients += 1
    clearTimeout(waiting.absence)
    const answer = await Promise.race([waiting.answer, aborted(gone)])
    waiting.clients -= 1
    if (waiting.clients === 0 && questions.get(key) === waiting)
      waiting.absence = setTimeout(() => waiting.withdraw.abort(), absence).unref()
    return answer
  }

  function begin(key: string, asked: { host: string; port: number }): PendingQuestion {
    const withdraw = new AbortController()
    const { signal } = withdraw
    const decided = answerOf(asked, signal)
    // What is answered to a question that was withdrawn is not kept.
    const answer = Promise.race([decided, aborted(signal)]).then(given => {
      if (signal.aborted) return given
      if (given !== 'refuse_now') answers.set(key, given)
      questions.delete(key)
      return given
    })
    signal.addEventListener('abort', () => void questions.delete(key), { once: true })
    const waiting = { answer, withdraw, clients: 0, absence: undefined }
    questions.set(key, waiting)
    return waiting
  }

  async function answerOf(asked: { host: string; port: number }, signal: AbortSignal): Promise<HostAnswer> {
    try {
      return await decide({ ...asked, signal })
    } catch {
      // Who cannot be asked has not allowed it.
      return 'refuse'
    }
  }

  return {
    async judge(named, port, gone) {
      const verdict = await judge(named, port, gone)
      if (verdict !== 'allowed' && !gone.aborted && !isOver) refuse({ host: named.host, port, why: verdict })
      return verdict
    },
    refuse,
    refused: () => [...refusals.values()],
    close() {
      isOver = true
      for (const { withdraw } of questions.values()) withdraw.abort()
    },
  }
}

const keyOf = ({ host, port }: { host: string; port: number }): string => `${host} ${port}`

/** Refused where nobody waits. */
function aborted(signal: AbortSignal): Promise<HostAnswer> {
  const { promise, resolve } = Promise.withResolvers<HostAnswer>()
  if (signal.aborted) resolve('refuse')
  else signal.addEventListener('abort', () => resolve('refuse'), { once: true })
  return promise
}
