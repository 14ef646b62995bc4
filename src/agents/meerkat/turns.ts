/** The turns of a run: a prompt becomes one or more of Meerkat's, in the session that it has or in a new one. */
import type { AgentEvent } from '../../agent/event.ts'
import type { CallGate, GateCall } from '../gate/call-gate.ts'
import type { Prompting } from '../host/prompting.ts'
import type { Requests } from '../host/requests.ts'
import type { RpcPeer, RpcRequest } from '../transport/json-rpc.ts'
import { isUnknownSession } from './error-words.ts'
import { readExecute, type SessionEvent } from './frame.ts'
import type { MeerkatLimits } from './limits.ts'
import { switchFields, isSameChoice, type ModelChoice } from './models.ts'
import { promptFields } from './prompt-fields.ts'
import { runTurn, type RunningTurn } from './running-turn.ts'
import type { MeerkatSession, MeerkatSessions } from './session/sessions.ts'
import type { MeerkatSkills } from './skills.ts'
import { createMeerkatCalls, type MeerkatCalls } from './turn/calls.ts'
import { wireResult } from './turn/gate-result.ts'
import { createMeerkatTurn, type MeerkatTurnEnd } from './turn/turn.ts'
import type { PriceOf } from './turn/usage.ts'

export type MeerkatTurns = {
  /** The session in use. There is none after a turn that deleted its session. */
  readonly session: MeerkatSession | undefined
  /** Switches to this session, and emits that. */
  use(session: MeerkatSession, how?: SessionEntry): void
  /** Runs a prompt, and ends it with its last events. */
  send(prompting: Prompting): void
  /** Stops what runs. */
  cancel(): void
  /** Takes an event. Returns false if it belongs to no turn in flight. */
  event(received: SessionEvent): boolean
  /** Runs one of zotui's tools for the agent. Returns false if it cannot: there is no gate, or no turn in flight. */
  execute(request: RpcRequest): boolean
  /** The next prompt goes to a session without the earlier conversation. */
  forget(): void
  /** The agent has ended. */
  end(): void
}

/** Whether a session has the conversation so far, and the reason why the requested session was not opened. */
export type SessionEntry = { remembers?: true; problem?: string }

export type TurnsOptions = {
  name: string
  peer: RpcPeer
  requests: Requests
  sessions: MeerkatSessions
  limits: MeerkatLimits
  gate: CallGate | null
  price: PriceOf
  chosen: ModelChoice
  now: () => number
  emit: (event: AgentEvent) => void
  newId: () => string
  can: (method: string) => boolean
  resolveSkill: MeerkatSkills['resolve']
}

export function createTurns(options: TurnsOptions): MeerkatTurns {
  const { name, sessions, gate, price, chosen, now, emit, newId, resolveSkill } = options
  let session: MeerkatSession | undefined
  let running: { prompting: Prompting; turn: RunningTurn; calls: MeerkatCalls } | null = null
  /** Aborted when the calls that the agent requested must stop. */
  let stopping = new AbortController()
  let isGone = false
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
    send(prompting) {
      stopping = new AbortController()
      const { text, fields } = resolveSkill(prompting.prompt.text)
      const notes = [...unkept, gate?.modeNote() ?? ''].filter(note => note !== '')
      unkept = []
      run(prompting, { ...promptFields({ ...prompting.prompt, text }, notes), ...fields })
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
      gate?.forgetMode()
    },
    end() {
      isGone = true
      endCalls()
    },
  }
  return turns

  function run(prompting: Prompting, fields: Record<string, unknown>, isRetry = false): void {
    const current = session
    if (!current) return prompting.end([{ type: 'prompt_refused', at: now(), message: `${name} has no session` }])
    const calls = createMeerkatCalls(newId)
    const choice = isSameChoice(current.choice, chosen) ? {} : switchFields(chosen, current.choice)
    const sent = { ...chosen }
    const turn = runTurn({
      ...options,
      session: current,
      turn: createMeerkatTurn({ calls, tasks: current.tasks, price }),
      fields: { ...fields, ...choice },
      onBegun() {
        current.hasRun = true
        current.choice = sent
        prompting.accepted()
      },
      onEnd(end) {
        running = null
        const isLost = !isRetry && !turn.turn.hasBegun && isLostSession(end)
        if (isLost) void renew(prompting, fields, current)
        else over(prompting, turn, end)
      },
    })
    running = { prompting, turn, calls }
  }

  function over(prompting: Prompting, { session: used, turn }: RunningTurn, how: MeerkatTurnEnd): void {
    const { isAborted } = prompting
    const events = turn.end(how, isAborted, now())
    const last = events.at(-1)
    const stop = last?.type === 'turn_ended' ? (last.stop ?? '') : 'error'
    const isStopped = isAborted || stop === 'cancelled'
    const succeeded = !isStopped && stop !== 'error'
    used.isCommitted ||= turn.isCommitted || succeeded
    if (isStopped && turn.hasBegun && !turn.isCommitted) {
      unkept.push(unkeptNote(prompting.prompt.text, turn.text))
      // None of it was stored, so the agent has lost the session.
      if (!used.isCommitted && session === used) {
        session = undefined
        gate?.forgetMode()
      }
    }
    if (succeeded && gate?.hasLate) return void goOn(prompting, events)
    endCalls()
    prompting.end(events)
  }

  /** Calls are still running here: for the user the turn goes on, and for the model their outcome is its next prompt. */
  async function goOn(prompting: Prompting, events: readonly AgentEvent[]): Promise<void> {
    for (const event of events) if (event.type !== 'turn_ended') emit(event)
    const prompt = (await gate?.outcomes()) ?? ''
    if (!prompting.isAborted && !isGone) return run(prompting, { prompt })
    endCalls()
    prompting.end([{ type: 'turn_ended', at: now() }])
  }

  /** The agent does not know the session: the prompt is sent to a new one. */
  async function renew(prompting: Prompting, fields: Record<string, unknown>, lost: MeerkatSession): Promise<void> {
    const reply = await sessions.create(chosen)
    if (!reply.ok) return prompting.end([{ type: 'prompt_refused', at: now(), message: reply.message }])
    if (prompting.isAborted) return prompting.end([{ type: 'turn_ended', at: now() }])
    gate?.forgetMode()
    turns.use(reply.value, lost.isCommitted ? { problem: 'it no longer knows this session' } : {})
    const message = `${name} no longer knows this session. It continues in a new one and remembers nothing.`
    if (lost.isCommitted) emit({ type: 'warning_raised', at: now(), message })
    run(prompting, fields, true)
  }

  function execute(request: RpcRequest): boolean {
    const call = readExecute(request.params)
    if (!gate || !call || !running) return false
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
    void answer(gate, request, { id, toolUseId, name: tool, arguments: args, signal }, calls)
    return true
  }

  function endCalls(): void {
    stopping.abort()
    gate?.endTurn()
  }
}

/** The reason why a call is not run. */
const OTHER = 'it is not the call that was shown, or it was made before'

async function answer(by: CallGate, request: RpcRequest, call: GateCall, calls: MeerkatCalls): Promise<void> {
  const result = await by.execute(call)
  if (result.isLate) calls.late(call.toolUseId)
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
