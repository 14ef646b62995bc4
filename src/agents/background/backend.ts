/**
 * The `Backend` for a conversation that another process holds. `open` emits all of it so far, and then its new events. `leave`
 * detaches: the conversation goes on in its holder even if the UI is killed.
 */
import { z } from 'zod'
import type { Backend, Model, OwnSession, Prompt, Reply } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { createListeners } from '../../agent/listeners.ts'
import type { RunningCommand } from '../../agent/permission.ts'
import type { HolderConnection } from './connection.ts'
import { ABILITIES, type HolderAbility, type HolderLine, type HolderRequest } from './protocol.ts'

const refusal = z.object({ ok: z.literal(false), message: z.string() })
const modelSchema = z.object({
  id: z.string(),
  provider: z.string(),
  name: z.string().optional(),
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

const pointsSchema = z.array(
  z.object({ turn: z.number(), text: z.string(), at: z.number(), checkpoint: z.string().nullable() }),
)

const GONE: Reply<never> = { ok: false, message: 'the conversation no longer runs in the background' }
const optional: ReadonlySet<unknown> = new Set(ABILITIES)

export type BackgroundBackendOptions = {
  /** The ID of the conversation. */
  id: string
  /** The agent's name. */
  name: string
  /** A connection whose first line was read; null to make one when the agent is opened. */
  first: HolderConnection | null
  /** Connects again after the connection was lost. It may start another holder, which continues with the session. */
  connect: (session: string) => Promise<Reply<HolderConnection>>
  /** Milliseconds since the Unix epoch. */
  now: () => number
}

export function createBackgroundBackend({ id: ownId, name, first, connect, now }: BackgroundBackendOptions): Backend {
  const { tell, subscribe } = createListeners<[AgentEvent]>()
  const retold = new Set<(events: readonly AgentEvent[]) => void>()
  const pending = new Map<number, (value: unknown) => void>()
  let abilities: ReadonlySet<unknown> = new Set()
  let last = 0
  /** The connection in use; null before the first one, and after it was lost. */
  let current: HolderConnection | null = null
  let unused = first
  let connecting: Promise<unknown> | null = null
  let keptIn: string | null = null
  /** The checkpoint of the files before the next prompt. */
  let checkpoint: string | null = null
  let isLeft = false
  let isLost = false
  /** The buffered events of a repetition; null while each is emitted as it arrives. */
  let again: AgentEvent[] | null = null
  let isCaughtUp = false
  let isUp = false
  let onOpen: (() => void) | null = null

  const all: Required<Pick<Backend, HolderAbility>> & Backend = {
    name,
    subscribe,
    holder: {
      isLost: () => isLost,
      onRetold: listener => void retold.add(listener),
      session: () => keptIn,
      points: async () => read(pointsSchema, [], await ask({ call: 'points' })),
      goBack: async (turns, words) => read(doneSchema, GONE, await ask({ call: 'goBack', turns, words })),
      rename: async title => read(doneSchema, GONE, await ask({ call: 'rename', title })),
      note(event) {
        if (event.type === 'checkpoint_made') checkpoint = event.id
        else void ask({ call: 'noteRestored', checkpoint: event.checkpoint, undo: event.undo, count: event.count })
      },
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
    clear: async () => read(doneSchema, GONE, await ask({ call: 'clear' })),
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
    has: (target, name) => !isAbsent(name) && Reflect.has(target, name),
  })

  async function open(session?: OwnSession): Promise<void> {
    if (current) return void (await ask({ call: 'open', ...(session && { session }) }))
    if (unused) {
      const connection = unused
      unused = null
      return attach(connection, null)
    }
    if (isLeft) return emit(ended(LOST))
    emit({ type: 'agent_starting', at: now(), agent: name })
    const connected = connect(keptIn ?? ownId)
    connecting = connected
    const reply = await connected
    isLost = !reply.ok
    if (!reply.ok) return emit(ended(reply.message))
    if (isLeft) return reply.value.end()
    return attach(reply.value, [])
  }

  /** Resolves when the whole history was emitted and the agent has started or ended, or when the connection is lost. */
  async function attach(connection: HolderConnection, retelling: AgentEvent[] | null): Promise<void> {
    const { promise: opened, resolve } = Promise.withResolvers<void>()
    onOpen = resolve
    again = retelling
    isCaughtUp = false
    isUp = false
    current = connection
    isLost = false
    connection.receive(take)
    void connection.ended.then(gone)
    await opened
  }

  /** The prompt is sent when the files before it are kept. */
  async function prompt({ ready, text, images, before, files, memory }: Prompt): Promise<void> {
    await ready
    const told = { ...(before && { before: [...before] }), ...(files && { files: [...files] }) }
    const given = { text, images: [...images], ...told, ...(memory && { memory }) }
    const kept = checkpoint
    checkpoint = null
    await ask({ call: 'prompt', prompt: given, ...(kept !== null && { checkpoint: kept }) })
  }

  function take(line: HolderLine): void {
    switch (line.type) {
      case 'event':
        if (again) return void again.push(line.event)
        return emit(line.event)
      case 'abilities':
        abilities = new Set(line.names)
        return
      case 'session':
        keptIn = line.id
        return
      case 'begun_again':
        again = []
        return
      case 'caught_up':
        isCaughtUp = true
        if (again) retell(again)
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

  function retell(events: readonly AgentEvent[]): void {
    again = null
    isUp = events.some(isUpOrDown)
    for (const listener of retold) listener(events)
  }

  function emit(event: AgentEvent): void {
    if (isUpOrDown(event)) isUp = true
    tell(event)
    settle()
  }

  function settle(): void {
    if (isCaughtUp && isUp) onOpen?.()
  }

  /** Resolves with the answer; undefined if the connection ends first. */
  async function ask(asked: HolderRequest): Promise<unknown> {
    if (!current) return undefined
    last += 1
    const { promise, resolve } = Promise.withResolvers<unknown>()
    pending.set(last, resolve)
    current.write({ type: 'call', id: last, ...asked })
    return promise
  }

  async function leave(): Promise<void> {
    isLeft = true
    // A move to the background that has begun is completed.
    await connecting
    const connection = current ?? unused
    connection?.end()
    await connection?.ended
    gone()
  }

  function gone(): void {
    if (!current) return
    current = null
    abilities = new Set()
    for (const resolve of pending.values()) resolve(undefined)
    pending.clear()
    // A turn that continues in the background was not interrupted.
    isLost = !isLeft
    if (isLost) emit(ended(LOST))
    onOpen?.()
  }

  function ended(reason: string): AgentEvent {
    const hint = `/restart resumes it. So does \`zotui --resume ${keptIn ?? ownId}\`, with what is saved.`
    return { type: 'agent_ended', at: now(), code: null, signal: null, reason, hint, expected: false }
  }
}

const LOST = 'The process in the background is gone, or the connection to it is lost.'

const isUpOrDown = ({ type }: AgentEvent): boolean => type === 'agent_started' || type === 'agent_ended'

function read<Value>(schema: z.ZodType<Value>, otherwise: Value, value: unknown): Value {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : otherwise
}
