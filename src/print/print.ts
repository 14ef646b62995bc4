/**
 * One prompt without a UI: through the same agent and folded by the same reducer. What is told goes to a writer, and how
 * it ended becomes an exit code.
 */
import type { Backend, Prompt } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import { annotated } from '../app/annotate.ts'
import { reduce } from '../chat/reduce.ts'
import { initialChat, type ChatState } from '../chat/state.ts'
import { howItEnded, type PrintEnd, type Stop } from './ending.ts'
import type { Writer } from './writer.ts'

export type PrintOptions = {
  backend: Backend
  prompt: Prompt
  /** The folder in which the agent works. */
  folder: string
  writer: Writer
  /** In US dollars: once it has cost that much, no further step begins. */
  maxCost: number | null
  /** Milliseconds for all of it. */
  timeout: number | null
}

export type Printing = {
  /** Resolves when the agent is gone and everything is told. */
  ended: Promise<PrintEnd>
  /** Stops the agent in good order; where it is being stopped already it is killed. */
  stop: (why: Stop) => void
}

/** Begins at once. */
export function startPrinting({ backend, prompt, folder, writer, maxCost, timeout }: PrintOptions): Printing {
  let chat: ChatState = initialChat
  let stopped: Stop | null = null
  const deadline = timeout === null ? undefined : setTimeout(stop, timeout, 'timeout')
  backend.subscribe(event => {
    for (const told of annotated(chat, event, folder)) {
      chat = reduce(chat, told)
      writer.told(chat, told)
    }
    heed(event)
  })
  return { ended: run(), stop }

  async function run(): Promise<PrintEnd> {
    await backend.open()
    if (chat.agent.phase === 'ready' && stopped === null) await backend.prompt(prompt)
    clearTimeout(deadline)
    await backend.close()
    writer.ended()
    return howItEnded(chat, stopped)
  }

  function heed(event: AgentEvent): void {
    if (event.type === 'step_started' && maxCost !== null && chat.usage.costUsd >= maxCost) stop('max_cost')
    // Who pressed a key can press it again; nobody waits here for what was stopped by a limit.
    if (event.type === 'abort_overdue' && stopped !== 'interrupted') void backend.kill()
  }

  function stop(why: Stop): void {
    if (stopped !== null) return void backend.kill()
    stopped = why
    if (chat.open) backend.abort()
    else void backend.close()
  }
}
