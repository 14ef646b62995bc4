/** The options of a session: sets them, and sets again what the user chose in earlier ones. */
import type { Model, Reply } from '../../../agent/backend.ts'
import type { AgentEvent } from '../../../agent/event.ts'
import { readOptions } from '../frame.ts'
import type { Requests } from '../../host/requests.ts'
import type { AcpSessions } from '../sessions.ts'
import { optionFor, type SessionOption } from './options.ts'

export type AcpSettings = {
  readonly options: readonly SessionOption[]
  /** Sets an option for the user: later sessions get it again. */
  set(id: string, value: string | boolean): Promise<Reply>
  /** Sets an option that the user did not choose. */
  apply(id: string, value: string | boolean): Promise<Reply>
  /** The value that the user chose. */
  chosen(id: string): string | boolean | undefined
  /** Whether the agent is being asked to give an option this value. */
  isSetting(id: string, value: string | boolean): boolean
  /** Sets again what the user set before, as far as the agent still offers it. */
  applyChosen(): Promise<void>
  models(): readonly Model[]
}

export type AcpSettingsOptions = {
  /** The name of the agent. */
  name: string
  sessions: AcpSessions
  requests: Requests
  now: () => number
  emit: (event: AgentEvent) => void
  /** Options that the user set in earlier sessions. */
  chosen: Map<string, string | boolean>
  /** A value was set, and is the agent's now. */
  applied: () => void
}

export function createSettings({
  name,
  sessions,
  requests,
  now,
  emit,
  chosen,
  applied,
}: AcpSettingsOptions): AcpSettings {
  let setting: { id: string; value: string | boolean } | null = null

  return {
    get options() {
      return options()
    },
    set,
    apply,
    chosen: id => chosen.get(id),
    isSetting: (id, value) => setting?.id === id && setting.value === value,
    async applyChosen() {
      for (const [id, value] of chosen) {
        const option = options().find(each => each.id === id)
        if (!option || option.value === value) continue
        const reply = await set(id, value)
        if (reply.ok) continue
        const message = `${name} did not accept ${option.name} ${String(value)} again: ${reply.message}`
        emit({ type: 'warning_raised', at: now(), message })
      }
    },
    models() {
      const reasoning = optionFor(options(), 'reasoning') !== undefined
      const choices = optionFor(options(), 'model')?.choices ?? []
      return choices.map(({ value: id, name }) => ({
        id,
        provider: '',
        name,
        contextWindow: null,
        maxOutput: null,
        reasoning,
      }))
    },
  }

  function options(): readonly SessionOption[] {
    return sessions.current?.translation.facts.options ?? []
  }

  async function set(id: string, value: string | boolean): Promise<Reply> {
    const session = sessions.current
    const before = chosen.get(id)
    // The report of the agent's new value says that it was chosen.
    chosen.set(id, value)
    const reply = await apply(id, value)
    if (reply.ok && session === sessions.current) return reply
    if (before === undefined) chosen.delete(id)
    else chosen.set(id, before)
    return reply
  }

  async function apply(id: string, value: string | boolean): Promise<Reply> {
    const option = options().find(each => each.id === id)
    if (!option) return { ok: false, message: `${name} has no such option` }
    const isOffered =
      option.kind === 'switch' ? typeof value === 'boolean' : option.choices.some(each => each.value === value)
    if (!isOffered) return { ok: false, message: `${name} does not offer ${String(value)} for ${option.name}` }
    const session = sessions.current
    const { method, params } = option.set(value)
    const reply = await requests.changes.make(async () => {
      setting = { id, value }
      const answer = await requests.send(method, { sessionId: session?.id, ...params })
      setting = null
      return answer
    })
    const refused = requests.refusal(reply)
    if (refused) return refused
    if (!session || session !== sessions.current || reply === 'timed out' || !reply.ok)
      return { ok: true, value: undefined }
    const { facts } = session.translation
    const reported = readOptions(reply.result)?.configOptions
    sessions.emitAll(
      reported && reported.length > 0 ? facts.configured(reported, now()) : facts.valueSet(id, value, now()),
    )
    // Otherwise its next update would look as if it had changed the value by itself.
    setting = { id, value }
    applied()
    setting = null
    return { ok: true, value: undefined }
  }
}
