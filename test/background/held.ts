/** A conversation in the background whose agent does what the test says. Its events are folded as in the program. */
import type { Ability } from '../../src/agent/abilities.ts'
import type { Model, Prompt, Reply, Steer, SteerOutcome } from '../../src/agent/backend.ts'
import type { AgentEvent } from '../../src/agent/event.ts'
import type { HeldEntry } from '../../src/agent/held-queue.ts'
import type { PermissionAnswer } from '../../src/agent/requests.ts'
import { BasicBackend } from '../../src/agents/host/basic-backend.ts'
import { BackgroundServer, type BackgroundServerOptions } from '../../src/background/server.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { initialChat } from '../../src/conversation/state.ts'

export const started: AgentEvent = {
  type: 'agent_started',
  at: 1,
  agent: 'zot',
  version: '1',
  provider: 'p',
  model: 'm',
  contextWindow: 100,
  reasoning: null,
  reasoningLevels: [],
}

/** Each prompt begins a turn, which `end` or an abort ends. */
export class TurnAgent extends BasicBackend {
  readonly abilities = new Set<Ability>(['judgeWith', 'setModel', 'listModels', 'steer', 'compact'])
  readonly asked: string[] = []
  /** Words for the running turn, by their ids. */
  readonly steers = new Map<string, { text: string; settle: (outcome: SteerOutcome) => void }>()
  happen: (event: AgentEvent) => void = () => undefined
  #over: (() => void) | null = null

  constructor() {
    super('zot')
  }

  subscribe(): () => void {
    return () => undefined
  }

  async open(): Promise<void> {
    this.happen(started)
  }

  async close(): Promise<void> {}

  async kill(): Promise<void> {}

  async prompt({ text, from }: Prompt): Promise<void> {
    this.asked.push(text)
    this.happen({ type: 'prompt_sent', at: 2, text, images: [], ...(from !== undefined && { from }) })
    this.happen({ type: 'prompt_accepted', at: 2 })
    await new Promise<void>(resolve => (this.#over = resolve))
  }

  /** Ends the running turn, after a failure if there is one. */
  end(error?: string): void {
    const over = this.#over
    if (!over) return
    this.#over = null
    for (const { settle } of this.steers.values()) settle({ how: 'over' })
    this.steers.clear()
    if (error !== undefined) this.happen({ type: 'step_ended', at: 3, stop: 'error', error })
    this.happen({ type: 'turn_ended', at: 3 })
    over()
  }

  abort(): void {
    this.asked.push('abort')
    this.happen({ type: 'abort_requested', at: 3 })
    this.end()
  }

  /** The agent ends in the middle of what it does. */
  die(): void {
    const over = this.#over
    this.#over = null
    const end = { code: 1, signal: null, reason: 'it broke', hint: '', expected: false }
    this.happen({ type: 'agent_ended', at: 4, ...end })
    for (const { settle } of this.steers.values()) settle({ how: 'unknown', message: 'it broke' })
    this.steers.clear()
    over?.()
  }

  override async compact(): Promise<void> {
    this.asked.push('compact')
    this.happen({ type: 'compaction_started', at: 3 })
    this.happen({ type: 'compaction_finished', at: 3, summary: '' })
  }

  override steer({ id, prompt: { text } }: Steer): Promise<SteerOutcome> {
    this.asked.push(`steer ${text}`)
    return new Promise(settle => void this.steers.set(id, { text, settle }))
  }

  override withdrawSteer(id: string): void {
    this.steers.get(id)?.settle({ how: 'withdrawn' })
    this.steers.delete(id)
  }

  /** The agent takes all words for its turn. */
  takeSteers(): void {
    for (const [id, { text, settle }] of this.steers) {
      this.happen({ type: 'steer_delivered', at: 3, id, text, images: [] })
      settle({ how: 'delivered' })
    }
    this.steers.clear()
  }

  override async listModels(): Promise<Reply<readonly Model[]>> {
    const facts = { contextWindow: null, maxOutput: null, reasoning: false }
    const models = [
      { id: 'm', provider: 'p', ...facts },
      { id: 'better', provider: 'p', ...facts },
      { id: 'other', provider: 'elsewhere', ...facts },
    ]
    return { ok: true, value: models }
  }

  override async setModel(id: string): Promise<Reply> {
    this.asked.push(`model ${id}`)
    return { ok: true, value: undefined }
  }

  override answerPermission(id: string, { answer }: PermissionAnswer): void {
    this.asked.push(`${id} ${answer}`)
    this.happen({ type: 'permission_decided', at: 3, id, allowed: answer === 'allow', by: 'user' })
  }
}

export type Held = {
  agent: TurnAgent
  server: BackgroundServer
  happen: (event: AgentEvent) => void
  events: AgentEvent[]
  /** What would be on the disk. */
  kept: () => readonly HeldEntry[]
}

/** A holder whose first prompt is over, unless `isFirstOver` is false. */
export function holdAgent(options: Partial<BackgroundServerOptions> = {}, isFirstOver = true): Held {
  const agent = new TurnAgent()
  const events: AgentEvent[] = []
  let chat = initialChat
  let kept: readonly HeldEntry[] = []
  const server = new BackgroundServer({
    backend: agent,
    welcome: () => ({ id: 'a', name: 'zot', folder: '/work', mode: 'ask', demo: false, toolLimit: null, argv: [] }),
    useMode: null,
    onStop: () => undefined,
    past: {
      session: () => 'session',
      title: () => '',
      points: () => [],
      goBack: async () => ({ ok: true, value: undefined }),
      rename: () => ({ ok: true, value: undefined }),
      publish: event => happen(event),
    },
    hasPrompt: false,
    queueFile: { read: () => [], write: (_, entries) => (kept = entries) },
    shown: { branch: () => null, home: '/home', judge: asking },
    now: () => 1000,
    elapsed: () => performance.now(),
    ...options,
    sending: {
      prepare: async ({ text, from }) => ({
        ok: true,
        prompt: { text, images: [], ...(from !== undefined && { from }) },
        onSent() {},
      }),
      stopPreparing: () => undefined,
      files: null,
      memory: () => null,
      limit: { isReached: () => false, isTurnOver: () => false, words: () => '' },
      compactAt: () => 0,
      publish: event => happen(event),
      ...options.sending,
    },
  })
  function happen(event: AgentEvent): void {
    const named = server.origins.named(event)
    chat = reduce(chat, named)
    events.push(named)
    server.writer.onEvent(chat, named)
  }
  agent.happen = happen
  server.writer.begins(chat, [])
  happen(started)
  if (isFirstOver) void server.stay()
  return { agent, server, happen, events, kept: () => kept }
}

const asking = {
  judge: () => ({ verdict: 'ask', because: '', isUsual: true }) as const,
  dangers: () => [],
}

export function entry(text: string, id = text): HeldEntry {
  return { id, command: null, text, chips: [], before: [] }
}

/** Lets all that is ready to happen do so. */
export const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
