/**
 * The user's words to the running turn, in the results of the calls that run here. zot's own report of a result shows whether its model
 * gets them: zot may have given up on the call, or been stopped. Words that are not in it wait again.
 *
 * Where the next call is a command, that does not run: it was asked for before the words. Nothing more of that step runs then.
 */
import type { AgentEvent } from '../../../agent/event.ts'
import { failure, text, type ToolOutcome } from '../../../local-tools/tool.ts'
import { ALSO_HELD, HELD_BY_STEER } from '../../tool-host/model-messages.ts'
import { createWaitingWords, withoutWords, type TakenWords, type WaitingWords } from '../../tool-host/steering.ts'
import type { ToolResult } from './carrier.ts'
import type { OwnCall } from './own-calls.ts'
import { tooManyBytes } from './replies.ts'
import { kindOf } from './requests.ts'

type SteeredCallsOptions = {
  /** The name of the agent. */
  name: string
  emit: (event: AgentEvent) => void
  now: () => number
}

/** zot repeats texts of a result of up to 500 bytes in a message of the user, for the models of OpenAI. Words are to be read once. */
const NOT_REPEATED = 501

export class SteeredCalls {
  readonly words: WaitingWords
  readonly #name: string
  readonly #emit: (event: AgentEvent) => void
  readonly #now: () => number
  /** Words in results that zot has not reported yet, by their calls. */
  readonly #handed = new Map<string, { words: TakenWords; text: string }>()
  /** The calls that did not run, and have no result yet. */
  readonly #held = new Set<string>()
  #isHolding = false

  constructor({ name, emit, now }: SteeredCallsOptions) {
    this.words = createWaitingWords(emit, now)
    this.#name = name
    this.#emit = emit
    this.#now = now
  }

  /** Whether the rest of this step does not run. */
  get isHolding(): boolean {
    return this.#isHolding
  }

  /** The result of a call that does not run because of the user's words; null for one that may run. */
  heldBack({ callId, tool }: Pick<OwnCall, 'callId' | 'tool'>): ToolOutcome | null {
    const isFirst = !this.#isHolding && this.words.areAny && kindOf(tool) === 'command' && !isNested(callId)
    if (!this.#isHolding && !isFirst) return null
    this.#isHolding = true
    if (callId !== null) this.#held.add(callId)
    return isFirst ? this.withWords(callId, failure(HELD_BY_STEER)) : failure(ALSO_HELD)
  }

  /** The outcome as it goes to zot: with the words that wait. */
  withWords(callId: string | null, outcome: ToolOutcome): ToolOutcome {
    // The result of a nested call goes to the code of the model that made it. A result with an image is passed on twice to some models.
    if (isNested(callId) || outcome.content.some(part => part.type === 'image')) return outcome
    const words = this.words.take()
    if (!words) return outcome
    // Some of zot's providers join texts with nothing between them.
    const padded = padTo(`\n${words.text}`.toWellFormed(), NOT_REPEATED)
    const heard = { ...outcome, content: [...outcome.content, ...text(padded).content] }
    if (tooManyBytes(heard) !== null) {
      words.back()
      return outcome
    }
    // Nothing that zot reports can be matched with it.
    if (callId === null) words.delivered()
    else this.#handed.set(callId, { words, text: padded })
    return heard
  }

  /** The model is asked again: what it asks for now was asked for after the words. */
  nextStep(): void {
    this.#isHolding = false
  }

  /** zot's result as the user sees it, without the words, which it is now known to have. */
  resultOf(result: ToolResult): ToolResult {
    const { id } = result
    if (this.#held.delete(id)) this.#emit({ type: 'call_steered', at: this.#now(), id })
    const handed = this.#handed.get(id)
    if (!handed) return result
    this.#handed.delete(id)
    const content = withoutWords(result.content, handed.text)
    if (content) handed.words.delivered()
    else handed.words.back()
    return content ? { ...result, content } : result
  }

  /** The turn, or zot, has ended. */
  end(): void {
    this.words.end()
    this.#isHolding = false
    this.#held.clear()
    for (const { words } of this.#handed.values())
      words.lost(`${this.#name} did not say whether it got your words before its turn ended`)
    this.#handed.clear()
  }
}

/** Whether the call was made by code that another call runs. */
function isNested(callId: string | null): boolean {
  return callId?.includes('/') ?? false
}

function padTo(words: string, bytes: number): string {
  return words + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(words)))
}
