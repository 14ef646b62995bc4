/**
 * Runs one prompt without a UI. Its events go through the same pipeline into the conversation and the session as those
 * of the UI; a writer prints them, and the outcome of the run becomes an exit code.
 */
import type { Backend, OwnSession, Prompt } from '../agent/backend.ts'
import type { AgentEvent, Usage } from '../agent/event.ts'
import { createEventPipeline } from '../app/events/pipeline.ts'
import { breakOff } from '../app/events/snapshot.ts'
import type { ToolLimit } from '../state/state.ts'
import { createFold } from '../conversation/fold.ts'
import { initialChat, noUsage, type ChatState } from '../conversation/state.ts'
import { lastTurn } from '../conversation/queries/last-turn.ts'
import { ownSession } from '../conversation/queries/session/own-session.ts'
import { providerName, withheldFrom } from '../conversation/queries/session/result-owner.ts'
import { providerKey } from '../conversation/sharing.ts'
import { memoryFor } from '../conversation/queries/session/digest.ts'
import { finalAnswer, textsOf } from '../conversation/queries/answer.ts'
import { sentence } from '../text/sentence.ts'
import type { Sessions } from '../storage/sessions/sessions.ts'
import type { Ledger } from '../storage/usage/ledger.ts'
import { howItEnded, withOverrun, withRefusals, withUnfit, type PrintEnd, type PrintStop } from './ending.ts'
import type { CheckedAnswer, OutputSchema } from './output-schema.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { PromptHooks } from '../hooks/prompts.ts'
import type { RunPermissions } from './permissions.ts'
import type { PrintWriter } from './writer.ts'

export type PrintOptions = {
  backend: Backend
  /** Null for none: then the agent is only started, and runs until `stay` resolves. */
  prompt: Prompt | null
  /** The folder in which the agent works; undefined for one of another machine. */
  folder: string | undefined
  /** The reason why the agent lacks tools; null if it has all of its own. */
  toolLimit: ToolLimit | null
  writer: PrintWriter
  /** Decides what runs; null if the agent decides. */
  permissions: RunPermissions | null
  /** The user's hooks; null if there are none. */
  hooks: { hooks: Pick<Hooks, 'settled' | 'close'>; prompts: PromptHooks } | null
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
  /** The schema that the answer must satisfy; null for any answer. */
  outputSchema: OutputSchema | null
  /** Takes the JSON of an answer that satisfies the schema. */
  onAnswer?: (json: string) => void
  /**
   * Resolves when the agent is no longer needed after the prompt. With it, other programs can attach and answer, so the
   * agent's forms wait for them.
   */
  stay?: () => Promise<void>
}

export type Printing = {
  /** Resolves when the agent has exited and everything is written. */
  ended: Promise<PrintEnd>
  /** Stops the agent gracefully; a second call kills it. */
  stop: (why: PrintStop) => void
  chat: () => ChatState
  /** The answer and the usage of this run so far. */
  made: () => PrintMade
  /** Replaces the conversation by the one of these events. */
  replaceConversation: (events: readonly AgentEvent[]) => void
  /** Adds events that are not the agent's. */
  publish: (events: readonly AgentEvent[]) => void
}

export type PrintMade = {
  /** The checked JSON if there is a schema; '' if there is no answer. */
  answer: string
  usage: Usage
  costIsPartial: boolean
  /** The cost of the session with its earlier runs. */
  sessionCostUsd: number | null
}

