/** One turn of an agent: its text, thoughts, calls and compactions, and its end. Pure. */
import { z } from 'zod'
import type { AgentEvent, Usage } from '../../../agent/event.ts'
import type { LoginMethod } from '../../../agent/session-events.ts'
import type { RpcError, RpcReply } from '../../transport/json-rpc.ts'
import { innerWords } from '../../host/inner-words.ts'
import { errorWords, isRejected, needsLogin } from '../error-words.ts'
import { readPromptResult, type AcpBlock, type WirePromptResult, type WireToolCall, type WireUpdate } from '../frame.ts'
import { createAnswer } from './answer.ts'
import type { Calls } from './calls.ts'
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

export type AcpTurn = {
  part(update: TurnPart, at: number): AgentEvent[]
  /** A request of the agent is about this call. */
  asked(call: WireToolCall, at: number): AgentEvent[]
  /** Anything else that the agent reports meanwhile. */
  other(update: WireUpdate, at: number): AgentEvent[]
  end(end: TurnEnd, context: EndContext, at: number): AgentEvent[]
}

export type TurnOptions = {
  calls: Calls
  /** Gives the tokens of the turn, from the report at its end. */
  count: UsageCounter['count']
  /** Whether the agent reports failures of its model as pieces of its answer. */
  saysErrors: boolean
}

export function createTurn({ calls, count, saysErrors }: TurnOptions): AcpTurn {
  const answer = createAnswer()
  const spoken = saysErrors ? createSpokenTrouble() : null
  /** The tries of the answer, which the agent itself does not number. */
  let attempt = 0
  let isEmpty = true
  /** The reason of a failure that is missing in the answer to the prompt; null if there was none. */
  let failure: string | null = null
  let compaction: string | null = null
  const compacted = new Set<string>()

  return {
    part(update, at) {
      const own = 'toolCallId' in update ? update.toolCallId : undefined
      const settled = calls.settle(at, own)
      const released = update.sessionUpdate === 'agent_message_chunk' ? [] : say(spoken?.release() ?? '', null, at)
      const events = translatePart(update, at)
      return settled.length === 0 && released.length === 0 ? events : [...settled, ...released, ...events]
    },
    asked(call, at) {
      isEmpty = false
      const released = say(spoken?.release() ?? '', null, at)
      const events = calls.isPast(call.toolCallId) ? [] : calls.upsert({ ...call, status: null }, at)
      return [...released, ...answer.call(at), ...events, ...calls.called(call.toolCallId, at)]
    },
    other(update, at) {
      const settled = calls.settle(at)
      if (spoken && update.sessionUpdate === 'usage_update') return [...settled, ...requested(spoken, at)]
      const trouble = update.sessionUpdate === 'session_info_update' ? troubleIn(update) : null
      if (trouble?.kind === 'failure') failure = trouble.message || failure || ''
      if (trouble?.kind !== 'retry') return settled
      const { message, attempt, of } = trouble
      return [...settled, { type: 'retry_announced', at, attempt, of, delayMs: null, message }]
    },
    end,
  }

  function translatePart(update: TurnPart, at: number): AgentEvent[] {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return message(update, at)
      case 'agent_thought_chunk': {
        isEmpty = false
        const text = textOfBlocks([update.content])
        return text === '' ? [] : [{ type: 'thought_received', at, text }]
      }
      case 'tool_call':
      case 'tool_call_update': {
        const isFirst = update.sessionUpdate === 'tool_call'
        // An earlier turn's call, which is over.
        if (!isFirst && calls.isPast(update.toolCallId)) return []
        isEmpty = false
        if (isRefusal(update)) spoken?.refused()
        return [...answer.call(at), ...calls.upsert(update, at, isFirst)]
      }
      case 'compaction_update':
        return compact(update, at)
    }
  }

  function message(
    { content, messageId, _meta }: Extract<TurnPart, { sessionUpdate: 'agent_message_chunk' }>,
    at: number,
  ) {
    const usage = _meta?.usage ? toUsage(_meta.usage) : null
    const reported: AgentEvent[] = usage ? [{ type: 'usage_reported', at, usage, auxiliary: false }] : []
    const text = textOf(content)
    if (text === '') return reported
    isEmpty = false
    // Codex then sends the reason as if it were its answer.
    if (failure !== null && !messageId) {
      failure += text
      return reported
    }
    const said = say(spoken ? spoken.piece(text) : text, messageId ?? null, at)
    return usage ? [...reported, ...said] : said
  }

  function say(text: string, messageId: string | null, at: number): AgentEvent[] {
    return answer.text(text, messageId ?? (attempt === 0 ? null : `attempt ${attempt}`), at)
  }

  /** The agent asks its model, for the first time or again. */
  function requested(trouble: SpokenTrouble, at: number): AgentEvent[] {
    const found = trouble.requested()
    if (found === null) return []
    if ('text' in found) return say(found.text, null, at)
    attempt += 1
    return [{ type: 'retry_announced', at, attempt: null, of: null, delayMs: null, message: found.retry }]
  }

  function compact(update: Extract<TurnPart, { sessionUpdate: 'compaction_update' }>, at: number): AgentEvent[] {
    const { compactionId: id, status } = update
    // The end may be reported twice.
    if (compacted.has(id)) return []
    if (status === 'in_progress') {
      compaction = id
      return [{ type: 'compaction_started', at, inTurn: true }]
    }
    const begun: AgentEvent[] = compaction === id ? [] : [{ type: 'compaction_started', at, inTurn: true }]
    compaction = null
    compacted.add(id)
    if (status === 'completed')
      return [...begun, { type: 'compaction_finished', at, summary: textOfBlocks(update.summary ?? []), inTurn: true }]
    const message = update.error ?? `the compaction ended with the status ${status}`
    return [...begun, { type: 'compaction_failed', at, message, inTurn: true }]
  }

  function end(how: TurnEnd, { isAborted, login }: EndContext, at: number): AgentEvent[] {
    const report = how !== 'cut' && 'result' in how ? usageOfTurn(how.result) : null
    const usage = report && count(report)
    const tokens = report === null ? 'nothing' : usage === null ? 'no more' : 'more'
    const last = spoken?.end(tokens) ?? null
    if (last && 'failure' in last) failure = last.failure
    const wentWell = how !== 'cut' && 'result' in how && failure === null && !isAborted
    const open: AgentEvent[] = [
      ...say(last && 'text' in last ? last.text : '', null, at),
      ...answer.end(at),
      ...calls.end(at, wentWell),
      ...(last && 'notice' in last ? [noted(last.notice, at)] : []),
      ...(compaction === null
        ? []
        : [{ type: 'compaction_failed' as const, at, message: 'the turn ended first', inTurn: true as const }]),
    ]
    if (how === 'cut') return open
    if ('result' in how) return [...open, ...ended(how.result, usage, isAborted, at)]
    if (isAborted) return [...open, { type: 'turn_ended', at }]
    const { error } = how
    const message = errorWords(error)
    if (isEmpty && isRejected(error)) return [...open, { type: 'prompt_refused', at, message }]
    return [
      ...open,
      ...(needsLogin(error) ? [{ type: 'login_needed' as const, at, methods: [...login] }] : []),
      ...failed(message, at),
    ]
  }

  function ended(result: WirePromptResult, usage: Usage | null, isAborted: boolean, at: number): AgentEvent[] {
    const reported: AgentEvent[] = usage ? [{ type: 'usage_reported', at, usage, auxiliary: false }] : []
    if (failure !== null && !isAborted)
      return [...reported, ...failed(innerWords(failure) || 'the agent reported an error without a reason', at)]
    const { stopReason } = result
    const isPlain = stopReason === 'end_turn' || stopReason === '' || (stopReason === 'cancelled' && isAborted)
    return [...reported, { type: 'turn_ended', at, ...(isPlain ? {} : { stop: stopReason }) }]
  }
}

