/** Translates the updates of one session into events. Updates may come before, in, between and after turns. Pure. */
import type { AgentEvent } from '../../agent/event.ts'
import type { ToolServer } from '../../agent/session-events.ts'
import { formatTokens } from '../../text/format.ts'
import type { PlanEntry } from '../../agent/turn-events.ts'
import type { WireToolCall, WireUpdate } from './frame.ts'
import type { Quirks } from './known-agents.ts'
import type { OptionFacts } from './session/options.ts'
import { failedServer, serverFailed } from './session/mcp-servers.ts'
import { planLimits } from './session/plan-limits.ts'
import { createSessionFacts, type AcpFacts } from './session/session-facts.ts'
import { AcpCalls, type CallOptions } from './turn/calls.ts'
import { textOfBlocks } from './turn/content.ts'
import { memberAt, textAt } from '../../text/member.ts'
import type { UsageCounter } from './turn/usage-counter.ts'
import { AcpTurn, type EndContext, type TurnEnd, type TurnPart } from './turn/turn.ts'

/** Gemini reports a change of its mode as a piece of an answer. */
const MODE_UPDATE = /^\[MODE_UPDATE\] (\S+)\s*$/

/** In this time the last words of a turn that was stopped may still come. */
const LATE_MS = 2000

/** Gemini repeats what it wrote to its model itself as if the user had written it. */
const NOT_OF_USER = /^(?:<session_context>[^]*<\/session_context>|\[Function Response: [^\]]*\])\s*$/

export type TranslationOptions = CallOptions & {
  quirks: Quirks
  /** The cost of the agent's session so far, which it may include; null if that is unknown. */
  costBefore: number | null
  known: OptionFacts
  /** The tokens of a turn, from the report at its end. */
  count: UsageCounter['count']
  /** Whether the agent may begin a turn without a prompt now. */
  mayBeginTurn: () => boolean
}

export class Translation {
  readonly facts: AcpFacts
  readonly calls: AcpCalls
  readonly #options: TranslationOptions
  readonly #outside = new OutsideTurns()
  readonly #failedServers = new Set<string>()
  #hasSpoken = false
  #turn: AcpTurn | null = null
  /** Until when words of a turn that was stopped may come. */
  #lateUntil = 0
  /** Set while the agent is in a turn that it has begun without a prompt. `task` is its cause. */
  #own: { task: string | undefined } | null = null
  #replay: 'emitted' | 'dropped' | null = null
  /** The prompt of a repeated turn, as far as it has arrived. */
  #repeated: string | null = null

  constructor(options: TranslationOptions) {
    this.#options = options
    this.facts = createSessionFacts(options.costBefore, options.known)
    this.calls = new AcpCalls(options)
  }

