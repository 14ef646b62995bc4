/**
 * Runs one prompt without a UI. Its events go through the same pipeline into the conversation and the session as those
 * of the UI; a writer prints them, and the outcome of the run becomes an exit code.
 */
import type { Backend, OwnSession, Prompt, Reply } from '../agent/backend.ts'
import type { AgentEvent, Usage } from '../agent/event.ts'
import { createEventPipeline, type EventPipeline } from '../app/events/pipeline.ts'
import { breakOff, foldersChanged } from '../app/events/snapshot.ts'
import type { ToolLimit } from '../state/state.ts'
import { isAtWork } from '../agent/task-events.ts'
import { createFold } from '../conversation/fold.ts'
import { initialChat, noUsage, type ChatState } from '../conversation/state.ts'
import { lastPromptedTurn } from '../conversation/queries/last-turn.ts'
import { ownSession } from '../conversation/queries/session/own-session.ts'
import { providerName, withheldFrom } from '../conversation/queries/session/result-owner.ts'
import { providerKey } from '../conversation/sharing.ts'
import { memoryFor } from '../conversation/queries/session/digest.ts'
import { finalAnswer, textsOf } from '../conversation/queries/answer.ts'
import { counted } from '../text/counted.ts'
import { sentence } from '../text/sentence.ts'
import type { Sessions } from '../storage/sessions/sessions.ts'
import type { DayCost } from '../storage/usage/day-cost.ts'
import type { Ledger } from '../storage/usage/ledger.ts'
import { howItEnded, withOverrun, withRefusals, withUnfit, type PrintEnd, type PrintStop } from './ending.ts'
import type { CheckedAnswer, OutputSchema } from './output-schema.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { PromptHooks } from '../hooks/prompts.ts'
import type { RunPermissions } from './permissions.ts'
import { RunCost } from './run-cost.ts'
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
  /** The cost limit of the day, of all conversations: no new turn begins once it is reached. */
  day: Pick<DayCost, 'isReached' | 'why'>
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
  /** Done when the agent has started, before the prompt. If it fails, the run ends with its message. */
  prepare?: () => Promise<Reply>
  /** Adds to an event who has caused it from outside. */
  named?: (event: AgentEvent) => AgentEvent
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
  const run = new PrintRun(options)
  return {
    ended: run.run(),
    stop: why => run.stop(why),
    chat: () => run.chat,
    made: () => run.made(),
    replaceConversation: events => run.replaceConversation(events),
    publish: events => run.publish(events),
  }
}

class PrintRun {
  readonly #options: PrintOptions
  readonly #pipeline: EventPipeline
  readonly #cost: RunCost
  readonly #stopping = Promise.withResolvers<void>()
  readonly #deadline: NodeJS.Timeout | undefined
  #chat: ChatState = initialChat
  /** The conversation as it was before this run. */
  #begun: ChatState = initialChat
  /** The events of the session that is resumed. */
  readonly #earlier: AgentEvent[] = []
  /** Whether the writer gets the events. */
  #isWriting = false
  #isPrompted = false
  #stopped: PrintStop | null = null
  /** The reason why the prompt was not sent, as a sentence. */
  #blocked: string | null = null
  /** The words of an agent that has left the mode in which it asks. */
  #left = ''
  #checked: CheckedAnswer | null = null

