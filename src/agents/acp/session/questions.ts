/** The questions of an agent itself, as forms. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { FormField, FormValues } from '../../../agent/session-events.ts'
import type { RpcRequest } from '../../transport/json-rpc.ts'
import type { WireElicitation } from '../frame.ts'
import { fieldsOf, valuesOf } from './form.ts'

export type Forms = {
  /** Asks for this subagent, or for the agent itself. */
  ask(request: RpcRequest, wire: WireElicitation, task: string | null): void
  answer(id: string, values: FormValues | null, how: 'given' | 'declined' | 'cancelled'): void
  /** Whether one is open. */
  readonly isAsking: boolean
  /** Cancels all open forms, or those of one subagent, or with null those of the agent itself. */
  cancelAll(of?: string | null): void
}

export type FormsOptions = { emit: (event: AgentEvent) => void; now: () => number; newId: () => string }

/** The number of forms that may be open at a time. */
const MOST_OPEN = 20

const ACTIONS = { given: 'accept', declined: 'decline', cancelled: 'cancel' } as const

export function createForms({ emit, now, newId }: FormsOptions): Forms {
  const open = new Map<string, { request: RpcRequest; fields: readonly FormField[]; task: string | null }>()

  return {
    ask(request, wire, task) {
      // Early agents sent no mode. URLs to visit are not supported.
      const isForm = wire.mode === 'form' || wire.mode === ''
      const fields = isForm && open.size < MOST_OPEN ? fieldsOf(wire) : null
      if (!fields) return request.succeed({ action: 'cancel' })
      const id = newId()
      open.set(id, { request, fields, task })
      request.onWithdrawn(() => answer(id, null, 'cancelled'))
      emit({ type: 'question_asked', at: now(), id, message: wire.message, fields, ...(task !== null && { task }) })
    },
    answer,
    get isAsking() {
      return open.size > 0
    },
    cancelAll(of) {
      for (const [id, { task }] of open) if (of === undefined || task === of) answer(id, null, 'cancelled')
    },
  }

  function answer(id: string, values: FormValues | null, how: keyof typeof ACTIONS): void {
    const form = open.get(id)
    if (!form) return
    open.delete(id)
    const answers = how === 'given' ? valuesOf(form.fields, values ?? {}) : null
    emit({ type: 'question_answered', at: now(), id, answer: how, ...(answers && { values: answers }) })
    form.request.succeed({ action: ACTIONS[how], ...(answers && { content: answers }) })
  }
}
