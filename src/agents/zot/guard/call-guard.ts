/**
 * Checks the calls of one zot before they run, and holds those that need an answer of the user:
 *
 * - a command waits in its shell, at a gate (`gates.ts`), for as long as it takes;
 * - an edit waits in zotui, which carries it out itself, for 55 s;
 * - any other call, and a command without a gate, waits in zot for 4 s.
 *
 * A call that waits longer is parked (`parking.ts`): zot gets the result that it is held, and its turn ends there.
 */
import { resolve } from 'node:path'
import type { AgentEvent } from '../../../agent/event.ts'
import type { GitSetting, Judge, PermissionAnswer, ToolRequest, Verdict } from '../../../agent/permission.ts'
import { readingLine } from '../../../platform/git/switches.ts'
import { failure, type FileState, type LocalTools, type ToolOutcome } from '../../../local-tools/tool.ts'
import type { ZotEvent } from '../frame.ts'
import type { GuardFrame } from './link/frames.ts'
import { createGatesInUse, type GatesInUse } from './gates-in-use.ts'
import type { GuardLink } from './link/guard-link.ts'
import { createOwnCalls, type OwnCall } from './own-calls.ts'
import { createParking, type Parking } from './parking.ts'
import { createQuestions, type CallDecision, type HeldQuestion, type Questions } from '../../calls/questions.ts'
import { createJudgedCalls, type JudgedCalls } from './judged-calls.ts'
import { createRunningCommands, type RunningCommands } from './running-commands.ts'
import { commandArguments, kindOf, readArguments, toRequest } from './requests.ts'
import { createReplies, passedArguments, type Intercept, type Replies } from './replies.ts'
import {
  AFTER_HELD,
  AMBIGUOUS,
  HELD,
  NO_COMMAND,
  SAME_ID,
  STOPPED,
  TOO_LONG,
  UNKNOWN_CALL,
} from '../../calls/model-messages.ts'

export type CallGuardOptions = {
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
  /** Whether zot runs on another machine. Its processes are not listed then. */
  isElsewhere?: boolean
  /** zot's environment; empty where it is not known. */
  env: NodeJS.ProcessEnv
}

/** In milliseconds. */
export type HoldLimits = {
  /** zot runs the call after 5 s, and the guard refuses it after 4.5 s. */
  holdIntercept: number
  /** zot gives up on a tool of an extension after 60 s, and the guard after 58 s. */
  holdTool: number
}

/** zot cannot read a line of 4 MiB from an extension. In characters of JSON. */
const LONGEST_COMMAND = 1_000_000

export class CallGuard {
  /** Resolves when zot asks about every call. */
  readonly ready: Promise<void>

  readonly #options: CallGuardOptions
  readonly #questions: Questions
  readonly #calls: JudgedCalls
  readonly #parking: Parking
  readonly #gates: GatesInUse
  readonly #replies: Replies
  /** The commands of zot's shell. */
  readonly running: RunningCommands
  readonly #resolveReady: () => void
  readonly #own = createOwnCalls()
  /** The process ids of zot and of its guard. */
  #processes: { zot: number; guard: number } | undefined
  #tools: LocalTools
  #folder: string
  #stopping = false
  #turn = new AbortController()
  #count = 0

