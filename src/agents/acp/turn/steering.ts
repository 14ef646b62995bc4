/**
 * Words to the running turn: an extension of Claude Code and Codex. The agent says what became of them, and never sends them back, so they
 * are shown where it says that it took them.
 */
import type { Steer, SteerOutcome } from '../../../agent/backend.ts'
import { textAt } from '../../../text/member.ts'
import type { RpcError, RpcPeer, RpcReply } from '../../transport/json-rpc.ts'

const STEER = '_session/steering'

/** Without this an idle agent begins a turn of which it never reports the end. */
const PROMPT_IF_IDLE = { steering: { idleBehavior: 'promptRequired' } }

export type AcpSteeringOptions = {
  peer: RpcPeer
  /** The name of the agent. */
  name: string
  /** Milliseconds for its answer. */
  limit: number
  /** An error as text for the user. */
  words: (error: RpcError) => string
  /** The agent has taken these words into the open turn. Called between the lines before and after its answer. */
  taken: (steer: Steer) => void
}

type SentSteer = { outcome: Promise<SteerOutcome>; giveUp: (message: string) => void }

export class AcpSteering {
  readonly #options: AcpSteeringOptions
  readonly #waiting = new Set<SentSteer>()

  constructor(options: AcpSteeringOptions) {
    this.#options = options
  }

  /** Resolves when every answer so far is there or overdue; null if none is waited for. */
  get answered(): Promise<unknown> | null {
    return this.#waiting.size === 0 ? null : Promise.all([...this.#waiting].map(({ outcome }) => outcome))
  }

  /** Sends the words, as the blocks of a prompt, to the session's turn. Never rejects. */
  send(sessionId: string, steer: Steer, blocks: readonly object[]): Promise<SteerOutcome> {
    const prompt = blocks.filter(block => textAt(block, 'text') !== '')
    // Codex begins a turn without words for an empty prompt.
    if (prompt.length === 0) return Promise.resolve({ how: 'refused', message: 'there are no words to send' })
    const { peer, limit, name } = this.#options
    const { promise: outcome, resolve } = Promise.withResolvers<SteerOutcome>()
    const settle = (how: SteerOutcome): void => {
      this.#waiting.delete(waiting)
      clearTimeout(timer)
      resolve(how)
    }
    const waiting: SentSteer = {
      outcome,
      giveUp: message => {
        settle({ how: 'unknown', message })
        cancel()
      },
    }
    this.#waiting.add(waiting)
    const timer = setTimeout(() => waiting.giveUp(`${name} did not say whether it got your words`), limit)
    const cancel = peer.send(STEER, { sessionId, prompt, _meta: PROMPT_IF_IDLE }, reply => {
      if (this.#waiting.has(waiting)) settle(this.#outcomeOf(reply, steer))
    })
    return outcome
  }

  /** The turn is being stopped: an agent drops what its model has not read yet, and does not say so. */
  stop(): void {
    for (const { giveUp } of this.#waiting)
      giveUp(`${this.#options.name} was stopped before it said whether it got your words`)
  }

  #outcomeOf(reply: RpcReply, steer: Steer): SteerOutcome {
    const { name, words, taken } = this.#options
    if (!reply.ok && reply.ending)
      return { how: 'unknown', message: `${name} ended before it said whether it got your words` }
    if (!reply.ok) return { how: 'refused', message: words(reply.error) }
    switch (textAt(reply.result, 'outcome') ?? '') {
      case 'injected':
      case 'startedNewTurn':
        taken(steer)
        return { how: 'delivered' }
      case 'promptRequired':
        return { how: 'over' }
      case 'failed':
        return { how: 'refused', message: `${name} did not take your words` }
      default:
        return { how: 'unknown', message: `${name} answered in a way that zotui does not know` }
    }
  }
}
