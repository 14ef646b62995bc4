/**
 * Runs one prompt without a UI. Its events take the same pipeline into the conversation and the session as those of the UI;
 * a writer prints them, and how the run ended becomes an exit code.
 */
import type { Backend, Prompt } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import { createEventPipeline } from '../app/events/pipeline.ts'
import { breakOff } from '../app/events/snapshot.ts'
import type { ToolLimit } from '../state/tool-limit.ts'
import { createFold } from '../conversation/fold.ts'
import { initialChat, type ChatState } from '../conversation/state.ts'
import { memoryFor } from '../conversation/digest.ts'
import type { Sessions } from '../storage/sessions/sessions.ts'
import type { Ledger } from '../storage/usage/ledger.ts'
import { howItEnded, type PrintEnd, type PrintStop } from './ending.ts'
import type { Writer } from './writer.ts'

export type PrintOptions = {
  backend: Backend
  prompt: Prompt
  /** The folder in which the agent works. */
  folder: string
  /** Why the agent lacks tools; null where it has all of its own. */
  toolLimit: ToolLimit | null
  writer: Writer
  /** Where it is kept; null for nowhere. */
  sessions: Sessions | null
  /** Where it is noted what is used; null for nowhere. */
  ledger: Ledger | null
  /** The session to go on with. */
  resume: string | null
  /** Values that nobody may see or store. */
  secrets: readonly string[]
  /** Estimated tokens that the agent may be told of what was said before. */
  memoryTokens: number
  /** In US dollars: once the session has cost that much, no further step begins. */
  maxCost: number | null
  /** Milliseconds for all of it. */
  timeout: number | null
}

export type Printing = {
  /** Resolves when the agent is gone and everything is told. */
  ended: Promise<PrintEnd>
  /** Stops the agent in good order; where it is being stopped already it is killed. */
  stop: (why: PrintStop) => void
}

/** Begins at once. */
export function startPrinting(options: PrintOptions): Printing {
  const { backend, prompt, writer, sessions, maxCost, timeout } = options
  let chat: ChatState = initialChat
  let isBegun = false
  const pipeline = createEventPipeline({
    ...options,
    chat: () => chat,
    onFold(next) {
      chat = next
    },
    onEvent(next, event) {
      if (isBegun) writer.told(next, event)
    },
  })
  let stopped: PrintStop | null = null
  const deadline = timeout === null ? undefined : setTimeout(stop, timeout, 'timeout')
  backend.subscribe(event => {
    pipeline.publish([event])
    heed(event)
  })
  return { ended: run(), stop }

  async function run(): Promise<PrintEnd> {
    const isResumed = await resume()
    const begun = chat.entries.length
    writer.begins(chat)
    isBegun = true
    if (stopped === null) await backend.open()
    if (isSpent()) stopped ??= 'max_cost'
    if (chat.agent.phase === 'ready' && stopped === null) {
      const memory = isResumed ? memoryFor(chat, options.memoryTokens) : undefined
      await backend.prompt({ ...prompt, ...(memory && { memory }) })
    }
    clearTimeout(deadline)
    await backend.close()
    pipeline.end()
    writer.ended()
    // How the session went before is nobody's question.
    return howItEnded({ ...chat, entries: chat.entries.slice(begun) }, stopped)
  }

  /** Reads the conversation that is gone on with; false where there is none. */
  async function resume(): Promise<boolean> {
    if (options.resume === null) return false
    let at = 0
    const past = createFold()
    const resumed = await sessions?.resume(options.resume, events => {
      past.add(events)
      at = events.at(-1)?.at ?? at
      return true
    })
    chat = past.chat()
    pipeline.publish(breakOff(chat, at))
    return resumed !== null && resumed !== undefined
  }

  function heed(event: AgentEvent): void {
    const goesOn = event.type === 'step_started' && event.step > 1
    if (goesOn && isSpent()) stop('max_cost')
  }

  function isSpent(): boolean {
    return maxCost !== null && chat.usage.costUsd >= maxCost
  }

  function stop(why: PrintStop): void {
    if (stopped !== null) return void backend.kill()
    stopped = why
    // It aborts first, and waits for an agent that does not stop no longer than a few seconds.
    void backend.close()
  }
}