  constructor(options: CallGuardOptions) {
    this.#options = options
    const { link, emit, now, folder, toolsOf, judge } = options
    this.#folder = folder
    this.#tools = toolsOf(folder)
    this.#questions = createQuestions(emit, now)
    this.#calls = createJudgedCalls({ judge, questions: this.#questions, emit, now })
    this.#gates = createGatesInUse(link.gates, this.#mark, git => readingLine(git, options.env))
    const isWaiting = (callId: string): boolean => this.#gates.isWaiting(callId)
    const processes = () => (options.isElsewhere ? undefined : this.#processes)
    this.running = createRunningCommands({ processes, isWaiting })
    this.#replies = createReplies(link, this.running, () => this.#mark)
    this.#parking = createParking({ emit, now, run: (...call) => this.#runHere(...call) })
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ready = promise
    this.#resolveReady = resolve
    link.receive(frame => this.#handle(frame))
  }

  /** A turn begins: zot may make calls. */
  begin(): void {
    this.#stopping = false
    this.#turn = new AbortController()
    this.#options.link.watch(true)
  }

  /** The turn, or zot, has ended. */
  end(): void {
    this.stop('end')
    this.#options.link.watch(false)
    this.#parking.clear()
    this.#gates.clear()
    this.#own.clear()
    this.#calls.reportAll()
  }

  /** Refuses the pending calls, and every call until the next turn. Must be called before the abort is sent to zot. */
  stop(by: 'user' | 'end' = 'end'): void {
    this.#stopping = true
    this.#turn.abort()
    this.#questions.refuseAll(by)
  }

  answer(id: string, answer: PermissionAnswer, by: 'user' | 'rule' = 'user'): void {
    if (!this.#questions.has(id)) return
    if (answer.answer !== 'stop') return this.#questions.answer(id, answer, by)
    this.stop('user')
    this.#options.onStop()
  }

  /** Returns the event as the user sees it: without gates and without the effects of parking. Null if it is hidden. */
  translate(event: ZotEvent): ZotEvent | null {
    if (event.type === 'tool_result') this.#calls.reportRefusal(event.id)
    if (this.#parking.hides(event)) return null
    // zot gave up on the call, or something else ended it.
    if (event.type === 'tool_result') {
      this.#questions.end(event.id)
      this.running.ended(event.id)
    }
    return this.#gates.strip(event)
  }

  /** Whether calls are parked, and so the turn continues after zot has ended its own. */
  get isParked(): boolean {
    return !this.#stopping && this.#parking.isUsed
  }

  /** Waits for the user, carries out the parked calls, and resolves with the prompt that tells zot. */
  async outcomes(): Promise<string> {
    return this.#parking.outcomes()
  }

  #handle(frame: GuardFrame): void {
    switch (frame.type) {
      case 'hello_ack':
        this.#folder = resolve(this.#folder, frame.cwd)
        this.#tools = this.#options.toolsOf(this.#folder)
        return
      case 'ready':
        this.#processes = { zot: frame.zot, guard: frame.pid }
        this.#options.link.check?.begin(frame.zot)
        return this.#resolveReady()
      case 'event_intercept':
        if (frame.event === 'tool_call') return this.#intercept(frame)
        return this.#parking.isUsed ? this.#replies.block(frame, HELD) : this.#replies.pass(frame)
      case 'tool_call':
        return void this.#callHere(frame)
      case 'tool_cancel':
      case 'pong':
        return
    }
  }

  #intercept(frame: Intercept): void {
    const refusal = this.#refusalOf(frame)
    if (refusal !== null) return this.#replies.block(frame, refusal)
    const { tool_id: callId, tool_name: tool } = frame
    const args = readArguments(frame.tool_args)
    if (args === null) return this.#replies.block(frame, AMBIGUOUS)
    if (kindOf(tool) === 'edit') return this.#replies.pass(frame, this.#own.put({ callId: callId || null, tool, args }))
    if (kindOf(tool) === 'command' && typeof args['command'] !== 'string') return this.#replies.block(frame, NO_COMMAND)
    if (JSON.stringify(args).length > LONGEST_COMMAND && kindOf(tool) === 'command')
      return this.#replies.block(frame, TOO_LONG)
    const request = this.#request({ callId: callId || null, tool, args })
    if (this.#parking.redeem(request)) return this.#replies.pass(frame, passedArguments(request))
    const verdict = this.#calls.verdictOf(request)
    if (verdict instanceof Promise) void this.#decideAfter(verdict, frame, request)
    else this.#decide(frame, request, verdict)
  }

  async #decideAfter(verdict: Promise<Verdict>, frame: Intercept, request: ToolRequest): Promise<void> {
    const made = await verdict
    const refusal = this.#refusalOf(frame)
    if (refusal === null) this.#decide(frame, request, made)
    else this.#replies.block(frame, refusal)
  }

  /** The reason why no call can run now; null if calls can run. */
  #refusalOf(frame: Intercept): string | null {
    if (this.#stopping) return STOPPED
    if (this.#parking.isUsed) return AFTER_HELD
    // An answer to one of two calls with the same id could let the other run.
    if (!this.#questions.waiting.some(({ callId }) => (callId ?? '') === frame.tool_id)) return null
    this.#gates.share(frame.tool_id)
    return SAME_ID
  }

  #decide(frame: Intercept, request: ToolRequest, verdict: Verdict): void {
    const call = this.#calls.judged(request, verdict)
    if (call.verdict === 'allow') return this.#pass(frame, request, call.git)
    if (call.verdict === 'refuse') return this.#replies.block(frame, call.words)
    if (request.command === undefined) this.#holdInZot(frame, call.question)
    else void this.#holdAtGate(frame, call.question, request.command)
  }

  /** Lets the call run as it is; git gets the settings with which it only reads. */
  #pass(frame: Intercept, request: ToolRequest, git: readonly GitSetting[] | undefined): void {
    const line = git ? readingLine(git, this.#options.env) : ''
    if (line !== '') this.#gates.begin(frame.tool_id, line, request.command ?? '')
    this.#replies.pass(frame, passedArguments(request), line)
  }

  async #holdAtGate(frame: Intercept, question: HeldQuestion, command: string): Promise<void> {
    const gate = await this.#gates.take(frame.tool_id, command)
    if (!gate) return this.#holdInZot(frame, question)
    // zot's own limit would include the time of waiting.
    this.#replies.pass(frame, commandArguments(gate.line + command, undefined))
    this.running.began(frame.tool_id, command, this.#mark + gate.line)
    question.decided(decision => {
      this.#gates.decide(frame.tool_id, decision)
      const timeout = readArguments(frame.tool_args)?.['timeout']
      if (decision.allowed) this.running.limit(frame.tool_id, timeout, this.#turn.signal)
    })
  }

  #holdInZot(frame: Intercept, question: HeldQuestion): void {
    const { request } = question
    const timer = setTimeout(() => {
      this.#parking.park(question, null)
      this.#replies.block(frame, HELD)
    }, this.#options.limits.holdIntercept)
    question.decided(decision => {
      clearTimeout(timer)
      if (!decision.allowed) return this.#replies.block(frame, decision.words)
      if (decision.git) return this.#pass(frame, request, decision.git)
      this.#replies.pass(frame, passedArguments(decision.command === undefined ? request : { ...request, ...decision }))
    })
  }

  /** A call of a tool that zotui runs. */
  async #callHere(frame: Extract<GuardFrame, { type: 'tool_call' }>): Promise<void> {
    const call = this.#own.take(frame.args)
    const reply = (outcome: ToolOutcome): void => this.#replies.reply(frame.id, outcome)
    if (!call) return reply(failure(UNKNOWN_CALL))
    const preview = await this.#tools.preview(call.tool, call.args)
    if (this.#stopping) return reply(failure(STOPPED))
    if (!preview.ok) return reply(preview.outcome)
    const { paths, diff, state } = preview
    const request = { ...this.#request(call), paths, diff }
    const run = async (decision: CallDecision): Promise<void> =>
      reply(decision.allowed ? await (this.#runHere(request, state) ?? failure(UNKNOWN_CALL)) : failure(decision.words))
    const verdict = await this.#calls.verdictOf(request)
    if (this.#stopping) return reply(failure(STOPPED))
    const judged = this.#calls.judged(request, verdict)
    if (judged.verdict === 'allow') return run({ allowed: true })
    if (judged.verdict === 'refuse') return run({ allowed: false, words: judged.words })
    const { question } = judged
    const timer = setTimeout(() => {
      this.#parking.park(question, state)
      reply(failure(HELD))
    }, this.#options.limits.holdTool)
    question.decided(decision => {
      clearTimeout(timer)
      void run(decision)
    })
  }

  /** A prefix of every command in zot's shell. */
  get #mark(): string {
    return this.#options.link.check?.mark ?? ''
  }

  #runHere({ tool, arguments: args }: ToolRequest, expected: FileState | null): Promise<ToolOutcome> | null {
    if (!this.#tools.definitions.some(({ name }) => name === tool)) return null
    return this.#tools.run(tool, args, { expected, mayLeaveFolder: true, signal: this.#turn.signal })
  }

  #request(call: OwnCall): ToolRequest {
    this.#count += 1
    return toRequest({ ...call, id: `call-${this.#count}`, folder: this.#folder })
  }
}
