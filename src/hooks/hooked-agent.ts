/**
 * Wraps an agent so that its calls and events run hooks. A permission request is buffered until the hooks have
 * answered, and is emitted only if they leave the decision to the user.
 */
import type { Backend } from '../agent/backend.ts'
import type { AgentEvent, EventOf } from '../agent/event.ts'
import { createListeners } from '../agent/listeners.ts'
import type { Judge, ToolRequest, Verdict } from '../agent/permission.ts'
import type { PermissionAnswer } from '../agent/requests.ts'
import { forwardTo } from '../agents/host/forwarding.ts'
import { callInBrief } from '../conversation/calls/call-in-brief.ts'
import { sentence } from '../text/sentence.ts'
import type { HookAnswer } from './answer.ts'
import type { Hooks } from './hooks.ts'
import { LookedCalls } from './looked-calls.ts'
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

const BY_HOOK = 'Nothing was run or changed. Do not try to do the same in another way.'

export function hookedAgent(options: HookedAgentOptions): HookedAgent {
  const hooked = new HookedCalls(options)
  return {
    backend: forwardTo(() => options.backend, {
      subscribe: listener => hooked.subscribe(listener),
      judgeWith: judge => hooked.judgeWith(judge),
    }),
    doubtOf: ({ id }) => hooked.doubtOf(id),
    decides: tool => hooked.decides(tool),
  }
}

class HookedCalls {
  readonly #inner: Backend
  readonly #hooks: Hooks
  readonly #now: () => number
  readonly #notify: Hooks['notify']
  readonly #turns: ReturnType<typeof createTurnHooks>
  readonly #looked: LookedCalls
  /** For the events that hooks cause or have delayed. All others go from the agent to the listeners. */
  readonly #own = createListeners<[AgentEvent]>()
  /** Decisions about calls that nobody was asked about. */
  readonly #unasked = new WeakSet<AgentEvent>()
  readonly #waiting = new Map<string, WaitingRequest>()
  readonly #doubts = new Map<string, string>()
  /** The calls that the user must decide about, by the id of the question. */
  readonly #released = new Map<string, string | null>()
  #judge: Judge | null = null

  constructor({ backend, hooks, now, afterIdle, onCleared = () => {}, isSideQuestion = false }: HookedAgentOptions) {
    this.#inner = backend
    this.#hooks = hooks
    this.#now = now
    this.#notify = (...args) => (isSideQuestion ? undefined : hooks.notify(...args))
    this.#turns = createTurnHooks({ notify: this.#notify, onCleared, ...(afterIdle && { afterIdle }) })
    this.#looked = new LookedCalls(hooks)
    // Before any listener.
    backend.subscribe(event => this.#take(event))
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    const leaveOwn = this.#own.subscribe(listener)
    const leaveInner = this.#inner.subscribe(event => {
      if (!this.#isKept(event)) listener(event)
    })
    return () => {
      leaveOwn()
      leaveInner()
    }
  }

