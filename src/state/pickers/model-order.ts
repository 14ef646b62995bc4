/** The order in which models are listed. */
import type { Model } from '../../agent/backend.ts'
import { hasWords, wordsIn } from '../../composer/filter.ts'
import type { ListedModel } from './picker.ts'

/** The full name of a model. An agent may name no provider. */
export function modelName({ provider, id }: Pick<Model, 'provider' | 'id'>): string {
  return provider === '' ? id : `${provider}/${id}`
}

/** True if all the words of a filter are in its name, in any case. */
export function isNamedBy(model: Pick<Model, 'provider' | 'id'>, filter: string): boolean {
  return hasWords(modelName(model), wordsIn(filter))
}

/**
 * Puts the favourites first, in the user's order (`id` or `provider/id`), then recently used models, then the others by
 * provider, in the agent's order of both. Names of missing models are ignored.
 */
export function inOrderOfUse(
  models: readonly Model[],
  favourites: readonly string[],
  recent: readonly string[],
): ListedModel[] {
  const named = placesIn(favourites)
  const used = placesIn(recent)
  const first: { model: ListedModel; rank: number }[] = []
  const others: ListedModel[] = []
  for (const model of models) {
    const name = modelName(model)
    const favourite = Math.min(named.get(model.id) ?? Infinity, named.get(name) ?? Infinity)
    const lately = used.get(name)
    if (favourite < Infinity) first.push({ model: marked(model, 'favourite'), rank: favourite })
    else if (lately !== undefined) first.push({ model: marked(model, 'recent'), rank: favourites.length + lately })
    else others.push(model)
  }
  const byProvider = Map.groupBy(others, ({ provider }) => provider)
  return [...first.toSorted((a, b) => a.rank - b.rank).map(({ model }) => model), ...[...byProvider.values()].flat()]
}

/** The place of each name; the first, if a name occurs twice. */
function placesIn(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, place) => [name, place] as const).toReversed())
}

function marked(model: Model, mark: 'favourite' | 'recent'): ListedModel {
  return { ...model, mark }
}
