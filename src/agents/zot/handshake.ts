/** The first exchange with a new zot: its version, its provider and its model. */
import type { Model } from '../../agent/backend.ts'
import type { StartOutcome } from '../host/driver.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import type { ZotClient } from './client.ts'
import { PROTOCOL_VERSION } from './command.ts'
import type { WireModel } from './command.ts'
import { refusedConnection } from './end-words.ts'

/** zot's answer to the handshake. `provider` and `model` are those that it resolved. */
export type Greeting = {
  version: string
  provider: string
  model: string
  /** '' is off; null if this zot can neither read nor set it (before July 2026). */
  reasoning: string | null
  /** The provider's models; empty if zot did not say. */
  models: readonly Model[]
}

/** The levels that `set_reasoning` takes, weakest first. '' is off. */
const REASONING_LEVELS = ['minimum', 'low', 'medium', 'high', 'xhigh', 'max']

/** Performs the handshake. Resolves within `limit` milliseconds. */
export async function shakeHands(
  client: ZotClient,
  { token, limit }: { token: string | undefined; limit: number },
): Promise<Greeting | Exclude<StartOutcome, 'ready'>> {
  const outcome = await withTimeout(limit, greet(client, token))
  return outcome === 'timed out' ? { type: 'silent', milliseconds: limit } : outcome
}

async function greet(client: ZotClient, token: string | undefined): Promise<Greeting | Exclude<StartOutcome, 'ready'>> {
  const hello = await client.request({ type: 'hello', ...(token === undefined ? {} : { token }) })
  if (!hello.ok) return hello.ending ? 'ended' : refusedConnection(hello.message)
  const { protocol_version: protocol, version, provider, model } = hello.data
  if (protocol !== PROTOCOL_VERSION)
    return { type: 'wrong_version', theirs: String(protocol), ours: String(PROTOCOL_VERSION) }
  const [state, models] = await Promise.all([client.request({ type: 'get_state' }), readModels(client)])
  if (!state.ok && state.ending) return 'ended'
  return { version, provider, model, reasoning: state.ok ? (state.data.reasoning ?? null) : null, models }
}

/** Reads the models of zot's provider; empty if zot does not say. */
export async function readModels(client: ZotClient): Promise<readonly Model[]> {
  const reply = await client.request({ type: 'get_models' })
  return reply.ok ? reply.data.models.map(toModel) : []
}

function toModel(model: WireModel): Model {
  const { id, provider, reasoning } = model
  // zot reports 0 for an unknown size.
  return { id, provider, contextWindow: model.context_window || null, maxOutput: model.max_output || null, reasoning }
}

/** Returns the model fields of events. A model that is not listed (ollama accepts any) may support reasoning. */
export function describeModel(greeting: Greeting, id: string) {
  const model = greeting.models.find(candidate => candidate.id === id)
  const reasons = greeting.reasoning !== null && (model?.reasoning ?? true)
  return {
    provider: greeting.provider,
    model: id,
    contextWindow: model?.contextWindow ?? null,
    reasoningLevels: reasons ? REASONING_LEVELS : [],
  }
}
