/** The turns of a run: a prompt becomes one or more of Meerkat's, in the session that it has or in a new one. */
import type { Prompt } from '../../agent/backend.ts'
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
import { createMeerkatTurn, type MeerkatTurnEnd } from './turn/turn.ts'
import type { PriceOf } from './turn/usage.ts'

export type MeerkatTurns = {
  /** The session in use. There is none after a turn that deleted its session. */
  readonly session: MeerkatSession | undefined
  /** Switches to this session, and emits that. */
  use(session: MeerkatSession, how?: SessionEntry): void
  /** Runs a prompt, and ends it with its last events. */
  send(operation: AgentOperation, prompt: Prompt): void
  /** Stops what runs. */
  cancel(): void
  /** Takes an event. Returns false if it belongs to no turn in flight. */
  event(received: SessionEvent): boolean
  /** Runs one of zotui's tools for the agent. Returns false if it cannot: there is no tool host, or no turn in flight. */
  execute(request: RpcRequest): boolean
  /** The next prompt goes to a session without the earlier conversation. */
  forget(): void
  /** Ends the calls that the agent requested. */
  endCalls(): void
}

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

export function createTurns(options: TurnsOptions): MeerkatTurns {
  const { host, sessions, toolHost, price, chosen, resolveSkill } = options
  const { name, now, emit } = host
  let session: MeerkatSession | undefined
  let running: { turn: RunningTurn; calls: MeerkatCalls } | null = null
  /** Aborted when the calls that the agent requested must stop. */
  let stopping = new AbortController()
  /** Texts of turns that Meerkat has not stored, for the next prompt. */
  let unkept: string[] = []

  const turns: MeerkatTurns = {
    get session() {
      return session
    },
    use(next, how = {}) {
      session = next
      emit({ type: 'agent_session_opened', at: now(), id: next.id, ...how })
    },
    send(operation, prompt) {
      stopping = new AbortController()
      const { text, fields } = resolveSkill(prompt.text)
      const notes = [...unkept, toolHost?.modeNote() ?? ''].filter(note => note !== '')
      unkept = []
      run(operation, prompt.text, { ...promptFields({ ...prompt, text }, notes), ...fields })
    },
    cancel() {
      stopping.abort()
      running?.turn.stop()
    },
    event({ sessionId, event }) {
      if (running?.turn.session.id !== sessionId) return false
      if (event) running.turn.event(event)
      return true
    },
    execute,
    forget() {
      unkept = []
      toolHost?.forgetMode()
    },
    endCalls,
  }
  return turns

  /** `prompt` is what the user wrote. */
  function run(operation: AgentOperation, prompt: string, fields: Record<string, unknown>, isRetry = false): void {
    const current = session
    if (!current) return operation.refuse(`${name} has no session`)
    const calls = createMeerkatCalls(() => host.newId('call'))
    const choice = isSameChoice(current.choice, chosen) ? {} : switchFields(chosen, current.choice)
    const sent = { ...chosen }
    const turn = runTurn({
      ...options,
      now,
      emit,
      session: current,
      turn: createMeerkatTurn({ calls, tasks: current.tasks, price }),
      fields: { ...fields, ...choice },
      onBegun() {
        current.hasRun = true
        current.choice = sent
        operation.accepted()
      },
      onEnd(end) {
        running = null
        const isLost = !isRetry && !turn.turn.hasBegun && isLostSession(end)
        if (isLost) void renew(operation, prompt, fields, current)
        else over(operation, prompt, turn, end)
      },
    })
    running = { turn, calls }
  }

  function over(
    operation: AgentOperation,
    prompt: string,
    { session: used, turn }: RunningTurn,
    how: MeerkatTurnEnd,
  ): void {
    const { isAborted } = operation
    const events = turn.end(how, isAborted, now())
    const last = events.at(-1)
    const stop = last?.type === 'turn_ended' ? (last.stop ?? '') : 'error'
    const isStopped = isAborted || stop === 'cancelled'
    const succeeded = !isStopped && stop !== 'error'
    used.isCommitted ||= turn.isCommitted || succeeded
    if (isStopped && turn.hasBegun && !turn.isCommitted) {
      unkept.push(unkeptNote(prompt, turn.text))
      // None of it was stored, so the agent has lost the session.
      if (!used.isCommitted && session === used) {
        session = undefined
        toolHost?.forgetMode()
      }
    }
    if (!succeeded || !toolHost?.hasDeferred) return operation.end(events)
    for (const event of events) if (event.type !== 'turn_ended') emit(event)
    void operation.continueWith(toolHost.outcomes(), text => run(operation, prompt, { prompt: text }))
  }

  /** The agent does not know the session: the prompt is sent to a new one. */
  async function renew(
    operation: AgentOperation,
    prompt: string,
    fields: Record<string, unknown>,
    lost: MeerkatSession,
  ): Promise<void> {
    const reply = await sessions.create(chosen)
    if (!reply.ok) return operation.refuse(reply.message)
    if (operation.isAborted) return operation.end([{ type: 'turn_ended', at: now() }])
    toolHost?.forgetMode()
    turns.use(reply.value, lost.isCommitted ? { problem: 'it no longer knows this session' } : {})
    const message = `${name} no longer knows this session. It continues in a new one and remembers nothing.`
    if (lost.isCommitted) emit({ type: 'warning_raised', at: now(), message })
    run(operation, prompt, fields, true)
  }

  function execute(request: RpcRequest): boolean {
    const call = readExecute(request.params)
    if (!toolHost || !call || !running) return false
    const { calls } = running
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
    const signal = AbortSignal.any([stopping.signal, withdrawal.signal])
    void answer(toolHost, request, { id, toolUseId, name: tool, arguments: args, signal }, calls)
    return true
  }

  function endCalls(): void {
    stopping.abort()
    toolHost?.endTurn()
  }
}

/** The reason why a call is not run. */
const OTHER = 'it is not the call that was shown, or it was made before'

async function answer(by: ToolHost, request: RpcRequest, call: HostedCall, calls: MeerkatCalls): Promise<void> {
  const result = await by.execute(call)
  if (result.isDeferred) calls.deferred(call.toolUseId)
  request.succeed(wireResult(result))
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
