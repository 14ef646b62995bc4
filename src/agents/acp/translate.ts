/** Translates the updates of one session into events. Updates may come before, in, between and after turns. Pure. */
import type { AgentEvent } from '../../agent/event.ts'
import type { PlanEntry } from '../../agent/turn-events.ts'
import type { WireToolCall, WireUpdate } from './frame.ts'
import type { Quirks } from './known-agents.ts'
import type { OptionFacts } from './session/options.ts'
import { createSessionFacts, type AcpFacts } from './session/session-facts.ts'
import { createCalls, type CallOptions, type Calls } from './turn/calls.ts'
import { textOfBlocks } from './turn/content.ts'
import type { UsageCounter } from './turn/usage-counter.ts'
import { createTurn, type AcpTurn, type EndContext, type TurnEnd, type TurnPart } from './turn/turn.ts'

export type Translation = {
  readonly facts: AcpFacts
  readonly calls: Calls
  update(update: WireUpdate, at: number): AgentEvent[]
  /** A request of the agent is about this call. */
  asked(call: WireToolCall, at: number): AgentEvent[]
  /** A prompt is sent. */
  beginTurn(): void
  endTurn(end: TurnEnd, context: EndContext, at: number): AgentEvent[]
  /** The agent may repeat an earlier conversation, which becomes events if it `isShown`. */
  beginReplay(isShown: boolean): void
  endReplay(at: number): AgentEvent[]
  /** Whether `rest` would return events. */
  readonly hasRest: boolean
  /** Returns the events of a text outside of a turn that has stopped growing. */
  rest(at: number): AgentEvent[]
}

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

export function createTranslation({ costBefore, known, count, ...options }: TranslationOptions): Translation {
  const facts = createSessionFacts(costBefore, known)
  const calls = createCalls(options)
  let turn: AcpTurn | null = null
  let replay: 'emitted' | 'dropped' | null = null
  /** The prompt of a repeated turn, as far as it has arrived. */
  let repeated: string | null = null
  /** Texts outside of a turn. */
  let outsideText = ''
  const noticed = new Set<string>()

  return {
    facts,
    calls,
    get hasRest() {
      return outsideText !== ''
    },
    rest,
    update(update, at) {
      if (update.sessionUpdate === 'user_message_chunk')
        return replay === 'emitted' ? repeat(textOfBlocks([update.content]), at) : []
      const mode = modeOf(update)
      const changed = mode === null ? null : facts.modeSet(mode, at)
      if (changed) return changed
      if (replay === 'dropped' && isPart(update)) return []
      if (!isPart(update)) return [...(turn?.other(update, at) ?? []), ...factEvents(update, at)]
      const begun = repeated === null ? null : beginRepeated(at)
      const events = turn ? turn.part(update, at) : outside(update, at)
      return begun ? [...begun, ...events] : events
    },
    asked: (call, at) => turn?.asked(call, at) ?? [],
    beginTurn() {
      turn = createTurn({ calls, count, saysErrors: options.quirks.saysErrors ?? false })
    },
    endTurn,
    beginReplay(isShown) {
      replay = isShown ? 'emitted' : 'dropped'
    },
    endReplay(at) {
      const open = repeated === null ? [] : beginRepeated(at)
      replay = null
      return [...open, ...endRepeated(at)]
    },
  }

  function endTurn(end: TurnEnd, context: EndContext, at: number): AgentEvent[] {
    const events = turn?.end(end, context, at) ?? []
    turn = null
    return events
  }

  /** A prompt of the earlier conversation, which may come in pieces. */
  function repeat(text: string, at: number): AgentEvent[] {
    if (NOT_OF_USER.test(text)) return []
    const before = repeated === null ? endRepeated(at) : []
    repeated = (repeated ?? '') + text
    return before
  }

  function beginRepeated(at: number): AgentEvent[] {
    const text = repeated ?? ''
    repeated = null
    turn = createTurn({ calls, count, saysErrors: options.quirks.saysErrors ?? false })
    return [
      { type: 'prompt_sent', at, text, images: [], remembered: true },
      { type: 'prompt_accepted', at },
    ]
  }

  function endRepeated(at: number): AgentEvent[] {
    if (!turn) return []
    return endTurn(
      { result: { stopReason: 'end_turn', usage: null, _meta: null } },
      { isAborted: false, login: [] },
      at,
    )
  }

  function outside(update: TurnPart, at: number): AgentEvent[] {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        outsideText += textOfBlocks([update.content])
        return []
      case 'tool_call':
        return [...rest(at), quietNotice(update.title ?? 'The agent made a call between two turns.', at)]
      case 'compaction_update':
        return update.status === 'completed' ? [quietNotice('The agent has compacted the conversation.', at)] : []
      case 'agent_thought_chunk':
      case 'tool_call_update':
        return []
    }
  }

  function rest(at: number): AgentEvent[] {
    const text = outsideText.trim()
    outsideText = ''
    return text === '' ? [] : [quietNotice(text, at)]
  }

  /** Some agents send one with every turn. An error happens anew each time. */
  function notice({ severity, title, description }: Extract<WireUpdate, { sessionUpdate: 'notice' }>, at: number) {
    const parts = [title.trim(), description?.trim() ?? ''].filter(words => words !== '')
    const message = parts.join(/[.:!?]$/.test(title.trim()) ? ' ' : '. ')
    const key = `${severity} ${message}`
    if (message === '' || (noticed.has(key) && severity !== 'error')) return []
    noticed.add(key)
    return severity === 'info' ? [quietNotice(message, at)] : [warning(message, at)]
  }

  function factEvents(update: Exclude<WireUpdate, TurnPart>, at: number): AgentEvent[] {
    switch (update.sessionUpdate) {
      case 'plan': {
        const entries = update.entries.map(({ content, status, priority }) => {
          return { text: content, status: statusOf(status), ...(priority !== undefined && { priority }) }
        })
        return [{ type: 'plan_changed', at, entries }]
      }
      case 'available_commands_update':
        return facts.commands(update.availableCommands, at)
      case 'config_option_update':
        return facts.configured(update.configOptions, at)
      case 'session_info_update':
        return update.title ? facts.title(update.title, at) : []
      case 'usage_update': {
        const { used, size = null, cost } = update
        return facts.context(used, size, cost?.currency === 'USD' ? cost.amount : null, at)
      }
      case 'notice':
        return notice(update, at)
      case 'current_mode_update':
      case 'user_message_chunk':
        return []
    }
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
