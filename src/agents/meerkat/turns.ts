/** The turns of a run: a prompt becomes one or more of Meerkat's, in the session that it has or in a new one. */
import type { Prompt } from '../../agent/backend.ts'
import { asHeard } from '../tool-host/outcomes.ts'
import type { ToolHost, HostedCall } from '../tool-host/tool-host.ts'
import type { DriverHost, AgentOperation } from '../host/driver.ts'
import type { Requests } from '../host/requests.ts'
import type { RpcPeer, RpcRequest } from '../transport/json-rpc.ts'
import { isUnknownSession } from './error-words.ts'
import { readExecute, type SessionEvent } from './frame.ts'
import type { MeerkatLimits } from './limits.ts'
import { switchFields, isSameChoice, type ModelChoice } from './models.ts'
import { runTurn, type RunningTurn } from './running-turn.ts'
import type { MeerkatSession, MeerkatSessions } from './session/sessions.ts'
import type { MeerkatSkills } from './skills.ts'
import { createMeerkatCalls, type MeerkatCalls } from './turn/calls.ts'
import { wireResult } from './turn/wire-result.ts'
import type { MeerkatTurnEnd } from './turn/ending.ts'
import { MeerkatTurn } from './turn/turn.ts'
import type { PriceOf } from './turn/usage.ts'

/** Whether a session has the conversation so far, and the reason why the requested session was not opened. */
export type SessionEntry = { remembers?: true; problem?: string }

export type TurnsOptions = {
  host: DriverHost
  peer: RpcPeer
  requests: Requests
  sessions: MeerkatSessions
  limits: MeerkatLimits
  toolHost: ToolHost | null
  price: PriceOf
  chosen: ModelChoice
  can: (method: string) => boolean
  resolveSkill: MeerkatSkills['resolve']
}

export class MeerkatTurns {
  readonly #options: TurnsOptions
  #session: MeerkatSession | undefined
  #running: { turn: RunningTurn; calls: MeerkatCalls } | null = null
  /** Aborted when the calls that the agent requested must stop. */
  #stopping = new AbortController()
  /** Texts of turns that Meerkat has not stored, for the next prompt. */
  #unkept: string[] = []

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  /** The session in use. There is none after a turn that deleted its session. */
  get session(): MeerkatSession | undefined {
    return this.#session
  }

  /** Switches to this session, and emits that. */
  use(session: MeerkatSession, how: SessionEntry = {}): void {
    const { now, emit } = this.#options.host
    this.#session = session
    emit({ type: 'agent_session_opened', at: now(), id: session.id, ...how })
  }