/** Starts the run at once. */
export function startPrinting(options: PrintOptions): Printing {
  const { backend, prompt, writer, permissions, sessions, maxCost, timeout, warn } = options
  let chat: ChatState = initialChat
  let isBegun = false
  let isPrompted = false
  /** The events of the session that is resumed. */
  const earlier: AgentEvent[] = []
  let isCostReported = false
  let isCostWarned = false
  const pipeline = createEventPipeline({
    ...options,
    chat: () => chat,
    onFold(next) {
      chat = next
    },
    onEvent(next, event) {
      if (isBegun) writer.onEvent(next, event)
    },
  })
  let stopped: PrintStop | null = null
  /** The reason why hooks have blocked the prompt. */
  let blockedByHook: string | null = null
  /** The words of an agent that has left the mode in which it asks. */
  let left = ''
  let checked: CheckedAnswer | null = null
  /** The conversation as it was before this run. */
  let begun: ChatState = initialChat
  const { promise: isStopped, resolve: onStop } = Promise.withResolvers<void>()
  const deadline = timeout === null ? undefined : setTimeout(stop, timeout, 'timeout')
  backend.subscribe(event => {
    pipeline.publish([permissions?.heed(event) ?? event])
    heed(event)
  })
  return {
    ended: run(),
    stop,
    chat: () => chat,
    made,
    replaceConversation,
    publish: events => pipeline.publish(events),
  }

  function replaceConversation(events: readonly AgentEvent[]): void {
    const fold = createFold()
    fold.add(events)
    chat = fold.chat()
    writer.begins(chat, events)
  }

  async function run(): Promise<PrintEnd> {
    const own = await resume()
    begun = chat
    writer.begins(chat, earlier.splice(0))
    isBegun = true
    await permissions?.begin(backend)
    options.hooks?.prompts.begin(options.resume === null ? 'startup' : 'resume')
    if (stopped === null) await backend.open(own)
    if (isSpent()) stopped ??= 'max_cost'
    // The earlier turns of a session show whether its agent reports its cost.
    if (chat.usage.costUsd === null && chat.agent.name === backend.name) warnOfCost()
    const isReady = chat.agent.phase === 'ready' && stopped === null
    const unasked = isReady ? (permissions?.unaskedWarning() ?? null) : null
    if (unasked?.isWarning === true) warn(sentence(unasked.words))
    const mayNotSend = unasked?.isWarning === false
    isPrompted = isReady && !mayNotSend
    if (prompt && isPrompted) await converse(prompt)
    clearTimeout(deadline)
    if (options.stay) await Promise.race([options.stay(), isStopped])
    permissions?.end()
    await backend.close()
    // Hooks that run at the end may take a moment.
    if (stopped === null) await options.hooks?.hooks.settled()
    options.hooks?.hooks.close()
    pipeline.end()
    writer.ended()
    // Earlier turns of the session do not count.
    const ended = howItEnded({ ...chat, entries: chat.entries.slice(begun.entries.length) }, stopped)
    const withRefused = permissions?.hasRefused() === true ? withRefusals(ended) : ended
    const end = withOverrun(withRefused, chat, maxCost)
    if (mayNotSend && stopped === null) return { outcome: 'held_back', words: unasked.words, isSent: false }
    if (stopped === 'unasked') return { outcome: 'held_back', words: left, isSent: true }
    if (blockedByHook !== null && stopped === null) return { outcome: 'failed', message: blockedByHook, hint: '' }
    if (checked?.ok === true) options.onAnswer?.(checked.json)
    return checked?.ok === false ? withUnfit(end, checked.problems) : end
  }

  function made(): PrintMade {
    const turn = chat.open?.kind === 'turn' ? chat.open : lastTurn(chat.entries.slice(begun.entries.length))
    const answer = checked?.ok === true ? checked.json : turn ? finalAnswer(turn) : ''
    const used = usedSince(begun.usage, chat.usage)
    // A turn without a report may have cost something.
    const isUnknown = turn !== undefined && chat.usage === begun.usage
    return {
      answer,
      usage: isUnknown ? { ...used, costUsd: null } : used,
      costIsPartial: chat.usageIsPartial,
      sessionCostUsd: isUnknown && chat.usage === noUsage ? null : chat.usage.costUsd,
    }
  }

  /** Sends the prompt. An answer that does not satisfy the schema is asked for once more. */
  async function converse(prompt: Prompt): Promise<void> {
    const looked = await options.hooks?.prompts.check(prompt.text)
    if (looked?.ok === false) blockedByHook = looked.words
    // The agent may have ended, or the run may have been stopped, while the hooks ran.
    if (looked && (!looked.ok || stopped !== null || chat.agent.phase !== 'ready')) return
    const memory = memoryFor(chat, options.memoryTokens)
    if (memory?.facts.withheld !== undefined) warn(withheldWords(chat))
    const { outputSchema: schema } = options
    const notes = looked?.ok === true ? looked.context.map(pipeline.redact) : []
    const before = [...notes, ...(prompt.before ?? [])]
    // The instruction is not what the user typed.
    const asked = schema && { text: `${prompt.text}\n\n${schema.instruction}`, typed: prompt.typed ?? prompt.text }
    if (looked?.ok === true) looked.onSent()
    await backend.prompt({ ...prompt, ...asked, before, ...(memory && { memory }) })
    if (!schema) return
    checked = checkLast(schema)
    if (checked?.ok !== false || stopped !== null || isSpent()) return
    await backend.prompt({ text: schema.correction(checked.problems), by: 'zotui', images: [] })
    checked = checkLast(schema)
  }

  /** Checks the last text of the last turn; null if the turn failed. */
  function checkLast(schema: OutputSchema): CheckedAnswer | null {
    const turn = lastTurn(chat.entries)
    return turn?.outcome === 'done' ? schema.check(textsOf(turn).at(-1) ?? '') : null
  }

  /** Reads the conversation to resume. Returns the agent's own session of it. */
  async function resume(): Promise<OwnSession | undefined> {
    if (options.resume === null) return undefined
    let at = 0
    const past = createFold()
    const resumed = await sessions?.resume(options.resume, events => {
      past.add(events)
      if (options.stay) for (const event of events) earlier.push(event)
      at = events.at(-1)?.at ?? at
      return true
    })
    chat = past.chat()
    const forked = resumed?.forked ?? null
    const own = ownSession(chat, backend.name, forked)
    const broken = breakOff(chat, at, forked !== null)
    earlier.push(...broken)
    pipeline.publish(broken)
    return own
  }

  function heed(event: AgentEvent): void {
    followCost(event)
    if (event.type === 'options_changed' && isPrompted) leaveUnasked()
    // Nobody can answer.
    if (event.type === 'question_asked' && !options.stay)
      queueMicrotask(() => backend.answerQuestion(event.id, null, 'declined'))
    if (event.type === 'agent_session_opened' && event.problem !== undefined)
      warn(unopened(backend.name, event.problem))
    const goesOn = event.type === 'step_started' && event.step > 1
    if (goesOn && isSpent()) stop('max_cost')
  }

  /** An agent that left the mode in which it asks may run things that nobody allowed. */
  function leaveUnasked(): void {
    const unasked = permissions?.unaskedWarning() ?? null
    if (unasked === null || unasked.isWarning || stopped !== null) return
    left = unasked.words
    stop('unasked')
  }

  function followCost(event: AgentEvent): void {
    if (event.type === 'usage_reported') isCostReported ||= event.usage.costUsd !== null
    if (event.type === 'context_reported') isCostReported ||= (event.sessionCostUsd ?? event.costUsd) !== null
    if (event.type !== 'turn_ended' || isCostReported) return
    // A turn that failed may have cost nothing.
    if (chat.usage.costUsd === null || lastTurn(chat.entries)?.outcome === 'done') warnOfCost()
  }

  function warnOfCost(): void {
    if (maxCost === null || isCostWarned) return
    isCostWarned = true
    warn(`${backend.name} does not report its cost, so --max-cost cannot stop it.`)
  }

  function isSpent(): boolean {
    return maxCost !== null && (chat.usage.costUsd ?? 0) >= maxCost
  }

  function stop(why: PrintStop): void {
    if (stopped !== null) return void backend.kill()
    stopped = why
    onStop()
    options.hooks?.hooks.close()
    permissions?.end()
    // Closing aborts first, and waits at most a few seconds for the agent to stop.
    void (why === 'unasked' ? backend.kill() : backend.close())
  }
}

const more = (start: number | null, end: number | null): number | null => (end === null ? null : end - (start ?? 0))

/** Rounded: differences of sums have stray digits. */
const costMore = (start: number | null, end: number | null): number | null => {
  const cost = more(start, end)
  return cost === null ? null : Math.round(cost * 1e9) / 1e9
}

function usedSince(before: Usage, now: Usage): Usage {
  return {
    input: now.input - before.input,
    output: now.output - before.output,
    cacheRead: now.cacheRead - before.cacheRead,
    cacheWrite: now.cacheWrite - before.cacheWrite,
    reasoning: more(before.reasoning, now.reasoning),
    costUsd: costMore(before.costUsd, now.costUsd),
  }
}

function unopened(agent: string, problem: string): string {
  return `${agent} did not open its own session: ${sentence(problem)} It gets the conversation so far, shortened if it is long.`
}

function withheldWords(chat: ChatState): string {
  const name = providerName(providerKey(chat.agent))
  return `${name} does not get the tool results that ${withheldFrom(chat).join(' and ')} got: nobody is here to allow that.`
}
