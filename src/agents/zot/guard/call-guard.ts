/**
 * Checks the calls of one zot before they run. zot has no tools of its own while it is guarded: those that it offers to its model are
 * the guard's, and zotui carries their calls out once they are allowed. So nothing runs because zot, which runs what nobody answers in
 * time, goes on: it has nothing to run.
 *
 * - A call of these tools waits in zotui, and runs there. zot waits for 60 s.
 * - Any other call, of a skill or of an extension that the user named, waits in zot for 4 s.
 *
 * A call that takes longer is deferred (`tool-host/deferred-calls.ts`): zot gets the result that it waits or still runs, the next step is
 * blocked, and so its turn ends there.
 */
import { resolve } from 'node:path'
import type { AgentEvent } from '../../../agent/event.ts'
import type { Judge, ToolRequest, Verdict } from '../../../agent/permission.ts'
import type { PermissionAnswer } from '../../../agent/requests.ts'
import { failure, type LocalTools, type ToolOutcome } from '../../../local-tools/tool.ts'
import type { RunningHere } from '../../tool-host/running-here.ts'
import type { ZotEvent } from '../frame.ts'
import type { GuardFrame } from './link/frames.ts'
import type { GuardLink } from './link/guard-link.ts'
import { createDeferredCalls, type DeferredCall, type DeferredCalls } from '../../tool-host/deferred-calls.ts'
import { createOpenCalls, tooMany } from '../../tool-host/open-calls.ts'
import { createOwnCalls, type OwnCall } from './own-calls.ts'
import { createRepeatedCalls } from './repeated-calls.ts'
import { createQuestions, type CallDecision, type OpenQuestion, type Questions } from '../../tool-host/questions.ts'
import { createJudgedCalls, type JudgedCalls } from './judged-calls.ts'
import { createCarrier, type Carrier } from './carrier.ts'
import { isEarly, readArguments, toRequest } from './requests.ts'
import { createReplies, type Intercept, type Replies, type ResultOf } from './replies.ts'
import { SteeredCalls } from './steered-calls.ts'
import type { WaitingWords } from '../../tool-host/steering.ts'
import {
  AFTER_WAITING,
  ALSO_HELD,
  AMBIGUOUS,
  AWAITS_ANSWER,
  RUNS_ON,
  SAME_ID,
  STOPPED,
  UNKNOWN_CALL,
} from '../../tool-host/model-messages.ts'

export type CallGuardOptions = {
  /** The name of the agent, for the user. */
  name: string
  link: GuardLink
  judge: Judge
  /** Creates the tools that zotui runs, for zot's working folder. */
  toolsOf: (folder: string) => LocalTools
  /** zot's folder until it reports its own. Absolute. */
  folder: string
  emit: (event: AgentEvent) => void
  now: () => number
  limits: HoldLimits
  /** Stops the turn. */
  onStop: () => void
  /** Makes sure that no command outlives zotui: called with the leader of its session, and what it returns when that has ended. */
  watch?: ((leader: number) => () => void) | undefined
}

/** In milliseconds. */
export type HoldLimits = {
  /** zot runs the call after 5 s, and the guard refuses it after 4.5 s. */
  holdIntercept: number
  /** zot gives up on a tool of an extension after 60 s, and the guard after 58 s. */
  holdTool: number
}

export class CallGuard {
  /** Resolves when zot asks about every call. */
  readonly ready: Promise<void>

  readonly #options: CallGuardOptions
  readonly #questions: Questions
  readonly #calls: JudgedCalls
  readonly #deferred: DeferredCalls
  readonly #replies: Replies
  readonly #carrier: Carrier
  readonly #steered: SteeredCalls
  readonly #resolveReady: () => void
  readonly #repeated = createRepeatedCalls()
  readonly #own = createOwnCalls()
  readonly #open = createOpenCalls()
  #folder: string
  #stopping = false
  /** Whether zot has begun this turn. Calls before that are of an earlier one, which was aborted: their frames come in order. */
  #hasBegun = false
  #hasWarned = false
  #turn = new AbortController()
  /** Counted for all guards of a program: an answer to a call of an earlier zot must not be one for a later call. */
  static #count = 0

