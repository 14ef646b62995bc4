/** One turn of an agent: its text, thoughts, calls and compactions, and its end. Pure. */
import type { AgentEvent, Usage } from '../../../agent/event.ts'
import type { LoginMethod } from '../../../agent/session-events.ts'
import type { RpcError, RpcReply } from '../../transport/json-rpc.ts'
import { innerWords } from '../../host/inner-words.ts'
import { errorWords, isOverLimit, isRejected, needsLogin } from '../error-words.ts'
import { readPromptResult, type AcpBlock, type WirePromptResult, type WireToolCall, type WireUpdate } from '../frame.ts'
import { createAnswer } from './answer.ts'
import type { AcpCalls } from './calls.ts'
import { readCodexTrouble } from './codex-trouble.ts'
import { textOfBlocks, toContent } from './content.ts'
import { createSpokenTrouble, type SpokenTrouble } from './spoken-trouble.ts'
import type { UsageCounter } from './usage-counter.ts'
import { toUsage, usageOfTurn } from './usage.ts'
import { textAt } from '../../../text/member.ts'

/** The end of a turn: the answer to its prompt. `cut`: the agent ended first. */
export type TurnEnd = { result: WirePromptResult } | { error: RpcError } | 'cut'

export function turnEnd(reply: RpcReply): TurnEnd {
  if (!reply.ok) return reply.ending ? 'cut' : { error: reply.error }
  return { result: readPromptResult(reply.result) ?? { stopReason: '', usage: null, _meta: null } }
}

export type EndContext = {
  /** Whether the user stopped it. */
  isAborted: boolean
  login: readonly LoginMethod[]
}

export type TurnPart = Extract<
  WireUpdate,
  {
    sessionUpdate:
      | 'agent_message_chunk'
      | 'agent_thought_chunk'
      | 'tool_call'
      | 'tool_call_update'
      | 'compaction_update'
  }
>

export type TurnOptions = {
  calls: AcpCalls
  /** Gives the tokens of the turn, from the report at its end. */
  count: UsageCounter['count']
  /** Whether the agent reports failures of its model as pieces of its answer. */
  saysErrors: boolean
}

export class AcpTurn {
  readonly #calls: AcpCalls
  readonly #count: UsageCounter['count']
  readonly #answer = createAnswer()
  readonly #compactions = new AcpCompactions()
  readonly #spoken: SpokenTrouble | null
  /** The tries of the answer, which the agent itself does not number. */
  #attempt = 0
  #isEmpty = true
  /** The reason of a failure that is missing in the answer to the prompt; null if there was none. */
  #failure: string | null = null

  constructor({ calls, count, saysErrors }: TurnOptions) {
    this.#calls = calls
    this.#count = count
    this.#spoken = saysErrors ? createSpokenTrouble() : null
  }

  part(update: TurnPart, at: number): AgentEvent[] {
    const own = 'toolCallId' in update ? update.toolCallId : undefined
    const settled = this.#calls.settle(at, own)
    const released = update.sessionUpdate === 'agent_message_chunk' ? [] : this.#release(at)
    const events = this.#translate(update, at)
    return settled.length === 0 && released.length === 0 ? events : [...settled, ...released, ...events]
  }

