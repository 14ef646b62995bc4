/** The prompts of a run: one at a time, each after the changes that were made before it. */
import type { Prompt } from '../../agent/backend.ts'
import { createPrompting, type Prompting, type PromptingContext } from './prompting.ts'

export type PromptSlot = {
  /** The last prompt. */
  readonly last: Prompting | undefined
  /** Whether it is in flight. */
  readonly isBusy: boolean
  /** Resolves when the turn is over and all its events are emitted. */
  run(prompt: Prompt): Promise<void>
  abort(): void
}

export type PromptSlotOptions = Omit<PromptingContext, 'send'> & {
  /** The name of the agent. */
  name: string
  isRunning: () => boolean
  /** The reason why the agent cannot take the prompt; null if it can. */
  refusal: (prompt: Prompt) => string | null
  /** Resolves when all changes so far are done. */
  changed: () => Promise<unknown>
  /** Prepares the agent for the next prompt. Returns the reason if that fails. */
  prepare?: () => Promise<string | null>
  send: (prompting: Prompting) => void
}

export function createPromptSlot(options: PromptSlotOptions): PromptSlot {
  const { name, isRunning, refusal, changed, prepare, send } = options
  let last: Prompting | undefined

  const slot: PromptSlot = {
    get last() {
      return last
    },
    get isBusy() {
      return last !== undefined && !last.isOver
    },
    async run(prompt) {
      if (slot.isBusy) throw new Error('a prompt is in flight: the caller must wait for its end')
      const prompting = createPrompting(prompt, { ...options, send: () => send(prompting) })
      last = prompting
      prompting.announce()
      refuse(prompting, refusal(prompt))
      await changed()
      await prompt.ready
      const isWanted = !prompting.isOver && !prompting.isAborted
      refuse(prompting, isWanted && prepare ? await prepare() : null)
      prompting.start()
      await prompting.over
    },
    abort: () => last?.abort(),
  }
  return slot

  function refuse(prompting: Prompting, why: string | null): void {
    if (!isRunning()) prompting.refuse(`${name} is not running`)
    else if (why !== null) prompting.refuse(why)
  }
}
