/** Lists the models that the user can choose from. */
import type { Backend, Model } from '../../agent/backend.ts'

/** The models of all providers; none if the agent does not list them. */
export async function everyModel(backend: Backend): Promise<readonly Model[]> {
  const reply = await backend.listEveryModel?.()
  return reply?.ok ? reply.value : []
}

/** The provider's own list, followed by the models of the others. */
export function withOthers(own: readonly Model[], every: readonly Model[], provider: string): readonly Model[] {
  return [...own, ...every.filter(model => model.provider !== provider)]
}
