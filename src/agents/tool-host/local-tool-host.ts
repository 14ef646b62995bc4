/**
 * Runs the calls of an agent's model here, behind the permissions. A call runs only once the judge or the user has allowed it, and an
 * edit only on the file that was shown.
 *
 * Such agents wait for two minutes. A call that takes longer is deferred (`deferred-calls.ts`).
 */
import type { Reply, Steer, SteerOutcome } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Judge, PermissionMode, ToolRequest } from '../../agent/permission.ts'
import type { PermissionAnswer, RunningCommand } from '../../agent/requests.ts'
import { failure, type LocalTools, type ToolDefinition } from '../../local-tools/tool.ts'
import { wordsOfMode } from '../../permissions/modes.ts'
import { createQuestions, untilAborted, type CallDecision, type Questions } from './questions.ts'
import { carryOut, type CallPreview } from './carry-out.ts'
import { createOpenCalls, tooMany } from './open-calls.ts'
import { createModeNote, type ModeNote } from './mode-note.ts'
import { askedCall, callRefused, verdictOf } from './verdict.ts'
import { AFTER_DEFERRED, STILL_RUNS, STOPPED, WAITS } from './model-messages.ts'
import type { ToolHost, HostedCall, HostedResult } from './tool-host.ts'
import { createDeferredCalls, type DeferredCalls } from './deferred-calls.ts'
import { createRunningHere, type RunningHere } from './running-here.ts'
import { createWaitingWords, sendWithWords, type WaitingWords } from './steering.ts'

export type ToolHostOptions = {
  tools: LocalTools
  /** The absolute folder that they work in. */
  folder: string
  /** Makes sure that no command outlives zotui: called with the leader of its session, and what it returns when that has ended. */
  watch?: ((leader: number) => () => void) | undefined
  /** Milliseconds that an agent is kept waiting for a call that says nothing else. It waits for 120 s. */
  patience?: number
  now?: () => number
}

/** Milliseconds that an agent is kept waiting for a call. */
const PATIENCE = 110_000

export function createToolHost(options: ToolHostOptions): ToolHost {
  return new LocalToolHost(options)
}

class LocalToolHost implements ToolHost {
  readonly tools: readonly ToolDefinition[]
  readonly hasSandbox: boolean
  readonly #options: ToolHostOptions
  readonly #now: () => number
  readonly #questions: Questions
  readonly #deferred: DeferredCalls
  readonly #running: RunningHere = createRunningHere()
  readonly #open = createOpenCalls()
  readonly #words: WaitingWords
  #listener: ((event: AgentEvent) => void) | undefined
  #judge: Judge | undefined
  readonly #mode: ModeNote = createModeNote(mode => wordsOfMode(mode).note)
  #count = 0

  constructor(options: ToolHostOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.tools = options.tools.definitions
    this.hasSandbox = options.tools.sandbox !== null
    this.#questions = createQuestions(this.#emit, this.#now)
    this.#deferred = createDeferredCalls(this.#emit, this.#now)
    this.#words = createWaitingWords(this.#emit, this.#now)
  }

  attach(emit: (event: AgentEvent) => void): void {
    this.#listener = emit
  }

  judgeWith(judge: Judge): void {
    this.#judge = judge
  }

  setPermissionMode(mode: PermissionMode): void {
    this.#mode.mode = mode
    this.#options.tools.sandbox?.follow(mode)
    this.#emit({ type: 'permission_mode_changed', at: this.#now(), mode })
  }

  modeNote(): string | null {
    return this.#mode.next()
  }

  forgetMode(): void {
    this.#mode.forget()
  }

