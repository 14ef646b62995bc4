/** The first words with a zot that was just started: who it is and which model answers. */
import type { Model } from '../../agent/backend.ts'
import type { ZotClient } from './client.ts'
import { PROTOCOL_VERSION } from './command.ts'
import type { WireModel } from './command.ts'
import { within } from './limits.ts'

/** What zot is: `provider` and `model` are those that it resolved. */
export type Greeting = {
  version: string
  provider: string
  model: string
  /** '' is off; null where this zot can neither read nor set it (before July 2026). */
  reasoning: string | null
  /** Those of the provider. Empty where zot did not say. */
  models: readonly Model[]
}

/** Why there is no greeting. */
export type HandshakeFailure =
  | { type: 'silent'; milliseconds: number }
  | { type: 'refused'; message: string }
  | { type: 'wrong_protocol'; version: number }
  /** zot ended first; why is told by its ending. */
  | { type: 'ended' }

/** The levels that `set_reasoning` takes, weakest first. '' is off. */
const REASONING_LEVELS = ['minimum', 'low', 'medium', 'high', 'xhigh', 'max']

/** Asks zot who it is. Resolves within `limit` milliseconds. */
export async function shakeHands(
  client: ZotClient,
  { token, limit }: { token: string | undefined; limit: number },
): Promise<Greeting | HandshakeFailure> {
  const outcome = await within(limit, greet(client, token))
  return outcome === 'timed out' ? { type: 'silent', milliseconds: limit } : outcome
}

async function greet(client: ZotClient, token: string | undefined): Promise<Greeting | HandshakeFailure> {
  const hello = await client.request({ type: 'hello', ...(token === undefined ? {} : { token }) })
  if (!hello.ok) return hello.ending ? { type: 'ended' } : { type: 'refused', message: hello.message }
  const { protocol_version: protocol, version, provider, model } = hello.data
  if (protocol !== PROTOCOL_VERSION) return { type: 'wrong_protocol', version: protocol }
  const [state, models] = await Promise.all([client.request({ type: 'get_state' }), readModels(client)])
  if (!state.ok && state.ending) return { type: 'ended' }
  return { version, provider, model, reasoning: state.ok ? (state.data.reasoning ?? null) : null, models }
}

/** The models of zot's provider; empty where it does not say. */
export async function readModels(client: ZotClient): Promise<readonly Model[]> {
  const reply = await client.request({ type: 'get_models' })
  return reply.ok ? reply.data.models.map(toModel) : []
}

export function toModel(model: WireModel): Model {
  const { id, provider, reasoning } = model
  // zot says 0 where it does not know a size.
  return { id, provider, contextWindow: model.context_window || null, maxOutput: model.max_output || null, reasoning }
}

/** What the events say of one of the greeting's models. A model that is not listed (ollama takes any) may reason. */
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
