/** Lists the models that the user can choose from. */
import type { Backend, Model } from '../../agent/backend.ts'

/** The models of all providers; none if the agent does not list them. */
export async function everyModel(backend: Backend): Promise<readonly Model[]> {
  const reply = await backend.listEveryModel()
  return reply.ok ? reply.value : []
}

/** The provider's own list, with the names that only the list of all has, followed by the models of the others. */
export function withOthers(own: readonly Model[], every: readonly Model[], provider: string): readonly Model[] {
  const names = new Map(every.filter(model => model.provider === provider).map(({ id, name }) => [id, name]))
  const named = own.map(model => {
    const name = model.name ?? names.get(model.id)
    return name === undefined ? model : { ...model, name }
  })
  return [...named, ...every.filter(model => model.provider !== provider)]
}