  update(update: WireUpdate, at: number): AgentEvent[] {
    const failed = failedServer(update)
    if (failed) return this.#serverFailed(failed, at)
    if (update.sessionUpdate === 'user_message_chunk')
      return this.#replay === 'emitted' ? this.#repeat(textOfBlocks([update.content]), at) : []
    const mode = modeOf(update)
    const changed = mode === null ? null : this.facts.modeSet(mode, at)
    if (changed) return changed
    if (update.sessionUpdate === 'tool_call_update' && this.calls.isLate(update.toolCallId))
      return this.calls.late(update, at)
    if (this.#replay === 'dropped' && isPart(update)) return []
    if (!isPart(update)) return this.#other(update, at)
    const begun = this.#repeated === null ? this.#begun(update, at) : this.#beginRepeated(at)
    if (this.#turn && update.sessionUpdate === 'compaction_update') this.#outside.compactedInTurn()
    const events = this.#turn ? this.#turn.part(update, at) : this.#outside.part(update, at)
    return begun.length > 0 ? [...begun, ...events] : events
  }

  #serverFailed(server: ToolServer, at: number): AgentEvent[] {
    const key = JSON.stringify(server)
    if (this.#failedServers.has(key)) return []
    this.#failedServers.add(key)
    return serverFailed(server, at)
  }

  /** A request of the agent is about this call. */
  asked(call: WireToolCall, at: number): AgentEvent[] {
    const begun = this.#options.quirks.ownTurns === 'unmarked' ? this.#beginOwn(at) : []
    return [...begun, ...(this.#turn?.asked(call, at) ?? [])]
  }

  /** Whether the agent is in a turn that it has begun without a prompt. */
  get hasOwnTurn(): boolean {
    return this.#own !== null
  }

  /** Such a turn is over, by its end or because nothing shows that it goes on; or it is cut off by the end of the agent. */
  endOwnTurn(at: number, how: 'over' | 'cut' = 'over'): AgentEvent[] {
    const { task } = this.#own ?? {}
    if (!this.#own) return []
    this.#own = null
    if (how === 'cut') return this.endTurn('cut', { isAborted: false, login: [] }, at)
    const { background } = this.#options
    const events = [...this.endTurn(PLAIN_END, { isAborted: false, login: [] }, at), ...background.turnEnded(task, at)]
    background.turnOver()
    return events
  }

  /** Whether a prompt was sent in this session, or it had earlier ones. */
  get hasSpoken(): boolean {
    return this.#hasSpoken
  }

  get hasTurn(): boolean {
    return this.#turn !== null
  }

  /** The agent has taken the user's words into its turn. */
  steered(at: number): AgentEvent[] {
    return this.#turn?.steered(at) ?? []
  }

  /** A prompt is sent. */
  beginTurn(): void {
    this.#hasSpoken = true
    const { count, quirks } = this.#options
    this.#turn = new AcpTurn({ calls: this.calls, count, saysErrors: quirks.saysErrors ?? false })
  }

  endTurn(end: TurnEnd, context: EndContext, at: number): AgentEvent[] {
    const events = this.#turn?.end(end, context, at) ?? []
    this.#turn = null
    if (context.isAborted) this.#lateUntil = at + LATE_MS
    return events
  }

  /** The agent may repeat an earlier conversation, which becomes events if it `isShown`. */
  beginReplay(isShown: boolean): void {
    this.#hasSpoken = true
    this.#replay = isShown ? 'emitted' : 'dropped'
  }

  endReplay(at: number): AgentEvent[] {
    const open = this.#repeated === null ? [] : this.#beginRepeated(at)
    this.#replay = null
    return [...open, ...this.#endRepeated(at)]
  }

  /** Whether `rest` would return events. */
  get hasRest(): boolean {
    return this.#outside.hasRest
  }

  /** Returns the events of a text outside of a turn that has stopped growing. */
  rest(at: number): AgentEvent[] {
    return this.#outside.rest(at)
  }

  /** A prompt of the earlier conversation, which may come in pieces. */
  #repeat(text: string, at: number): AgentEvent[] {
    if (NOT_OF_USER.test(text)) return []
    const before = this.#repeated === null ? this.#endRepeated(at) : []
    this.#repeated = (this.#repeated ?? '') + text
    return before
  }

  #beginRepeated(at: number): AgentEvent[] {
    const text = this.#repeated ?? ''
    this.#repeated = null
    this.beginTurn()
    return [
      { type: 'prompt_sent', at, text, images: [], remembered: true },
      { type: 'prompt_accepted', at },
    ]
  }

  #endRepeated(at: number): AgentEvent[] {
    if (!this.#turn) return []
    return this.endTurn(PLAIN_END, { isAborted: false, login: [] }, at)
  }

  /** Anything but the model's work. It may say that a turn begins or ends. */
  #other(update: Exclude<WireUpdate, TurnPart>, at: number): AgentEvent[] {
    const status = this.#options.quirks.ownTurns === 'status' ? statusIn(update) : undefined
    const begun = status === 'active' ? this.#beginOwn(at) : []
    // The model was asked anew: what comes is no rest of a turn that was stopped.
    if (update.sessionUpdate === 'usage_update' && !update.cost) this.#lateUntil = 0
    const events = [...begun, ...(this.#turn?.other(update, at) ?? []), ...this.#factEvents(update, at)]
    return status === 'idle' || isEndOfWork(update) ? [...events, ...this.endOwnTurn(at)] : events
  }

  /** The first work of the model outside of a turn begins one for some agents. */
  #begun({ sessionUpdate }: TurnPart, at: number): AgentEvent[] {
    const isWork = sessionUpdate !== 'tool_call_update' && sessionUpdate !== 'compaction_update'
    const mayBegin = this.#options.quirks.ownTurns === 'unmarked' && at >= this.#lateUntil
    return isWork && mayBegin ? this.#beginOwn(at) : []
  }

  #beginOwn(at: number): AgentEvent[] {
    if (this.#turn || this.#replay !== null || !this.#options.mayBeginTurn()) return []
    const { events, ...cause } = this.#options.background.turnBegins(at)
    const before = this.#outside.rest(at)
    this.beginTurn()
    this.#own = { task: cause.task }
    return [...before, ...events, { type: 'turn_begun', at, ...cause }]
  }

  #factEvents(update: Exclude<WireUpdate, TurnPart>, at: number): AgentEvent[] {
    switch (update.sessionUpdate) {
      case 'plan': {
        const entries = update.entries.map(({ content, status, priority }) => {
          return { text: content, status: statusOf(status), ...(priority !== undefined && { priority }) }
        })
        return [{ type: 'plan_changed', at, entries }]
      }
      case 'available_commands_update':
        return this.facts.commands(update.availableCommands, at)
      case 'config_option_update':
        return this.facts.configured(update.configOptions, at)
      case 'session_info_update':
        return update.title ? this.facts.title(update.title, at) : []
      case 'usage_update': {
        const { used, size = null, cost, _meta: meta } = update
        const windows = planLimits(meta, at)
        return [
          ...this.#outside.used(used, this.#turn !== null && this.#replay === null, at),
          ...this.facts.context(used, size, cost?.currency === 'USD' && cost.amount >= 0 ? cost.amount : null, at),
          ...(windows.length > 0 ? [{ type: 'limits_reported' as const, at, windows }] : []),
        ]
      }
      case 'notice':
        return this.#outside.notice(update, at)
      case 'current_mode_update':
      case 'user_message_chunk':
      case 'subagent_update':
      case 'session_message':
        return []
    }
  }
}

const COMPACTED = 'The agent has compacted the conversation by itself'
const FRESH = 'The agent began with a fresh context: it does not remember what was said before.'

const PLAIN_END = { result: { stopReason: 'end_turn', usage: null, _meta: null } }

/** Whether Codex works now, if it says so. */
function statusIn(update: WireUpdate): string | undefined {
  return update.sessionUpdate === 'session_info_update'
    ? textAt(update, '_meta', 'codex', 'threadStatus', 'type')
    : undefined
}

/** Claude Code reports the cost at the end of each run of its model, and who has begun it. */
function isEndOfWork(update: WireUpdate): boolean {
  return (
    update.sessionUpdate === 'usage_update' &&
    !!update.cost &&
    memberAt(update, '_meta', '_claude/origin') !== undefined
  )
}

/** What an agent says outside of its turns, and its notices. */
class OutsideTurns {
  #text = ''
  /** The tokens of the context as last reported; null before that. */
  #used: number | null = null
  /** A compaction that nobody has asked for, and the tokens before it. */
  #compacted: { before: number | null } | null = null
  readonly #noticed = new Set<string>()

  get hasRest(): boolean {
    return this.#text !== '' || this.#compacted !== null
  }

  /** The context has this many tokens. In a turn an agent may begin with a fresh one, such as to carry out a plan. */
  used(tokens: number, isInTurn: boolean, at: number): AgentEvent[] {
    const before = this.#used
    this.#used = tokens
    if (this.#compacted) return this.#compaction(tokens, at)
    return isInTurn && tokens === 0 && before !== null && before > 0 ? [quietNotice(FRESH, at)] : []
  }

  /** A compaction in a turn is shown there. Its end also takes the tokens away. */
  compactedInTurn(): void {
    this.#used = null
  }

  #compaction(after: number | null, at: number): AgentEvent[] {
    if (!this.#compacted) return []
    const { before } = this.#compacted
    this.#compacted = null
    const isKnown = before !== null && before > 0 && after !== null && after > 0
    const tokens = isKnown ? `: ${formatTokens(before)} tokens became ${formatTokens(after)}` : ''
    return [quietNotice(`${COMPACTED}${tokens}.`, at)]
  }

  part(update: TurnPart, at: number): AgentEvent[] {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.#text += textOfBlocks([update.content])
        return []
      case 'tool_call':
        return [...this.rest(at), quietNotice(update.title ?? 'The agent made a call between two turns.', at)]
      case 'compaction_update':
        if (update.status !== 'completed') return []
        // How much is left of it comes with the next report of the context.
        this.#compacted = { before: this.#used }
        return []
      case 'agent_thought_chunk':
      case 'tool_call_update':
        return []
    }
  }

  rest(at: number): AgentEvent[] {
    const text = this.#text.trim()
    this.#text = ''
    return [...this.#compaction(null, at), ...(text === '' ? [] : [quietNotice(text, at)])]
  }

  /** Some agents send one with every turn. An error happens anew each time. */
  notice({ severity, title, description }: Extract<WireUpdate, { sessionUpdate: 'notice' }>, at: number): AgentEvent[] {
    const parts = [title.trim(), description?.trim() ?? ''].filter(words => words !== '')
    const message = parts.join(/[.:!?]$/.test(title.trim()) ? ' ' : '. ')
    const key = `${severity} ${message}`
    if (message === '' || (this.#noticed.has(key) && severity !== 'error')) return []
    this.#noticed.add(key)
    return severity === 'info' ? [quietNotice(message, at)] : [warning(message, at)]
  }
}

function statusOf(status: string): PlanEntry['status'] {
  return status === 'in_progress' || status === 'completed' ? status : 'pending'
}

function modeOf(update: WireUpdate): string | null {
  if (update.sessionUpdate === 'current_mode_update') return update.currentModeId
  if (update.sessionUpdate !== 'agent_message_chunk') return null
  return MODE_UPDATE.exec(update.content.text ?? '')?.[1] ?? null
}

export function isPart(update: WireUpdate): update is TurnPart {
  return (
    update.sessionUpdate === 'agent_message_chunk' ||
    update.sessionUpdate === 'agent_thought_chunk' ||
    update.sessionUpdate === 'tool_call' ||
    update.sessionUpdate === 'tool_call_update' ||
    update.sessionUpdate === 'compaction_update'
  )
}

function warning(message: string, at: number): AgentEvent {
  return { type: 'warning_raised', at, message }
}

function quietNotice(text: string, at: number): AgentEvent {
  return { type: 'remark_made', at, level: 'quiet', text, hint: null, markdown: false }
}
