/**
 * Words of the user to a running turn, where calls run here: the words wait, and go to the agent's model with the next result that it gets.
 * Each is delivered once, or `over`.
 */
import type { Prompt, Steer, SteerOutcome } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { steerDelivered } from '../../agent/prompt-sent.ts'
import { userSays } from './model-messages.ts'

export type WaitingWords = {
  /** A turn begins: words to it may wait. */
  begin(): void
  /** The turn ends or is stopped: what waits was not sent, and no more is taken. */
  end(): void
  /** Resolves, never rejects, when the words are delivered or the turn is over. */
  steer(steer: Steer): Promise<SteerOutcome>
  /** Takes words back that still wait. */
  withdraw(id: string): void
  readonly areAny: boolean
  /** Takes the words that wait, to hand them to the agent; null for none. */
  take(): TakenWords | null
}

/** Words on their way to the agent. One of the functions is called, once. */
export type TakenWords = {
  /** For the model. */
  text: string
  prompts: readonly Prompt[]
  /** The agent has got them. */
  delivered(): void
  /** The agent has not got them: they wait again, unless the turn is over. */
  back(): void
  /** Nobody knows. */
  lost(message: string): void
}

/** Sends the outcome of deferred calls with the words that wait then: what is not sent is not delivered. `send` returns whether it was sent. */
export function sendWithWords(waiting: WaitingWords, text: string, send: (text: string) => boolean): void {
  const words = waiting.take()
  const isSent = send(words ? `${text}\n\n${words.text}` : text)
  if (isSent) words?.delivered()
  else words?.back()
}

type UnsentSteer = { steer: Steer; settle: (outcome: SteerOutcome) => void }

/** Characters of words with the files that they mention. A result has room for that beside its own text. */
const LONGEST = 500_000

/** The content without these words at the end of a text; null if they are not there. */
export function withoutWords<Part extends { type: string; text?: string | undefined }>(
  content: readonly Part[],
  words: string,
): Part[] | null {
  const wanted = words.trimEnd()
  const at = content.findLastIndex(part => part.text?.trimEnd().endsWith(wanted))
  const part = content[at]
  if (part?.text === undefined) return null
  const rest = part.text
    .trimEnd()
    .slice(0, -wanted.length)
    .replace(/\n{1,2}$/, '')
  return content.toSpliced(at, 1, ...(rest === '' ? [] : [{ ...part, text: rest }]))
}

export function createWaitingWords(emit: (event: AgentEvent) => void, now: () => number): WaitingWords {
  let waiting: readonly UnsentSteer[] = []
  let isInTurn = false
  /** What the user wanted back while it was on its way. */
  const unwanted = new Set<string>()

  const isUnwanted = ({ steer }: UnsentSteer): boolean => unwanted.has(steer.id)

  function settleAll(words: readonly UnsentSteer[], outcome: SteerOutcome): void {
    for (const { settle } of words) settle(outcome)
  }

  return {
    begin() {
      isInTurn = true
      unwanted.clear()
    },
    end() {
      isInTurn = false
      settleAll(waiting, { how: 'over' })
      waiting = []
    },
    async steer(steer) {
      if (steer.prompt.images.length > 0)
        return { how: 'refused', message: 'this agent takes images only with a prompt, not while it works' }
      if (JSON.stringify(steer.prompt).length > LONGEST)
        return { how: 'refused', message: 'this is too long for an agent that works: send it as a prompt' }
      if (!isInTurn) return { how: 'over' }
      return new Promise(settle => void (waiting = [...waiting, { steer, settle }]))
    },
    withdraw(id) {
      unwanted.add(id)
      const withdrawn = waiting.filter(({ steer }) => steer.id === id)
      waiting = waiting.filter(each => !withdrawn.includes(each))
      settleAll(withdrawn, { how: 'withdrawn' })
    },
    get areAny() {
      return waiting.length > 0
    },
    take() {
      if (waiting.length === 0) return null
      const taken = waiting
      waiting = []
      const prompts = taken.map(({ steer }) => steer.prompt)
      return {
        text: userSays(prompts),
        prompts,
        delivered() {
          for (const { steer } of taken) emit(steerDelivered(steer, now()))
          settleAll(taken, { how: 'delivered' })
        },
        back() {
          settleAll(taken.filter(isUnwanted), { how: 'withdrawn' })
          const wanted = taken.filter(each => !isUnwanted(each))
          if (isInTurn) waiting = [...wanted, ...waiting]
          else settleAll(wanted, { how: 'over' })
        },
        lost: message => settleAll(taken, { how: 'unknown', message }),
      }
    },
  }
}
