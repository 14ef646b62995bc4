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
import type { UsageCounter } from './turn/usage-counter.ts'
import { AcpTurn, type EndContext, type TurnEnd, type TurnPart } from './turn/turn.ts'

/** Gemini reports a change of its mode as a piece of an answer. */
const MODE_UPDATE = /^\[MODE_UPDATE\] (\S+)\s*$/

/** Gemini repeats what it wrote to its model itself as if the user had written it. */
const NOT_OF_USER = /^(?:<session_context>[^]*<\/session_context>|\[Function Response: [^\]]*\])\s*$/

export type TranslationOptions = CallOptions & {
  quirks: Quirks
  /** The cost of the agent's session so far, which it may include; null if that is unknown. */
  costBefore: number | null
  known: OptionFacts
  /** The tokens of a turn, from the report at its end. */
  count: UsageCounter['count']
}

export class Translation {
  readonly facts: AcpFacts
  readonly calls: AcpCalls
  readonly #options: TranslationOptions
  readonly #outside = new OutsideTurns()
  readonly #failedServers = new Set<string>()
  #hasSpoken = false
  #turn: AcpTurn | null = null
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
    if (this.#replay === 'dropped' && isPart(update)) return []
    if (!isPart(update)) return [...(this.#turn?.other(update, at) ?? []), ...this.#factEvents(update, at)]
    if (this.#turn && update.sessionUpdate === 'compaction_update') this.#outside.compactedInTurn()
    const begun = this.#repeated === null ? null : this.#beginRepeated(at)
    const events = this.#turn ? this.#turn.part(update, at) : this.#outside.part(update, at)
    return begun ? [...begun, ...events] : events
  }

  #serverFailed(server: ToolServer, at: number): AgentEvent[] {
    const key = JSON.stringify(server)
    if (this.#failedServers.has(key)) return []
    this.#failedServers.add(key)
    return serverFailed(server, at)
  }

  /** A request of the agent is about this call. */
  asked(call: WireToolCall, at: number): AgentEvent[] {
    return this.#turn?.asked(call, at) ?? []
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
    const end = { result: { stopReason: 'end_turn', usage: null, _meta: null } }
    return this.endTurn(end, { isAborted: false, login: [] }, at)
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
          ...this.facts.context(used, size, cost?.currency === 'USD' ? cost.amount : null, at),
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