function troubleIn({ _meta: meta }: Extract<WireUpdate, { sessionUpdate: 'session_info_update' }>) {
  return readCodex(meta)
}

/** Whether the call ended because the user refused it: Copilot says so with a code. */
function isRefusal({ status, rawOutput }: WireToolCall): boolean {
  return status === 'failed' && textAt(rawOutput, 'code') === 'rejected'
}

function noted(text: string, at: number): AgentEvent {
  return { type: 'remark_made', at, level: 'quiet', text, hint: null, markdown: false }
}

function failed(message: string, at: number): AgentEvent[] {
  return [
    { type: 'error_reported', at, message },
    { type: 'turn_ended', at, stop: 'error' },
  ]
}

/** The text of a block of an answer. A line of text stands for an image. */
function textOf(block: AcpBlock): string {
  const content = toContent(block)
  return content.type === 'text' ? content.text : `\n[an image, ${content.mimeType}]\n`
}

const words = z.string().optional().catch(undefined)

const codexSchema = z.object({
  codex: z.object({
    error: z
      .object({ message: words, additionalDetails: words, willRetry: z.boolean().catch(false) })
      .optional()
      .catch(undefined),
    threadStatus: z.object({ type: words }).optional().catch(undefined),
  }),
})

type CodexTrouble =
  | { kind: 'retry'; message: string; attempt: number | null; of: number | null }
  | { kind: 'failure'; message: string }

/**
 * Failures of the model that Codex reports in the `_meta` of an update, in addition to the protocol: its turn then ends like a successful
 * one. Null where nothing is wrong.
 */
function readCodex(meta: unknown): CodexTrouble | null {
  const { data } = codexSchema.safeParse(meta)
  if (!data) return null
  const { error, threadStatus } = data.codex
  if (threadStatus?.type === 'systemError') return { kind: 'failure', message: '' }
  if (!error) return null
  const message = error.additionalDetails ?? error.message ?? ''
  if (!error.willRetry) return { kind: 'failure', message }
  const [, attempt, of] = /(?<!\d)(\d{1,6})\/(\d{1,6})(?!\d)/.exec(error.message ?? '') ?? []
  return { kind: 'retry', message, attempt: attempt ? Number(attempt) : null, of: of ? Number(of) : null }
}