  constructor(options: CallGuardOptions) {
    this.#options = options
    const { link, emit, now, folder, toolsOf, judge } = options
    this.#folder = folder
    this.#questions = createQuestions(emit, now)
    this.#calls = createJudgedCalls({ judge, questions: this.#questions, emit, now })
    this.#replies = createReplies(link)
    this.#steered = new SteeredCalls(options)
    this.#carrier = createCarrier({ ...options, calls: this.#calls, tools: toolsOf(folder) })
    this.#deferred = createDeferredCalls(emit, now)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ready = promise
    this.#resolveReady = resolve
    link.receive(frame => this.#handle(frame))
  }

  /** A turn begins: zot may make calls. */
  begin(): void {
    this.#stopping = false
    this.#hasBegun = false
    this.#turn = new AbortController()
    this.words.begin()
    this.#options.link.watch(true)
  }

  /** The turn, or zot, has ended. */
  end(): void {
    this.#own.clear()
    this.stop('end')
    this.#options.link.watch(false)
    this.#deferred.clear()
    this.#repeated.clear()
    this.#calls.reportAll()
    this.#steered.end()
  }

  /** zot has ended: ends its commands, also those in the background. Never rejects. */
  async close(): Promise<void> {
    this.end()
    await this.commands.endAll()
  }

  /** Refuses the pending calls, and every call until the next turn. Must be called before the abort is sent to zot. */
  stop(by: 'user' | 'end' = 'end'): void {
    this.#stopping = true
    // A result of a stopped call must not carry them.
    this.words.end()
    this.#turn.abort()
    this.#questions.refuseAll(by)
  }

  answer(id: string, answer: PermissionAnswer, by: 'user' | 'rule' = 'user'): void {
    if (!this.#questions.has(id)) return
    if (answer.answer !== 'stop') return this.#questions.answer(id, answer, by)
    this.stop('user')
    this.#options.onStop()
  }

  /** The user's words to the running turn. */
  get words(): WaitingWords {
    return this.#steered.words
  }

  /** Returns the event as the user sees it: without the effects of deferral, of words and of an abort. Null if it is hidden. */
  translate(whole: ZotEvent): ZotEvent | null {
    if (whole.type === 'tool_result') this.#calls.reportRefusal(whole.id)
    const event = whole.type === 'tool_result' ? this.#steered.resultOf(whole) : whole
    if (this.#isOfDeferral(event) || (this.#stopping && isBlockedStep(event, STOPPED))) return null
    if (event.type !== 'tool_result') return event
    this.#own.end(event.id)
    // zot gave up on the call, or something else ended it.
    this.#questions.end(event.id)
    const result = this.#carrier.resultAfter(event)
    return this.#stopping ? inOurWords(result) : result
  }

  /** The commands that run, and what earlier ones left in the background. */
  get commands(): RunningHere {
    return this.#carrier.commands
  }

  /** Whether calls are deferred, and so the turn continues after zot has ended its own. */
  get hasDeferred(): boolean {
    return !this.#stopping && this.#deferred.isAny
  }

  /** Waits for the deferred calls, and resolves with the prompt that reports their outcome to zot. */
  outcomes(): Promise<string> {
    return this.#deferred.outcomes()
  }

  /** Whether an event is an effect of deferral, and so is hidden from the user. */
  #isOfDeferral(event: ZotEvent): boolean {
    if (!this.#deferred.isAny) return false
    return event.type === 'tool_result' ? this.#deferred.has(event.id) : isBlockedStep(event, AWAITS_ANSWER)
  }

  #handle(frame: GuardFrame): void {
    switch (frame.type) {
      case 'hello_ack':
        this.#folder = resolve(this.#folder, frame.cwd)
        this.#carrier.tools = this.#options.toolsOf(this.#folder)
        return
      case 'ready':
        return this.#resolveReady()
      case 'event_intercept':
        if (frame.event === 'tool_call') return this.#intercept(frame)
        return this.#nextStep(frame)
      case 'own_call':
        return this.#expect(frame)
      case 'unmade':
        return this.#warnOfOwnTools()
      case 'tool_call':
        return this.#callHere(frame)
      case 'tool_cancel':
      case 'pong':
        return
    }
  }

  /** zot is about to ask its model again. */
  #nextStep(frame: Intercept): void {
    this.#steered.nextStep()
    if (this.#deferred.isAny) return this.#replies.block(frame, AWAITS_ANSWER)
    this.#hasBegun ||= frame.step === 1
    // The abort may come later than the results of the refused calls.
    if (this.#stopping) this.#replies.block(frame, STOPPED)
    else this.#replies.pass(frame)
  }

  /** zot is about to call one of our tools. One that only reads begins at once: the guard has its result when zot makes the call. */
  #expect({ mark, call }: Extract<GuardFrame, { type: 'own_call' }>): void {
    const { tool_id: callId, tool_name: tool } = call
    const args = readArguments(call.tool_args)
    const refusal = this.#refusalOf(call) ?? (args === null ? AMBIGUOUS : null)
    const expected: OwnCall = { callId: callId || null, tool, args: args ?? {}, refusal }
    if (isEarly(tool)) {
      this.#own.open(expected)
      return this.#carryOut(expected, { mark })
    }
    // One that is not kept is not carried out.
    if (this.#own.put(mark, expected)) this.#own.open(expected)
  }

  #intercept(frame: Intercept): void {
    const refusal = this.#refusalOf(frame)
    if (refusal !== null) return this.#replies.block(frame, refusal)
    const { tool_id: callId, tool_name: tool } = frame
    if (this.#steered.isHolding) {
      this.#steered.heldBack({ callId: callId || null, tool })
      return this.#replies.block(frame, ALSO_HELD)
    }
    const args = readArguments(frame.tool_args)
    if (args === null) return this.#replies.block(frame, AMBIGUOUS)
    const request = this.#request({ callId: callId || null, tool, args })
    if (this.#repeated.redeem(request)) return this.#replies.pass(frame)
    const leave = this.#open.enter()
    if (leave) void this.#decideAfter(this.#calls.verdictOf(request), frame, request).finally(leave)
    else void this.#decide(frame, request, tooMany)
  }

  async #decideAfter(verdict: Verdict | Promise<Verdict>, frame: Intercept, request: ToolRequest): Promise<void> {
    // zot waits: what is known at once is answered at once.
    const made = verdict instanceof Promise ? await verdict : verdict
    const refusal = verdict instanceof Promise ? this.#refusalOf(frame) : null
    if (refusal === null) await this.#decide(frame, request, made)
    else this.#replies.block(frame, refusal)
  }

  /** The reason why no call can run now; null if calls can run. */
  #refusalOf(call: Pick<Intercept, 'tool_id'>): string | null {
    if (this.#stopping || !this.#hasBegun) return STOPPED
    if (this.#deferred.isAny) return AFTER_WAITING
    // An answer to one of two calls with the same id could be taken for one to the other.
    const isAsked = this.#questions.waiting.some(({ callId }) => (callId ?? '') === call.tool_id)
    return isAsked || this.#own.isOpen(call.tool_id) ? SAME_ID : null
  }

  #decide(frame: Intercept, request: ToolRequest, verdict: Verdict): Promise<unknown> | undefined {
    const call = this.#calls.judged(request, verdict)
    if (call.verdict === 'ask') return this.#holdInZot(frame, call.question)
    if (call.verdict === 'allow') this.#replies.pass(frame)
    else this.#replies.block(frame, call.words)
    return undefined
  }

  /** Only zot can run the call: once it is deferred, it must be made again. Resolves with the decision. */
  #holdInZot(frame: Intercept, question: OpenQuestion): Promise<CallDecision> {
    const { promise: decision, resolve: decide } = Promise.withResolvers<CallDecision>()
    const timer = setTimeout(() => {
      question.decided(decide)
      const outcome = this.#repeated.outcomeOf(question.request, decision)
      this.#deferred.add(deferredCall(question.request, outcome))
      this.#replies.block(frame, AWAITS_ANSWER)
    }, this.#options.limits.holdIntercept)
    question.decided(made => {
      clearTimeout(timer)
      decide(made)
      if (made.allowed) this.#replies.pass(frame)
      else this.#replies.block(frame, made.words)
    })
    return decision
  }

  /** A call of a tool that zotui runs. */
  #callHere(frame: Extract<GuardFrame, { type: 'tool_call' }>): void {
    const call = this.#own.take(frame.args)
    // zot did not wait for the answer to its question, or something else changed the arguments.
    if (!call) return this.#replies.reply({ id: frame.id }, failure(UNKNOWN_CALL))
    this.#carryOut(call, { id: frame.id })
  }

  #carryOut(call: OwnCall, resultOf: ResultOf): void {
    const refusal = call.refusal ?? (this.#deferred.isAny ? AFTER_WAITING : null)
    if (refusal !== null) return this.#replies.reply(resultOf, failure(refusal))
    const held = this.#steered.heldBack(call)
    if (held) this.#replies.reply(resultOf, held)
    else void this.#run(this.#request(call), resultOf)
  }

  /** Never rejects. */
  async #run(request: ToolRequest, resultOf: ResultOf): Promise<void> {
    const leave = this.#open.enter()
    if (!leave) {
      this.#calls.judged(request, tooMany)
      return this.#replies.reply(resultOf, failure(tooMany.words))
    }
    let isRunning = false
    const run = this.#carrier.carryOut(request, this.#turn.signal, () => (isRunning = true)).finally(leave)
    const first = await this.#deferred.wait(deferredCall(request, run), this.#options.limits.holdTool)
    const outcome = first === 'deferred' ? failure(isRunning ? RUNS_ON : AWAITS_ANSWER) : first
    this.#replies.reply(resultOf, this.#steered.withWords(request.callId, outcome))
  }

