/**
 * A conversation that another process holds, as an agent like any other. `open` tells all of it so far, and then what happens. `leave`
 * leaves it to its holder, where it goes on: a UI that ends, in whatever way, ends nothing.
 */
import { z } from 'zod'
import type { Backend, Model, OwnSession, Prompt, Reply } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { RunningCommand } from '../../agent/permission.ts'
import type { HeldConnection } from './connection.ts'
import { ABILITIES, type HeldAbility, type HeldRequest, type HeldWelcome, type HolderLine } from './protocol.ts'

const refusal = z.object({ ok: z.literal(false), message: z.string() })
const modelSchema = z.object({
  id: z.string(),
  provider: z.string(),
  contextWindow: z.number().nullable(),
  maxOutput: z.number().nullable(),
  reasoning: z.boolean(),
  hasKey: z.boolean().optional(),
})
const doneSchema = z
  .discriminatedUnion('ok', [z.object({ ok: z.literal(true) }), refusal])
  .transform((reply): Reply => (reply.ok ? { ok: true, value: undefined } : reply))
const modelsSchema = z
  .discriminatedUnion('ok', [z.object({ ok: z.literal(true), value: z.array(modelSchema) }), refusal])
  // JSON has no undefined.
  .transform(reply => reply as Reply<readonly Model[]>)
const runningSchema = z.array(
  z.object({ pid: z.number(), command: z.string(), startedAt: z.number(), callId: z.string().nullable() }),
)

const GONE: Reply<never> = { ok: false, message: 'the conversation is no longer held' }
const optional: ReadonlySet<unknown> = new Set(ABILITIES)

export type HeldBackendOptions = {
  connection: HeldConnection
  welcome: HeldWelcome
  /** Milliseconds since the Unix epoch. */
  now: () => number
}

export function createHeldBackend({ connection, welcome, now }: HeldBackendOptions): Backend {
  const listeners = new Set<(event: AgentEvent) => void>()
  const pending = new Map<number, (value: unknown) => void>()
  const { promise: opened, resolve: onOpen } = Promise.withResolvers<void>()
  let abilities: ReadonlySet<unknown> = new Set()
  let last = 0
  let isOpen = false
  let isCaughtUp = false
  let isUp = false
  let isLeft = false
  let isGone = false

  const all: Required<Pick<Backend, HeldAbility>> & Backend = {
    name: welcome.name,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open,
    prompt,
    abort: () => void ask({ call: 'abort' }),
    leave,
    async close() {
      await ask({ call: 'close' })
    },
    async kill() {
      await ask({ call: 'kill' })
    },
    async compact() {
      await ask({ call: 'compact' })
    },
    ping: async timeout => (await ask({ call: 'ping', timeout })) === true,
    listModels: async () => read(modelsSchema, GONE, await ask({ call: 'listModels' })),
    listEveryModel: async () => read(modelsSchema, GONE, await ask({ call: 'listEveryModel' })),
    setModel: async id => read(doneSchema, GONE, await ask({ call: 'setModel', model: id })),
    setReasoning: async level => read(doneSchema, GONE, await ask({ call: 'setReasoning', level })),
    setOption: async (id, value) => read(doneSchema, GONE, await ask({ call: 'setOption', option: id, value })),
    answerQuestion: (id, values, how) => void ask({ call: 'answerQuestion', question: id, values, how }),
    answerPermission: (id, answer, by = 'user') => void ask({ call: 'answerPermission', question: id, answer, by }),
    setPermissionMode: mode => void ask({ call: 'setPermissionMode', mode }),
    listRunning: async (): Promise<readonly RunningCommand[]> =>
      read(runningSchema, [], await ask({ call: 'listRunning' })),
    endRunning: async pid => read(doneSchema, GONE, await ask({ call: 'endRunning', pid })),
  }
  const isAbsent = (name: string | symbol): boolean => optional.has(name) && !abilities.has(name)
  return new Proxy<Backend>(all, {
    get: (target, name) => (isAbsent(name) ? undefined : (Reflect.get(target, name) as unknown)),
    has: (target, name) => !isAbsent(name) && name in target,
  })

  async function open(session?: OwnSession): Promise<void> {
    if (isGone) return emit(farewell())
    if (isOpen) {
      await ask({ call: 'open', ...(session && { session }) })
      return
    }
    isOpen = true
    connection.receive(take)
    void connection.ended.then(gone)
    await opened
  }

  /** The prompt is sent when the files before it are kept. */
  async function prompt({ ready, text, images, before, memory }: Prompt): Promise<void> {
    await ready
    const given = { text, images: [...images], ...(before && { before: [...before] }), ...(memory && { memory }) }
    await ask({ call: 'prompt', prompt: given })
  }

  function take(line: HolderLine): void {
    switch (line.type) {
      case 'event':
        return emit(line.event)
      case 'abilities':
        abilities = new Set(line.names)
        return
      case 'caught_up':
        isCaughtUp = true
        return settle()
      case 'reply':
        pending.get(line.id)?.(line.value)
        pending.delete(line.id)
        return
      case 'welcome':
      case 'refused':
      case 'status':
      case 'stopping':
    }
  }

  function emit(event: AgentEvent): void {
    if (event.type === 'agent_started' || event.type === 'agent_ended') isUp = true
    for (const listener of listeners) listener(event)
    settle()
  }

  function settle(): void {
    if (isCaughtUp && isUp) onOpen()
  }

  /** Resolves with the answer; undefined if the connection ends first. */
  async function ask(asked: HeldRequest): Promise<unknown> {
    if (isGone) return undefined
    last += 1
    const { promise, resolve } = Promise.withResolvers<unknown>()
    pending.set(last, resolve)
    connection.write({ type: 'call', id: last, ...asked })
    return promise
  }

  async function leave(): Promise<void> {
    isLeft = true
    connection.end()
    await connection.ended
    gone()
  }

  function gone(): void {
    if (isGone) return
    isGone = true
    // A turn that goes on in the background was not interrupted.
    if (!isLeft) emit(farewell())
    for (const resolve of pending.values()) resolve(undefined)
    pending.clear()
    onOpen()
  }

  function farewell(): AgentEvent {
    const hint = `\`zotui --resume ${welcome.id}\` goes on with what is saved.`
    const reason = 'The conversation is no longer held.'
    return { type: 'agent_ended', at: now(), code: null, signal: null, reason, hint, expected: false }
  }
}

function read<Value>(schema: z.ZodType<Value>, otherwise: Value, value: unknown): Value {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : otherwise
}