  /** A request of the agent is about this call. */
  asked(call: WireToolCall, at: number): AgentEvent[] {
    this.#isEmpty = false
    const released = this.#release(at)
    const events = this.#calls.isPast(call.toolCallId) ? [] : this.#calls.upsert({ ...call, status: null }, at)
    return [...released, ...this.#answer.call(at), ...events, ...this.#calls.called(call.toolCallId, at)]
  }

  /** The user's words have reached the agent. What it had said by then stays. */
  steered(at: number): AgentEvent[] {
    this.#isEmpty = false
    return [...this.#release(at), ...this.#answer.steered(at)]
  }

  /** Anything else that the agent reports meanwhile. */
  other(update: WireUpdate, at: number): AgentEvent[] {
    const settled = this.#calls.settle(at)
    if (this.#spoken && update.sessionUpdate === 'usage_update')
      return [...settled, ...this.#requested(this.#spoken, at)]
    const trouble = update.sessionUpdate === 'session_info_update' ? codexTroubleIn(update) : null
    if (trouble?.kind === 'failure') this.#failure = trouble.message || this.#failure || ''
    if (trouble?.kind !== 'retry') return settled
    const { message, attempt, of } = trouble
    return [...settled, { type: 'retry_announced', at, attempt, of, delayMs: null, message }]
  }

  end(how: TurnEnd, { isAborted, login }: EndContext, at: number): AgentEvent[] {
    const result = how !== 'cut' && 'result' in how ? how.result : null
    const report = result && usageOfTurn(result)
    const usage = report && this.#count(report)
    const tokens = report === null ? 'nothing' : usage === null ? 'no more' : 'more'
    const last = this.#spoken?.end(tokens) ?? null
    if (last && 'failure' in last) this.#failure = last.failure
    const wentWell = result !== null && this.#failure === null && !isAborted
    const open: AgentEvent[] = [
      ...this.#say(last && 'text' in last ? last.text : '', null, at),
      ...this.#answer.end(at),
      ...this.#calls.end(at, wentWell),
      ...(last && 'notice' in last ? [noted(last.notice, at)] : []),
      ...this.#compactions.end(at),
    ]
    if (how === 'cut') return open
    if (result) return [...open, ...this.#ended(result, usage, isAborted, at)]
    if (isAborted || !('error' in how)) return [...open, { type: 'turn_ended', at }]
    return [...open, ...this.#rejected(how.error, login, at)]
  }

  #translate(update: TurnPart, at: number): AgentEvent[] {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return this.#message(update, at)
      case 'agent_thought_chunk': {
        this.#isEmpty = false
        const text = textOfBlocks([update.content])
        return text === '' ? [] : [{ type: 'thought_received', at, text }]
      }
      case 'tool_call':
      case 'tool_call_update': {
        const isFirst = update.sessionUpdate === 'tool_call'
        // An earlier turn's call, which is over.
        if (!isFirst && this.#calls.isPast(update.toolCallId)) return []
        this.#isEmpty = false
        if (isRefusal(update)) this.#spoken?.refused()
        return [...this.#answer.call(at), ...this.#calls.upsert(update, at, isFirst)]
      }
      case 'compaction_update':
        return this.#compactions.update(update, at)
    }
  }

  #message(
    { content, messageId, _meta }: Extract<TurnPart, { sessionUpdate: 'agent_message_chunk' }>,
    at: number,
  ): AgentEvent[] {
    const usage = _meta?.usage ? toUsage(_meta.usage) : null
    const reported: AgentEvent[] = usage ? [{ type: 'usage_reported', at, usage, auxiliary: false }] : []
    const text = textOf(content)
    if (text === '') return reported
    this.#isEmpty = false
    // Codex then sends the reason as if it were its answer.
    if (this.#failure !== null && !messageId) {
      this.#failure += text
      return reported
    }
    const said = this.#say(this.#spoken ? this.#spoken.piece(text) : text, messageId ?? null, at)
    return usage ? [...reported, ...said] : said
  }

  #say(text: string, messageId: string | null, at: number): AgentEvent[] {
    return this.#answer.text(text, messageId ?? (this.#attempt === 0 ? null : `attempt ${this.#attempt}`), at)
  }

  /** What the agent seemed to say itself was a part of the answer. */
  #release(at: number): AgentEvent[] {
    return this.#say(this.#spoken?.release() ?? '', null, at)
  }

  /** The agent asks its model, for the first time or again. */
  #requested(trouble: SpokenTrouble, at: number): AgentEvent[] {
    const found = trouble.requested()
    if (found === null) return []
    if ('text' in found) return this.#say(found.text, null, at)
    this.#attempt += 1
    return [{ type: 'retry_announced', at, attempt: null, of: null, delayMs: null, message: found.retry }]
  }

  #ended(result: WirePromptResult, usage: Usage | null, isAborted: boolean, at: number): AgentEvent[] {
    const reported: AgentEvent[] = usage ? [{ type: 'usage_reported', at, usage, auxiliary: false }] : []
    if (this.#failure !== null && !isAborted)
      return [...reported, ...failed(innerWords(this.#failure) || 'the agent reported an error without a reason', at)]
    const { stopReason } = result
    const isPlain = stopReason === 'end_turn' || stopReason === '' || (stopReason === 'cancelled' && isAborted)
    return [...reported, { type: 'turn_ended', at, ...(isPlain ? {} : { stop: stopReason }) }]
  }

  #rejected(error: RpcError, login: readonly LoginMethod[], at: number): AgentEvent[] {
    const message = errorWords(error)
    if (this.#isEmpty && isRejected(error)) return [{ type: 'prompt_refused', at, message }]
    return [
      ...(needsLogin(error) ? [{ type: 'login_needed' as const, at, methods: [...login] }] : []),
      ...failed(message, at, isOverLimit(error)),
    ]
  }
}

/** The compactions in a turn. The end of one may be reported twice, and its beginning may be missing. */
class AcpCompactions {
  #running: string | null = null
  readonly #over = new Set<string>()

  update(update: Extract<TurnPart, { sessionUpdate: 'compaction_update' }>, at: number): AgentEvent[] {
    const { compactionId: id, status } = update
    if (this.#over.has(id)) return []
    const isBegun = this.#running === id
    if (status === 'in_progress') {
      this.#running = id
      return [{ type: 'compaction_started', at, inTurn: true }]
    }
    const begun: AgentEvent[] = isBegun ? [] : [{ type: 'compaction_started', at, inTurn: true }]
    this.#running = null
    this.#over.add(id)
    if (status === 'completed')
      return [...begun, { type: 'compaction_finished', at, summary: textOfBlocks(update.summary ?? []), inTurn: true }]
    const message = update.error ?? `the compaction ended with the status ${status}`
    return [...begun, { type: 'compaction_failed', at, message, inTurn: true }]
  }

  /** The turn ends. */
  end(at: number): AgentEvent[] {
    return this.#running === null
      ? []
      : [{ type: 'compaction_failed', at, message: 'the turn ended first', inTurn: true }]
  }
}

function codexTroubleIn({ _meta: meta }: Extract<WireUpdate, { sessionUpdate: 'session_info_update' }>) {
  return readCodexTrouble(meta)
}

/** Whether the call ended because the user refused it: Copilot says so with a code. */
function isRefusal({ status, rawOutput }: WireToolCall): boolean {
  return status === 'failed' && textAt(rawOutput, 'code') === 'rejected'
}

function noted(text: string, at: number): AgentEvent {
  return { type: 'remark_made', at, level: 'quiet', text, hint: null, markdown: false }
}

function failed(message: string, at: number, overLimit = false): AgentEvent[] {
  return [
    { type: 'error_reported', at, message, ...(overLimit && { isOverLimit: true }) },
    { type: 'turn_ended', at, stop: 'error' },
  ]
}

/** The text of a block of an answer. A line of text stands for an image. */
function textOf(block: AcpBlock): string {
  const content = toContent(block)
  return content.type === 'text' ? content.text : `\n[an image, ${content.mimeType}]\n`
}