  judgeWith(next: Judge): void {
    this.#judge = next
    this.#inner.judgeWith(request => {
      const verdict = next(request)
      if (!this.#hooks.has('PreToolUse', request.tool)) return verdict
      return verdict instanceof Promise ? verdict.then(checked) : checked(verdict)
    })
  }

  doubtOf(id: string): string | null {
    return this.#doubts.get(id) ?? null
  }

  decides(tool: string): boolean {
    return this.#hooks.has('PreToolUse', tool) || this.#hooks.has('PermissionRequest', tool)
  }

  /** Whether the listeners do not get an event of the agent, or get it later. */
  #isKept(event: AgentEvent): boolean {
    return event.type === 'permission_requested' || (event.type === 'permission_decided' && this.#unasked.has(event))
  }

  #take(event: AgentEvent): void {
    if (event.type === 'permission_requested') return this.#requested(event)
    if (event.type === 'permission_decided' && this.#decided(event)) return void this.#unasked.add(event)
    this.#turns.follow(event)
    // A hook sees the calls of subagents, too.
    const work = event.type === 'task_event' ? event.event : event
    if (work.type === 'tool_called' && this.#turns.isLive()) void this.#looked.look(work.id, work.name, work.arguments)
    if (event.type === 'prompt_sent' || event.type === 'turn_begun') this.#looked.clear()
    if (work.type === 'tool_finished') this.#looked.forget(work.id)
  }

  #requested(asked: AskedRequest): void {
    if (!this.decides(asked.tool)) return this.#release(asked, null)
    const pending = { asked, ending: new AbortController(), refusal: null }
    this.#waiting.set(asked.id, pending)
    void this.#settle(pending)
  }

  /** True if it concerns a buffered request, which has ended without being emitted. */
  #decided({ id, at, allowed }: EventOf<'permission_decided'>): boolean {
    this.#doubts.delete(id)
    if (!allowed) this.#turns.refused(this.#released.get(id) ?? null)
    this.#released.delete(id)
    const pending = this.#waiting.get(id)
    if (!pending) return false
    this.#waiting.delete(id)
    pending.ending.abort()
    this.#looked.end(keyOf(pending.asked))
    const { callId, tool, wants } = pending.asked
    if (!allowed) this.#turns.refused(wants ? null : callId)
    const refused = { type: 'call_refused', at, callId, tool, ...(wants && { wants }) } as const
    if (pending.refusal !== null) this.#own.emit({ ...refused, because: pending.refusal })
    return true
  }

  /** Asks the hooks that decide about a request, one kind after the other. */
  async #settle(pending: WaitingRequest): Promise<void> {
    const { asked, ending } = pending
    if (!asked.wants) {
      const first = await this.#looked.look(keyOf(asked), asked.tool, asked.arguments)
      if (!this.#isWaiting(pending)) return
      if (first.says !== 'nothing') return this.#follow(pending, first)
    }
    const verdict = await this.#verdictOn(asked)
    if (!this.#isWaiting(pending)) return
    if (verdict.verdict === 'refuse') return this.#allow(pending, verdict)
    // Only the hooks have delayed the call.
    if (verdict.verdict === 'allow' && !asked.options && !asked.wants) return this.#answer(pending, allowing(verdict))
    const { id: _id, type: _type, at: _at, callId, tool, arguments: input, options: _options, ...facts } = asked
    const request = { tool_name: tool, tool_input: input, tool_use_id: callId, ...facts }
    const answer = await this.#hooks.ask('PermissionRequest', request, { name: tool, signal: ending.signal })
    if (this.#isWaiting(pending)) this.#follow(pending, answer)
  }

  #isWaiting(pending: WaitingRequest): boolean {
    return this.#waiting.get(pending.asked.id) === pending
  }

  /** The decision without hooks. Never rejects. */
  async #verdictOn(asked: AskedRequest): Promise<Verdict> {
    const { type: _type, at: _at, because, ...request } = asked
    try {
      return (await this.#judge?.(request)) ?? { verdict: 'ask', because }
    } catch {
      // What cannot be decided is asked.
      return { verdict: 'ask', because }
    }
  }

  #follow(pending: WaitingRequest, { says, reason, stops }: HookAnswer): void {
    switch (says) {
      case 'deny':
        return this.#refuse(pending, reason, stops)
      case 'allow':
        return void this.#allowed(pending)
      case 'ask':
        return this.#leave(pending, `a hook asks you to decide${reason === '' ? '' : `: ${reason}`}`)
      case 'doubt':
        return this.#leave(pending, `a hook ${reason}`)
      case 'nothing':
        return this.#leave(pending, null)
    }
  }

  async #allowed(pending: WaitingRequest): Promise<void> {
    const verdict = await this.#verdictOn(pending.asked)
    if (this.#isWaiting(pending)) this.#allow(pending, verdict)
  }

  /** A rule or a mode that refuses wins over a hook. */
  #allow(pending: WaitingRequest, verdict: Verdict): void {
    if (verdict.verdict === 'refuse') {
      pending.refusal = verdict.because
      return this.#answer(pending, { answer: 'refuse', words: verdict.words })
    }
    const isUnknown = verdict.verdict === 'ask' && verdict.isProvisional === true
    const { options, wants, outside } = pending.asked
    const canAllow = !wants && !outside && (options?.some(({ kind }) => kind === 'allow_once') ?? true)
    if (isUnknown || !canAllow) return this.#leave(pending, null)
    this.#answer(pending, allowing(verdict))
  }

  #refuse(pending: WaitingRequest, reason: string, stops: boolean): void {
    pending.refusal = reason === '' ? 'your hook' : `your hook: ${reason}`
    const blocked = `Blocked by your hook${reason === '' ? '.' : `: ${sentence(reason)}`}`
    const words = pending.asked.wants ? blocked : `${blocked} ${BY_HOOK}`
    this.#answer(pending, stops ? { answer: 'stop' } : { answer: 'refuse', words })
  }

  /** Answers the request. `permission_decided` follows. */
  #answer(pending: WaitingRequest, answer: PermissionAnswer): void {
    this.#inner.answerPermission(pending.asked.id, answer, 'rule')
  }

  /** Leaves the question to the user, from now on. */
  #leave({ asked }: WaitingRequest, because: string | null): void {
    this.#waiting.delete(asked.id)
    if (because !== null) this.#doubts.set(asked.id, because)
    this.#release({ ...asked, at: this.#now() }, because)
  }

  #release(asked: AskedRequest, because: string | null): void {
    this.#released.set(asked.id, asked.wants ? null : asked.callId)
    const message = `Permission needed: ${callInBrief(asked)}`
    this.#notify('Notification', { notification_type: 'permission_prompt', message }, 'permission_prompt')
    this.#own.emit(because === null ? asked : { ...asked, because })
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
  return { answer: 'allow', ...(verdict.verdict === 'allow' && verdict.box && { box: verdict.box }) }
}