  /** zot has results of calls that it never made: it carried them out itself, unless a stop ended them. */
  #warnOfOwnTools(): void {
    if (this.#hasWarned || this.#stopping || !this.#hasBegun) return
    this.#hasWarned = true
    this.#options.emit({ type: 'warning_raised', at: this.#options.now(), message: RUNS_OWN_TOOLS })
  }

  #request(call: Pick<OwnCall, 'callId' | 'tool' | 'args'>): ToolRequest {
    CallGuard.#count += 1
    return toRequest({ ...call, id: `call-${CallGuard.#count}`, folder: this.#folder })
  }
}

/** The events of a step that did not begin, for this reason. */
function isBlockedStep(event: ZotEvent, reason: string): boolean {
  return event.type === 'turn_start' || (event.type === 'turn_end' && event.error === reason)
}

function deferredCall({ callId, tool }: ToolRequest, outcome: Promise<ToolOutcome>): DeferredCall {
  return { id: callId, modelId: callId, tool, outcome }
}

/** The words of zot for a call of its own that an abort ended. For one of ours they name the extension. */
const ABORTED = 'aborted: context canceled'

function inOurWords(result: Extract<ZotEvent, { type: 'tool_result' }>): ZotEvent {
  const isZots = result.content.some(
    part => part.type === 'text' && /^extension \S+ failed: context canceled$/.test(part.text),
  )
  return isZots ? { ...result, content: [{ type: 'text', text: ABORTED }] } : result
}

const RUNS_OWN_TOOLS =
  'This zot runs tools of its own beside those of zotui. Such a call runs unasked if everything stands still for 5 s while it waits, ' +
  'as when the machine sleeps. Use another version of zot.'
