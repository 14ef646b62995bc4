/**
 * Runs one prompt without a UI. Its events take the same pipeline into the conversation and the session as those of the UI;
 * a writer prints them, and how the run ended becomes an exit code.
 */
import type { Backend, OwnSession, Prompt } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import { createEventPipeline } from '../app/events/pipeline.ts'
import { breakOff } from '../app/events/snapshot.ts'
import type { ToolLimit } from '../state/state.ts'
import { createFold } from '../conversation/fold.ts'
import { initialChat, type ChatState } from '../conversation/state.ts'
import { ownSession } from '../conversation/queries/own-session.ts'
import { memoryFor } from '../conversation/queries/digest.ts'
import { sentence } from '../text/sentence.ts'
import type { Sessions } from '../storage/sessions/sessions.ts'
import type { Ledger } from '../storage/usage/ledger.ts'
import { howItEnded, withRefusals, type PrintEnd, type PrintStop } from './ending.ts'
import type { PrintPermissions } from './permissions.ts'
import type { PrintWriter } from './writer.ts'

export type PrintOptions = {
  backend: Backend
  prompt: Prompt
  /** The folder in which the agent works; undefined for one of another machine. */
  folder: string | undefined
  /** The reason why the agent lacks tools; null if it has all of its own. */
  toolLimit: ToolLimit | null
  writer: PrintWriter
  /** Decides what runs; null where everything runs as the agent likes. */
  permissions: PrintPermissions | null
  /** The sessions that store the conversation; null to store nothing. */
  sessions: Sessions | null
  /** The ledger that records usage; null to record nothing. */
  ledger: Ledger | null
  /** The session to resume. */
  resume: string | null
  /** Values that must not be shown or stored. */
  secrets: readonly string[]
  /** Takes a warning for the user, which is no part of the answer. */
  warn: (line: string) => void
  /** Estimated tokens for the digest of the conversation so far. */
  memoryTokens: number
  /** In US dollars: no further step begins after the session has cost that much. */
  maxCost: number | null
  /** Milliseconds for the whole run. */
  timeout: number | null
  /**
   * Resolves when the agent is no longer needed after the prompt. Where it is given, other programs can attach and answer, so a form
   * of the agent waits for them.
   */
  stay?: () => Promise<void>
}

export type Printing = {
  /** Resolves when the agent has exited and everything is written. */
  ended: Promise<PrintEnd>
  /** Stops the agent gracefully; a second call kills it. */
  stop: (why: PrintStop) => void
}

/** Starts the run at once. */
export function startPrinting(options: PrintOptions): Printing {
  const { backend, prompt, writer, permissions, sessions, maxCost, timeout, warn } = options
  let chat: ChatState = initialChat
  let isBegun = false
  let isCostTold = false
  let isCostWarned = false
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
  const { promise: isStopped, resolve: onStop } = Promise.withResolvers<void>()
  const deadline = timeout === null ? undefined : setTimeout(stop, timeout, 'timeout')
  backend.subscribe(event => {
    pipeline.publish([permissions?.heed(event) ?? event])
    heed(event)
  })
  return { ended: run(), stop }

  async function run(): Promise<PrintEnd> {
    const own = await resume()
    const begun = chat.entries.length
    writer.begins(chat)
    isBegun = true
    await permissions?.begin(backend)
    if (stopped === null) await backend.open(own)
    if (isSpent()) stopped ??= 'max_cost'
    // The earlier turns of a session show what its agent tells.
    if (chat.usage.costUsd === null && chat.agent.name === backend.name) warnOfCost()
    if (chat.agent.phase === 'ready' && stopped === null) {
      const memory = memoryFor(chat, options.memoryTokens)
      await backend.prompt({ ...prompt, ...(memory && { memory }) })
    }
    clearTimeout(deadline)
    if (options.stay) await Promise.race([options.stay(), isStopped])
    permissions?.end()
    await backend.close()
    pipeline.end()
    writer.ended()
    // Earlier turns of the session do not count.
    const ended = howItEnded({ ...chat, entries: chat.entries.slice(begun) }, stopped)
    return permissions?.hasRefused() === true ? withRefusals(ended) : ended
  }

  /** Reads the conversation to resume. Returns the agent's own session of it. */
  async function resume(): Promise<OwnSession | undefined> {
    if (options.resume === null) return undefined
    let at = 0
    const past = createFold()
    const resumed = await sessions?.resume(options.resume, events => {
      past.add(events)
      at = events.at(-1)?.at ?? at
      return true
    })
    chat = past.chat()
    const forked = resumed?.forked ?? null
    const own = ownSession(chat, backend.name, forked)
    pipeline.publish(breakOff(chat, at, forked !== null))
    return own
  }

  function heed(event: AgentEvent): void {
    followCost(event)
    // Nobody is there to answer.
    if (event.type === 'question_asked' && !options.stay)
      queueMicrotask(() => backend.answerQuestion?.(event.id, null, 'declined'))
    if (event.type === 'agent_session_opened' && event.problem !== undefined)
      warn(unopened(backend.name, event.problem))
    const goesOn = event.type === 'step_started' && event.step > 1
    if (goesOn && isSpent()) stop('max_cost')
  }

  function followCost(event: AgentEvent): void {
    if (event.type === 'usage_reported') isCostTold ||= event.usage.costUsd !== null
    if (event.type === 'context_reported') isCostTold ||= (event.sessionCostUsd ?? event.costUsd) !== null
    if (event.type !== 'turn_ended' || isCostTold) return
    // A turn that failed may have cost nothing.
    const last = chat.entries.findLast(entry => entry.kind === 'turn')
    if (chat.usage.costUsd === null || last?.outcome === 'done') warnOfCost()
  }

  function warnOfCost(): void {
    if (maxCost === null || isCostWarned) return
    isCostWarned = true
    warn(`${backend.name} does not tell what it costs, so --max-cost cannot stop it.`)
  }

  function isSpent(): boolean {
    return maxCost !== null && (chat.usage.costUsd ?? 0) >= maxCost
  }

  function stop(why: PrintStop): void {
    if (stopped !== null) return void backend.kill()
    stopped = why
    onStop()
    permissions?.end()
    // Closing aborts first, and waits at most a few seconds for the agent to stop.
    void backend.close()
  }
}

function unopened(agent: string, problem: string): string {
  return `${agent} did not open its own session: ${sentence(problem)} It gets a summary of the conversation.`
}