  /** Runs a prompt, and ends it with its last events. */
  send(operation: AgentOperation, prompt: Prompt): void {
    const { resolveSkill, toolHost } = this.#options
    this.#stopping = new AbortController()
    const { text, fields } = resolveSkill(prompt.text)
    const notes = [...this.#unkept, toolHost?.modeNote() ?? ''].filter(note => note !== '')
    this.#unkept = []
    toolHost?.beginTurn()
    this.#run(operation, prompt.text, { ...promptFields({ ...prompt, text }, notes), ...fields })
  }

  /** Stops what runs. */
  cancel(): void {
    this.#options.toolHost?.stopTurn()
    this.#stopping.abort()
    this.#running?.turn.stop()
  }

  /** Takes an event. Returns false if it belongs to no turn in flight. */
  event({ sessionId, event }: SessionEvent): boolean {
    if (this.#running?.turn.session.id !== sessionId) return false
    if (event) this.#running.turn.event(event)
    return true
  }

  /** Runs one of zotui's tools for the agent. Returns false if it cannot: there is no tool host, or no turn in flight. */
  execute(request: RpcRequest): boolean {
    const { host, toolHost } = this.#options
    const { now, emit } = host
    const call = readExecute(request.params)
    if (!toolHost || !call || !this.#running) return false
    const { calls } = this.#running
    const { tool_use_id: toolUseId, name: tool, arguments: args } = call
    const made = calls.running({ id: toolUseId, name: tool, args }, now())
    if (!made) {
      emit({ type: 'call_refused', at: now(), callId: null, tool, because: OTHER })
      request.succeed({ content: `This call was not run: ${OTHER}.`, is_error: true })
      return true
    }
    const { id, events } = made
    for (const event of events) emit(event)
    const withdrawal = new AbortController()
    request.onWithdrawn(() => withdrawal.abort())
    const signal = AbortSignal.any([this.#stopping.signal, withdrawal.signal])
    const isOver = (): boolean => this.#running?.calls !== calls
    void answer(toolHost, request, { id, toolUseId, name: tool, arguments: args, signal }, { calls, isOver })
    return true
  }

  /** The next prompt goes to a session without the earlier conversation. */
  forget(): void {
    this.#unkept = []
    this.#options.toolHost?.forgetMode()
  }

  /** Ends the calls that the agent requested. */
  endCalls(): void {
    this.#stopping.abort()
    this.#options.toolHost?.endTurn()
  }

  /** `prompt` is what the user wrote. Returns whether it was sent. */
  #run(operation: AgentOperation, prompt: string, fields: Record<string, unknown>, isRetry = false): boolean {
    const { host, chosen, price } = this.#options
    const session = this.#session
    if (!session) {
      operation.refuse(`${host.name} has no session`)
      return false
    }
    const calls = createMeerkatCalls(() => host.newId('call'))
    const choice = isSameChoice(session.choice, chosen) ? {} : switchFields(chosen, session.choice)
    const sent = { ...chosen }
    const turn = runTurn({
      ...this.#options,
      now: host.now,
      emit: host.emit,
      session,
      turn: new MeerkatTurn({ calls, tasks: session.tasks, price }),
      fields: { ...fields, ...choice },
      onBegun() {
        session.hasRun = true
        session.choice = sent
        operation.accepted()
      },
      onEnd: end => {
        this.#running = null
        const isLost = !isRetry && !turn.turn.hasBegun && isLostSession(end)
        if (isLost) void this.#renew(operation, prompt, fields, session)
        else this.#over(operation, prompt, turn, end)
      },
    })
    this.#running = { turn, calls }
    return true
  }

  #over(operation: AgentOperation, prompt: string, { session, turn }: RunningTurn, how: MeerkatTurnEnd): void {
    const { host, toolHost } = this.#options
    const { isAborted } = operation
    const events = turn.end(how, isAborted, host.now())
    const last = events.at(-1)
    const stop = last?.type === 'turn_ended' ? (last.stop ?? '') : 'error'
    const isStopped = isAborted || stop === 'cancelled'
    const succeeded = !isStopped && stop !== 'error'
    session.isCommitted ||= turn.isCommitted || succeeded
    if (isStopped && turn.hasBegun && !turn.isCommitted) this.#notStored(session, unkeptNote(prompt, turn.text))
    if (!succeeded || !toolHost?.hasDeferred) return operation.end(events)
    for (const event of events) if (event.type !== 'turn_ended') host.emit(event)
    void operation.continueWith(toolHost.outcomes(), outcomes =>
      toolHost.sendOutcomes(outcomes, text => this.#run(operation, prompt, { prompt: text })),
    )
  }

  /** The agent has stored nothing of a stopped turn. If it has stored none before, it has lost the session. */
  #notStored(session: MeerkatSession, note: string): void {
    this.#unkept.push(note)
    if (session.isCommitted || this.#session !== session) return
    this.#session = undefined
    this.#options.toolHost?.forgetMode()
  }

  /** The agent does not know the session: the prompt is sent to a new one. */
  async #renew(
    operation: AgentOperation,
    prompt: string,
    fields: Record<string, unknown>,
    lost: MeerkatSession,
  ): Promise<void> {
    const { host, sessions, chosen, toolHost } = this.#options
    const { name, now, emit } = host
    const reply = await sessions.create(chosen)
    if (!reply.ok) return operation.refuse(reply.message)
    if (operation.isAborted) return operation.end([{ type: 'turn_ended', at: now() }])
    toolHost?.forgetMode()
    this.use(reply.value, lost.isCommitted ? { problem: 'it no longer knows this session' } : {})
    const message = `${name} no longer knows this session. It continues in a new one and remembers nothing.`
    if (lost.isCommitted) emit({ type: 'warning_raised', at: now(), message })
    this.#run(operation, prompt, fields, true)
  }
}

/** The reason why a call is not run. */
const OTHER = 'it is not the call that was shown, or it was made before'

async function answer(
  by: ToolHost,
  request: RpcRequest,
  call: HostedCall,
  { calls, isOver }: { calls: MeerkatCalls; isOver: () => boolean },
): Promise<void> {
  const { words, ...result } = await by.execute(call)
  // The model of a turn that is over reads no result.
  if (isOver()) {
    words?.back()
    return request.succeed(wireResult(result))
  }
  if (result.isDeferred) calls.deferred(call.toolUseId)
  else if (words) calls.heard(call.toolUseId, words.text)
  request.succeed(wireResult(asHeard({ ...result, ...(words && { words }) })))
  words?.delivered()
}

function isLostSession(end: MeerkatTurnEnd): boolean {
  return end !== 'cut' && end !== 'unanswered' && 'error' in end && isUnknownSession(end.error)
}

/** Informs the model about a turn that was stopped before its agent stored any of it. */
function unkeptNote(prompt: string, answer: string): string {
  const said = answer.trim() === '' ? 'there was no answer yet' : `the answer so far was:\n\n${answer}`
  return `The user sent a prompt and stopped its turn; ${said}\n\nThe prompt was:\n\n${prompt}`
}

/** `notes` come before the prompt and are not the user's words. */
function promptFields({ text, images, before = [], memory }: Prompt, notes: readonly string[]) {
  const context = [...(memory ? [memory.text] : []), ...notes, ...before]
  const pictures = images.map(({ mimeType, data }) => ({ type: 'image', media_type: mimeType, source: 'inline', data }))
  return {
    prompt: pictures.length > 0 ? [{ type: 'text', text }, ...pictures] : text,
    ...(context.length > 0 && { injected_context: context }),
  }
}