  constructor(options: PrintOptions) {
    const { backend, writer, maxCost, timeout, warn, permissions } = options
    this.#options = options
    this.#cost = new RunCost({ name: backend.name, maxCost, warn })
    this.#pipeline = createEventPipeline({
      ...options,
      chat: () => this.#chat,
      onFold: next => {
        this.#chat = next
      },
      onEvent: (next, event) => {
        if (this.#isWriting) writer.onEvent(next, event)
      },
    })
    this.#deadline = timeout === null ? undefined : setTimeout(() => this.stop('timeout'), timeout)
    backend.subscribe(event => {
      const named = options.named?.(event) ?? event
      this.#pipeline.publish([permissions?.heed(named) ?? named])
      this.#follow(event)
    })
  }

  get chat(): ChatState {
    return this.#chat
  }

  async run(): Promise<PrintEnd> {
    const { backend, prompt, permissions, warn, stay, day } = this.#options
    await this.#open()
    if (this.#cost.isSpent(this.#chat)) this.#stopped ??= 'max_cost'
    if (day.isReached()) this.#stopped ??= 'max_cost_per_day'
    this.#cost.begin(this.#chat)
    const isReady = this.#chat.agent.phase === 'ready' && this.#stopped === null
    const unasked = isReady ? (permissions?.unaskedWarning() ?? null) : null
    if (unasked?.isWarning === true) warn(sentence(unasked.words))
    const forbidden = unasked?.isWarning === false ? unasked.words : null
    this.#isPrompted = isReady && forbidden === null
    const prepared = this.#isPrompted ? await this.#options.prepare?.() : undefined
    if (prepared?.ok === false) this.#blocked = prepared.message
    if (prompt && this.#isPrompted && this.#blocked === null) await this.#converse(prompt)
    clearTimeout(this.#deadline)
    if (!stay && this.#stopped === null) this.#warnOfTasks()
    if (stay && prepared?.ok !== false) await Promise.race([stay(), this.#stopping.promise])
    permissions?.end()
    await backend.close()
    await this.#finish()
    return this.#end(forbidden)
  }

  /** What the agent runs in the background ends with it. */
  #warnOfTasks(): void {
    const left = [...this.#chat.tasks].filter(isAtWork).length
    if (left === 0) return
    const what = counted(left, 'task in the background ends', 'tasks in the background end')
    this.#options.warn(`The turn is over: ${what} with the agent. Tell it to wait for them, or use --background.`)
  }

  /** Stops the agent gracefully; a second call kills it. */
  stop(why: PrintStop): void {
    const { backend, hooks, permissions } = this.#options
    if (this.#stopped !== null) return void backend.kill()
    this.#stopped = why
    this.#stopping.resolve()
    hooks?.hooks.close()
    permissions?.end()
    // Closing aborts first, and waits at most a few seconds for the agent to stop.
    void (why === 'unasked' ? backend.kill() : backend.close())
  }

  made(): PrintMade {
    const { entries, open, usage, usageIsPartial } = this.#chat
    const turn =
      open?.kind === 'turn' && !open.unprompted ? open : lastPromptedTurn(entries.slice(this.#begun.entries.length))
    const answer = this.#checked?.ok === true ? this.#checked.json : turn ? finalAnswer(turn) : ''
    const used = usedSince(this.#begun.usage, usage)
    // A turn without a report may have cost something.
    const isUnknown = turn !== undefined && usage === this.#begun.usage
    return {
      answer,
      usage: isUnknown ? { ...used, costUsd: null } : used,
      costIsPartial: usageIsPartial,
      sessionCostUsd: isUnknown && usage === noUsage ? null : usage.costUsd,
    }
  }

  replaceConversation(events: readonly AgentEvent[]): void {
    const fold = createFold()
    fold.add(events)
    this.#chat = fold.chat()
    this.#options.writer.begins(this.#chat, events)
  }

  publish(events: readonly AgentEvent[]): void {
    this.#pipeline.publish(events)
  }

  /** Reads the conversation to resume, and opens the agent with it. */
  async #open(): Promise<void> {
    const { backend, writer, permissions, hooks, resume } = this.#options
    const own = await this.#resume()
    this.#begun = this.#chat
    writer.begins(this.#chat, this.#earlier.splice(0))
    this.#isWriting = true
    await permissions?.begin(backend)
    hooks?.prompts.begin(resume === null ? 'startup' : 'resume')
    if (this.#stopped === null) await backend.open(own)
  }

  /** Reads the conversation to resume. Returns the agent's own session of it. */
  async #resume(): Promise<OwnSession | undefined> {
    const { backend, resume, sessions, stay } = this.#options
    if (resume === null) return undefined
    let at = 0
    const past = createFold()
    const resumed = await sessions?.resume(resume, events => {
      past.add(events)
      if (stay) for (const event of events) this.#earlier.push(event)
      at = events.at(-1)?.at ?? at
      return true
    })
    this.#chat = past.chat()
    const forked = resumed?.forked ?? null
    const own = ownSession(this.#chat, backend.name, forked)
    const broken = breakOff(this.#chat, at, forked !== null)
    if (this.#chat.folders.length > 0) {
      // Nobody here could be asked whether they are still what the user has opened.
      broken.push(foldersChanged([], at))
      this.#options.warn('The folders that were opened with /add-dir are closed: /add-dir opens them again.')
    }
    this.#earlier.push(...broken)
    this.#pipeline.publish(broken)
    return own
  }

  /** Sends the prompt. An answer that does not satisfy the schema is asked for once more. */
  async #converse(prompt: Prompt): Promise<void> {
    const { backend, hooks, memoryTokens, outputSchema: schema, warn } = this.#options
    const looked = await hooks?.prompts.check(prompt.text)
    if (looked?.ok === false) this.#blocked = looked.words
    // The agent may have ended, or the run may have been stopped, while the hooks ran.
    if (looked && (!looked.ok || this.#stopped !== null || this.#chat.agent.phase !== 'ready')) return
    const memory = memoryFor(this.#chat, memoryTokens)
    if (memory?.facts.withheld !== undefined) warn(withheldWords(this.#chat))
    const notes = looked?.ok === true ? looked.context.map(this.#pipeline.redact) : []
    const before = [...notes, ...(prompt.before ?? [])]
    // The instruction is not what the user typed.
    const asked = schema && { text: `${prompt.text}\n\n${schema.instruction}`, typed: prompt.typed ?? prompt.text }
    if (looked?.ok === true) looked.onSent()
    await backend.prompt({ ...prompt, ...asked, before, ...(memory && { memory }) })
    if (!schema) return
    this.#checked = this.#check(schema)
    if (this.#checked?.ok !== false || this.#stopped !== null) return
    if (this.#cost.isSpent(this.#chat) || this.#options.day.isReached()) return
    await backend.prompt({ text: schema.correction(this.#checked.problems), by: 'zotui', images: [] })
    this.#checked = this.#check(schema)
  }

  /** Checks the last text of the last turn; null if the turn failed. */
  #check(schema: OutputSchema): CheckedAnswer | null {
    const turn = lastPromptedTurn(this.#chat.entries)
    return turn?.outcome === 'done' ? schema.check(textsOf(turn).at(-1) ?? '') : null
  }

  /** The agent has ended: writes what is left. */
  async #finish(): Promise<void> {
    const { hooks, writer } = this.#options
    // Hooks that run at the end may take a moment.
    if (this.#stopped === null) await hooks?.hooks.settled()
    hooks?.hooks.close()
    this.#pipeline.end()
    writer.ended()
  }

  /** How the run ended. `forbidden`: why no prompt was sent; null if one might. */
  #end(forbidden: string | null): PrintEnd {
    const { permissions, maxCost, onAnswer, outputSchema, day } = this.#options
    const stopped = this.#stopped
    // Earlier turns of the session do not count.
    const own = { ...this.#chat, entries: this.#chat.entries.slice(this.#begun.entries.length) }
    const ended = howItEnded(own, stopped, day.why)
    const withRefused = permissions?.hasRefused() === true ? withRefusals(ended) : ended
    const end = withOverrun(withRefused, this.#chat, maxCost)
    if (forbidden !== null && stopped === null) return { outcome: 'held_back', words: forbidden, isSent: false }
    if (stopped === 'unasked') return { outcome: 'held_back', words: this.#left, isSent: true }
    if (this.#blocked !== null && stopped === null) return { outcome: 'failed', message: this.#blocked, hint: '' }
    if (this.#checked?.ok === true) onAnswer?.(this.#checked.json)
    return this.#checked?.ok === false ? withUnfit(end, outputSchema?.unfit ?? '', this.#checked.problems) : end
  }

  #follow(event: AgentEvent): void {
    const { backend, stay, warn, day } = this.#options
    this.#cost.follow(event, this.#chat)
    if (event.type === 'options_changed' && this.#isPrompted) this.#leaveUnasked()
    // Nobody can answer.
    if (event.type === 'question_asked' && !stay)
      queueMicrotask(() => backend.answerQuestion(event.id, null, 'declined'))
    if (event.type === 'agent_session_opened' && event.problem !== undefined)
      warn(unopened(backend.name, event.problem))
    const goesOn = event.type === 'turn_begun' || (event.type === 'step_started' && event.step > 1)
    if (goesOn && this.#cost.isSpent(this.#chat)) this.stop('max_cost')
    // The turn of the prompt ends by itself; one that the agent begins is new.
    else if (event.type === 'turn_begun' && day.isReached()) this.stop('max_cost_per_day')
  }

  /** An agent that left the mode in which it asks may run things that nobody allowed. */
  #leaveUnasked(): void {
    const unasked = this.#options.permissions?.unaskedWarning() ?? null
    if (unasked === null || unasked.isWarning || this.#stopped !== null) return
    this.#left = unasked.words
    this.stop('unasked')
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