  async execute(call: HostedCall): Promise<HostedResult> {
    if (this.#deferred.isAny) return failure(AFTER_DEFERRED)
    const leave = this.#open.enter()
    if (!leave) {
      this.#emit(callRefused({ callId: call.id, tool: call.name }, tooMany.because, this.#now()))
      return failure(tooMany.words)
    }
    let isRunning = false
    const outcome = this.#carryOut(call, () => (isRunning = true)).finally(leave)
    const { id, toolUseId: modelId, name: tool } = call
    const first = await this.#deferred.wait(
      { id, modelId, tool, outcome },
      call.patience ?? this.#options.patience ?? PATIENCE,
    )
    const result: HostedResult =
      first === 'deferred' ? { ...failure(isRunning ? STILL_RUNS : WAITS), isDeferred: true } : first
    const words = call.signal.aborted ? null : this.#words.take()
    return words ? { ...result, words } : result
  }

  get hasDeferred(): boolean {
    return this.#deferred.isAny
  }

  outcomes(): Promise<string> {
    return this.#deferred.outcomes()
  }

  sendOutcomes(text: string, send: (text: string) => boolean): void {
    sendWithWords(this.#words, text, send)
  }

  beginTurn(): void {
    this.#words.begin()
  }

  steer(steer: Steer): Promise<SteerOutcome> {
    return this.#words.steer(steer)
  }

  withdrawSteer(id: string): void {
    this.#words.withdraw(id)
  }

  stopTurn(): void {
    this.#words.end()
  }

  answerPermission(id: string, answer: PermissionAnswer, by: 'user' | 'rule' = 'user'): boolean {
    if (!this.#questions.has(id)) return false
    if (answer.answer === 'stop') this.#questions.refuseAll('user')
    else this.#questions.answer(id, answer, by)
    return true
  }

  async listRunning(): Promise<readonly RunningCommand[]> {
    return this.#running.list()
  }

  async endRunning(pid: number): Promise<Reply> {
    return this.#running.end(pid)
  }

  endTurn(): void {
    this.#words.end()
    this.#questions.refuseAll('end')
    this.#deferred.clear()
  }

  async close(): Promise<void> {
    this.endTurn()
    await this.#running.endAll()
    await this.#options.tools.sandbox?.close()
    this.#options.tools.close?.()
  }

  readonly #emit = (event: AgentEvent): void => this.#listener?.(event)

  /** Asks, and runs what was allowed. Never rejects. */
  async #carryOut(call: HostedCall, onStart: () => void): Promise<HostedResult> {
    const { tools, watch } = this.#options
    const { name: tool, signal } = call
    let since: number | null = null
    const outcome = await carryOut(
      {
        tool,
        arguments: call.arguments,
        signal,
        request: preview => this.#request(call, preview),
        decide: (request, withdrawn = signal) => this.#decide(request, withdrawn),
        begin() {
          onStart()
          since = performance.now()
          return { signal }
        },
      },
      { tools, watch, commands: this.#running, emit: this.#emit, now: this.#now },
    )
    return since === null ? outcome : { ...outcome, ranMs: performance.now() - since }
  }

  #request({ id: callId, name: tool, arguments: args }: HostedCall, preview: CallPreview): ToolRequest {
    const { tools, folder } = this.#options
    const kind = tools.definitions.find(({ name }) => name === tool)?.kind ?? 'other'
    const { command } = args as { command?: unknown }
    const { paths, named, diff } = preview
    this.#count += 1
    return {
      id: `call-${this.#count}`,
      callId,
      tool,
      kind,
      arguments: args,
      folder,
      ...(kind === 'command' ? { command: String(command) } : { paths: [...new Set([...named, ...paths])] }),
      ...(diff !== '' && { diff }),
    }
  }

  async #decide(request: ToolRequest, signal: AbortSignal): Promise<CallDecision> {
    // Without a judge every call is asked about.
    const verdict = await verdictOf(this.#judge ?? (() => ({ verdict: 'ask', because: '' })), request)
    if (signal.aborted) return { allowed: false, words: STOPPED, by: 'end' }
    if (verdict.verdict === 'allow') return { allowed: true, ...(verdict.box && { box: verdict.box }) }
    if (verdict.verdict === 'refuse') {
      this.#emit(callRefused(request, verdict.because, this.#now()))
      return { allowed: false, words: verdict.words, by: 'rule' }
    }
    return untilAborted(this.#questions.ask(askedCall(request, verdict), verdict.because), signal)
  }
}
