/**
 * Wraps an agent so that its calls and events run hooks. A permission request is buffered until the hooks have
 * answered, and is emitted only if they leave the decision to the user.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Backend } from '../agent/backend.ts'
import type { AgentEvent, EventOf } from '../agent/event.ts'
import { createListeners } from '../agent/listeners.ts'
import type { Judge, ToolRequest, Verdict } from '../agent/permission.ts'
import type { PermissionAnswer } from '../agent/requests.ts'
import { forwardTo } from '../agents/host/forwarding.ts'
import { callInBrief } from '../conversation/calls/call-in-brief.ts'
import { sentence } from '../text/sentence.ts'
import { noAnswer, type HookAnswer } from './answer.ts'
import type { Hooks } from './hooks.ts'
import { createTurnHooks } from './turns.ts'

type AskedRequest = EventOf<'permission_requested'>

export type HookedAgent = {
  backend: Backend
  /** The reason why a hook wants the user to decide about a call that the rules would allow; null if none does. */
  doubtOf: (request: Pick<ToolRequest, 'id'>) => string | null
  /** True if hooks answer permission requests for this tool. */
  decides: (tool: string) => boolean
}

export type HookedAgentOptions = {
  backend: Backend
  hooks: Hooks
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** Runs something once when the agent has been idle for a while; the result cancels it. Absent without a screen. */
  afterIdle?: (run: () => void) => () => void
  /** Called when the conversation was cleared. */
  onCleared?: () => void
  /** True if hooks run only for its calls, because it answers a side question. */
  isSideQuestion?: boolean
}

/** A question that waits for hooks. */
type WaitingRequest = { asked: AskedRequest; ending: AbortController; refusal: string | null }
/** The answer of the PreToolUse hooks to a call, which they saw with this input. */
type Looked = { tool: string; input: unknown; answer: Promise<HookAnswer>; ending: AbortController }

const BY_HOOK = 'Nothing was run or changed. Do not try to do the same in another way.'

