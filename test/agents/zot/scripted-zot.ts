/** A zot that a test plays itself: it sees every command and says every word of the answer. */
import { z } from 'zod'
import type { AgentEvent } from '../../../src/agent/event.ts'
import type { Backend } from '../../../src/agent/backend.ts'
import type { ZotOptions } from '../../../src/agents/zot/program/options.ts'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'
import type { FarEnd } from '../../../src/agents/transport/memory-pair.ts'
import { createZotBackend } from '../../../src/agents/zot/backend.ts'
import type { ZotBackendOptions } from '../../../src/agents/zot/backend.ts'

const commandSchema = z.looseObject({ id: z.string(), type: z.string() })
export type ReceivedCommand = z.infer<typeof commandSchema>

export type ScriptedZot = {
  far: FarEnd
  /** Everything that was received, in order. */
  received: ReceivedCommand[]
  /** Resolves with the next command of this type that was not taken yet. */
  next(type: string): Promise<ReceivedCommand>
  reply(command: ReceivedCommand, data?: unknown): void
  refuse(command: ReceivedCommand, error: string): void
  /** Writes events, each a line. */
  say(...events: readonly ({ type: string } & Record<string, unknown>)[]): void
}

/** The answers to the handshake; a command that is absent here is left to the test. */
export type Handshake = Partial<Record<'hello' | 'get_state' | 'get_models', unknown>>

const models = [
  { id: 'sonnet', provider: 'anthropic', context_window: 200_000, max_output: 64_000, reasoning: true },
  { id: 'haiku', provider: 'anthropic', context_window: 0, max_output: 0, reasoning: false },
]

/** A handshake as of July 2026 and later. */
export const modern = {
  hello: { protocol_version: 1, version: '0.3.36', provider: 'anthropic', model: 'sonnet' },
  get_state: { provider: 'anthropic', model: 'sonnet', busy: false, message_count: 0, reasoning: 'low' },
  get_models: { models },
}

/** A handshake of v0.1.62: no reasoning level in the state. */
export const old = {
  ...modern,
  hello: { ...modern.hello, version: '0.1.62' },
  get_state: { provider: 'anthropic', model: 'sonnet', busy: false, message_count: 0 },
}

function createScriptedZot(far: FarEnd, handshake: Handshake): ScriptedZot {
  const received: ReceivedCommand[] = []
  const untaken: ReceivedCommand[] = []
  const waiting: { type: string; resolve: (command: ReceivedCommand) => void }[] = []
  const answers = new Map(Object.entries(handshake))

  const respond = (command: ReceivedCommand, rest: object): void =>
    far.write(JSON.stringify({ type: 'response', command: command.type, id: command.id, ...rest }))
  const zot: ScriptedZot = {
    far,
    received,
    next(type) {
      const index = untaken.findIndex(command => command.type === type)
      const [command] = index === -1 ? [] : untaken.splice(index, 1)
      return command ? Promise.resolve(command) : new Promise(resolve => waiting.push({ type, resolve }))
    },
    reply: (command, data) => respond(command, { success: true, ...(data === undefined ? {} : { data }) }),
    refuse: (command, error) => respond(command, { success: false, error }),
    say(...events) {
      for (const event of events) far.write(JSON.stringify(event))
    },
  }
  far.receive(line => {
    const command = commandSchema.parse(JSON.parse(line))
    received.push(command)
    if (answers.has(command.type)) zot.reply(command, answers.get(command.type))
    const index = waiting.findIndex(({ type }) => type === command.type)
    const [waiter] = index === -1 ? [] : waiting.splice(index, 1)
    if (waiter) waiter.resolve(command)
    else untaken.push(command)
  })
  far.onInputClosed(() => far.end())
  return zot
}

export type Stage = {
  backend: Backend
  /** The zot of the last `open`. */
  readonly zot: ScriptedZot
  events: AgentEvent[]
  types: () => string[]
  /** Resolves with the next event of this type, or at once with one that came and was not asked for yet. */
  seen: <Type extends AgentEvent['type']>(type: Type) => Promise<Extract<AgentEvent, { type: Type }>>
}

export type StageOptions = Partial<ZotBackendOptions> & {
  handshake?: Handshake
  /** Those of the first zots, one each. */
  handshakes?: readonly Handshake[]
  /** Called with what each zot is started with. */
  onConnect?: (start: ZotOptions) => void
}

/** A backend, not opened yet, whose every `open` starts a zot that answers its handshake like this. */
export function stage(options: StageOptions = {}): Stage {
  const { handshake = modern, handshakes = [], onConnect, ...rest } = options
  const zots: ScriptedZot[] = []
  const connect = (start: ZotOptions) => {
    onConnect?.(start)
    const { near, far } = createMemoryPair()
    zots.push(createScriptedZot(far, handshakes[zots.length] ?? handshake))
    return near
  }
  const backend = createZotBackend({ connect, now: () => 1000, ...rest })
  const events: AgentEvent[] = []
  const watchers = new Set<() => void>()
  backend.subscribe(event => {
    events.push(event)
    for (const watch of watchers) watch()
  })
  const asked = new Set<AgentEvent>()
  return {
    backend,
    events,
    types: () => events.map(event => event.type),
    get zot() {
      const zot = zots.at(-1)
      if (!zot) throw new Error('no zot was started yet')
      return zot
    },
    seen: <Type extends AgentEvent['type']>(type: Type) =>
      new Promise<Extract<AgentEvent, { type: Type }>>(resolve => {
        const watch = (): void => {
          const isNew = (event: AgentEvent): event is Extract<AgentEvent, { type: Type }> =>
            event.type === type && !asked.has(event)
          const event = events.find(isNew)
          if (!event) return
          watchers.delete(watch)
          asked.add(event)
          resolve(event)
        }
        watchers.add(watch)
        watch()
      }),
  }
}

/** An opened one, with the events of the start forgotten. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const made = stage(options)
  await made.backend.open()
  made.events.splice(0)
  return made
}

/** Starts a prompt. Resolves once zot works on it; `over` is the prompt's own promise. */
export async function startPrompt({ backend, zot, seen }: Stage): Promise<{ over: Promise<void> }> {
  const over = backend.prompt(hi)
  zot.reply(await zot.next('prompt'), { started: true })
  await seen('prompt_accepted')
  return { over }
}

export const hi = { text: 'hi', images: [] }
