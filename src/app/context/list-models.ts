/** The models that there are, beyond those of the provider. */
import type { Backend, Model } from '../../agent/backend.ts'

/** Those of all providers; none where the agent does not list them. */
export async function everyModel(backend: Backend): Promise<readonly Model[]> {
  const reply = await backend.listEveryModel?.()
  return reply?.ok ? reply.value : []
}

/** Those of the provider as it listed them itself, and behind them those of the others. */
export function withOthers(own: readonly Model[], every: readonly Model[], provider: string): readonly Model[] {
  return [...own, ...every.filter(model => model.provider !== provider)]
}