export function hookedAgent(options: HookedAgentOptions): HookedAgent {
  const { backend: inner, hooks, now, afterIdle, onCleared = () => {}, isSideQuestion = false } = options
  /** For the events that hooks cause or have delayed. All others go from the agent to the listeners. */
  const { emit, subscribe: subscribeToOwn } = createListeners<[AgentEvent]>()
  /** Decisions about calls that nobody was asked about. */
  const unasked = new WeakSet<AgentEvent>()
  const waiting = new Map<string, WaitingRequest>()
  const looked = new Map<string, Looked>()
  const doubts = new Map<string, string>()
  /** The calls that the user must decide about, by the id of the question. */
  const released = new Map<string, string | null>()
  let judge: Judge | null = null
  const notify: Hooks['notify'] = (...args) => (isSideQuestion ? undefined : hooks.notify(...args))
  const turns = createTurnHooks({ notify, onCleared, ...(afterIdle && { afterIdle }) })
  // Before any listener.
  inner.subscribe(take)
  return {
    backend: forwardTo(() => inner, { subscribe, judgeWith }),
    doubtOf: ({ id }) => doubts.get(id) ?? null,
    decides,
  }

  function subscribe(listener: (event: AgentEvent) => void): () => void {
    const leaveOwn = subscribeToOwn(listener)
    const leaveInner = inner.subscribe(event => {
      if (!isKept(event)) listener(event)
    })
    return () => {
      leaveOwn()
      leaveInner()
    }
  }

  /** Whether the listeners do not get an event of the agent, or get it later. */
  function isKept(event: AgentEvent): boolean {
    return event.type === 'permission_requested' || (event.type === 'permission_decided' && unasked.has(event))
  }

  function decides(tool: string): boolean {
    return hooks.has('PreToolUse', tool) || hooks.has('PermissionRequest', tool)
  }

  function judgeWith(next: Judge): void {
    judge = next
    inner.judgeWith(request => {
      const verdict = next(request)
      if (!hooks.has('PreToolUse', request.tool)) return verdict
      return verdict instanceof Promise ? verdict.then(checked) : checked(verdict)
    })
  }

  /** The decision without hooks. Never rejects. */
  async function verdictOn(asked: AskedRequest): Promise<Verdict> {
    const { type: _type, at: _at, because, ...request } = asked
    try {
      return (await judge?.(request)) ?? { verdict: 'ask', because }
    } catch {
      return { verdict: 'ask', because }
    }
  }

  function take(event: AgentEvent): void {
    if (event.type === 'permission_requested') return onAsked(event)
    if (event.type === 'permission_decided' && onDecided(event)) return void unasked.add(event)
    turns.follow(event)
    if (event.type === 'tool_called' && turns.isLive()) void look(event.id, event.name, event.arguments)
    if (event.type === 'prompt_sent') looked.clear()
    // Its id may be used again.
    if (event.type === 'tool_finished') looked.delete(event.id)
  }

  function onAsked(asked: AskedRequest): void {
    if (!decides(asked.tool)) return release(asked, null)
    const pending = { asked, ending: new AbortController(), refusal: null }
    waiting.set(asked.id, pending)
    void settle(pending)
  }

  /** True if it concerns a buffered request, which has ended without being emitted. */
  function onDecided({ id, at, allowed }: EventOf<'permission_decided'>): boolean {
    doubts.delete(id)
    if (!allowed) turns.refused(released.get(id) ?? null)
    released.delete(id)
    const pending = waiting.get(id)
    if (!pending) return false
    waiting.delete(id)
    pending.ending.abort()
    looked.get(keyOf(pending.asked))?.ending.abort()
    const { callId, tool } = pending.asked
    if (!allowed) turns.refused(callId)
    if (pending.refusal !== null) emit({ type: 'call_refused', at, callId, tool, because: pending.refusal })
    return true
  }

  /** Runs the PreToolUse hooks, once for each call; again if its arguments have changed. */
  function look(key: string, tool: string, input: unknown): Promise<HookAnswer> {
    const before = looked.get(key)
    if (before?.tool === tool && isDeepStrictEqual(before.input, input)) return before.answer
    before?.ending.abort()
    if (!hooks.has('PreToolUse', tool)) return Promise.resolve(noAnswer)
    const ending = new AbortController()
    const facts = { tool_name: tool, tool_input: input, tool_use_id: key }
    const answer = hooks.ask('PreToolUse', facts, { name: tool, signal: ending.signal })
    looked.set(key, { tool, input, answer, ending })
    return answer
  }

  async function settle(pending: WaitingRequest): Promise<void> {
    const { asked, ending } = pending
    const first = await look(keyOf(asked), asked.tool, asked.arguments)
    if (waiting.get(asked.id) !== pending) return
    if (first.says !== 'nothing') return follow(pending, first)
    const verdict = await verdictOn(asked)
    if (waiting.get(asked.id) !== pending) return
    if (verdict.verdict === 'refuse') return allow(pending, verdict)
    // Only the hooks have delayed the call.
    if (verdict.verdict === 'allow' && !asked.options) return answerWith(pending, allowing(verdict))
    const { id: _id, type: _type, at: _at, callId, tool, arguments: input, options: _options, ...facts } = asked
    const request = { tool_name: tool, tool_input: input, tool_use_id: callId, ...facts }
    const answer = await hooks.ask('PermissionRequest', request, { name: tool, signal: ending.signal })
    if (waiting.get(asked.id) === pending) follow(pending, answer)
  }

  function follow(pending: WaitingRequest, { says, reason, stops }: HookAnswer): void {
    switch (says) {
      case 'deny':
        return refuse(pending, reason, stops)
      case 'allow':
        return void allowed(pending)
      case 'ask':
        return leave(pending, `a hook asks you to decide${reason === '' ? '' : `: ${reason}`}`)
      case 'doubt':
        return leave(pending, `a hook ${reason}`)
      case 'nothing':
        return leave(pending, null)
    }
  }

  async function allowed(pending: WaitingRequest): Promise<void> {
    const verdict = await verdictOn(pending.asked)
    if (waiting.get(pending.asked.id) === pending) allow(pending, verdict)
  }

  /** A rule or a mode that refuses wins over a hook. */
  function allow(pending: WaitingRequest, verdict: Verdict): void {
    if (verdict.verdict === 'refuse') {
      pending.refusal = verdict.because
      return answerWith(pending, { answer: 'refuse', words: verdict.words })
    }
    const isUnknown = verdict.verdict === 'ask' && verdict.isProvisional === true
    const canAllow = pending.asked.options?.some(({ kind }) => kind === 'allow_once') ?? true
    if (isUnknown || !canAllow) return leave(pending, null)
    answerWith(pending, allowing(verdict))
  }

  function refuse(pending: WaitingRequest, reason: string, stops: boolean): void {
    pending.refusal = reason === '' ? 'your hook' : `your hook: ${reason}`
    const words = `Blocked by your hook${reason === '' ? '.' : `: ${sentence(reason)}`} ${BY_HOOK}`
    answerWith(pending, stops ? { answer: 'stop' } : { answer: 'refuse', words })
  }

  /** Answers the request. `permission_decided` follows. */
  function answerWith(pending: WaitingRequest, answer: PermissionAnswer): void {
    inner.answerPermission(pending.asked.id, answer, 'rule')
  }

  /** Leaves the question to the user, from now on. */
  function leave({ asked }: WaitingRequest, because: string | null): void {
    waiting.delete(asked.id)
    if (because !== null) doubts.set(asked.id, because)
    release({ ...asked, at: now() }, because)
  }

  function release(asked: AskedRequest, because: string | null): void {
    released.set(asked.id, asked.callId)
    notify(
      'Notification',
      { notification_type: 'permission_prompt', message: `Permission needed: ${callInBrief(asked)}` },
      'permission_prompt',
    )
    emit(because === null ? asked : { ...asked, because })
  }
}

/** Identifies a call, so that its hooks run once. */
function keyOf({ callId, id }: AskedRequest): string {
  return callId ?? id
}

/** Hooks see a call before it runs. */
function checked(verdict: Verdict): Verdict {
  return verdict.verdict === 'allow' ? { verdict: 'ask', because: 'hooks check it first' } : verdict
}

/** The answer of a verdict that allows, and of a hook that does. */
function allowing(verdict: Verdict): PermissionAnswer {
  return { answer: 'allow', ...(verdict.verdict === 'allow' && verdict.reading && { reading: verdict.reading }) }
}
