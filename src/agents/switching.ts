/** One backend in front of the agent that is in use, so that another agent can take its place while the program runs. */
import type { Backend, OwnSession, Reply } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import type { Judge, PermissionMode } from '../agent/permission.ts'

export type AgentSwitch = {
  /** Stands for whichever agent is in use. */
  backend: Backend
  /**
   * Starts another agent beside the present one. Once it has answered it takes over, and the end of the old one and its own start are
   * emitted. Otherwise the request is refused, nothing is emitted, and nothing changes. `session` is as in `open`.
   */
  switchTo: (next: Backend, session?: OwnSession) => Promise<Reply>
}

/** Every ability is that of the agent in use at that moment; the judge and the mode go with the user from one to the next. */
export function createAgentSwitch(first: Backend): AgentSwitch {
  const listeners = new Set<(event: AgentEvent) => void>()
  let current = first
  let judge: Judge | undefined
  let mode: PermissionMode | undefined
  let isSwitching = false
  let unsubscribe = first.subscribe(emit)

  return {
    backend: new Proxy(first, { get: (_, name) => abilityOf(name), has: (_, name) => name in current }),
    switchTo,
  }

  function abilityOf(name: string | symbol): unknown {
    if (name === 'subscribe') return subscribe
    const value: unknown = Reflect.get(current, name)
    if (typeof value !== 'function') return value
    if (name === 'judgeWith') return judgeWith
    if (name === 'setPermissionMode') return setMode
    return value.bind(current) as unknown
  }

  function subscribe(listener: (event: AgentEvent) => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  function judgeWith(given: Judge): void {
    judge = given
    current.judgeWith?.(given)
  }

  function setMode(given: PermissionMode): void {
    mode = given
    current.setPermissionMode?.(given)
  }

  function emit(event: AgentEvent): void {
    for (const listener of listeners) listener(event)
  }

  async function switchTo(next: Backend, session?: OwnSession): Promise<Reply> {
    if (isSwitching) return { ok: false, message: `${next.name} waits: another agent is already being started` }
    isSwitching = true
    const untold: AgentEvent[] = []
    let tell = (event: AgentEvent): void => void untold.push(event)
    const leave = next.subscribe(event => tell(event))
    try {
      if (judge) next.judgeWith?.(judge)
      if (mode) next.setPermissionMode?.(mode)
      await next.open(session)
      const refused = refusalOf(next, untold)
      if (refused !== null) {
        leave()
        await next.close()
        return { ok: false, message: refused }
      }
      await current.close()
      unsubscribe()
      unsubscribe = leave
      current = next
      tell = emit
      untold.forEach(emit)
      return { ok: true, value: undefined }
    } finally {
      isSwitching = false
    }
  }
}

/** Why an agent that was started beside the other one cannot take over; null if it can. */
function refusalOf({ name }: Backend, told: readonly AgentEvent[]): string | null {
  const ended = told.findLast(event => event.type === 'agent_ended')
  if (ended?.type === 'agent_ended') return [ended.reason, ended.hint].filter(part => part !== '').join('. ')
  return told.some(({ type }) => type === 'agent_started') ? null : `${name} did not start`
}
