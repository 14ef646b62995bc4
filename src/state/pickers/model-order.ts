/** The order in which models are listed. */
import type { Model } from '../../agent/backend.ts'
import { wordsIn } from '../../composer/completion.ts'
import type { ListedModel } from './picker.ts'

/** The name of a model among those of all providers. */
export function modelName({ provider, id }: Pick<Model, 'provider' | 'id'>): string {
  return `${provider}/${id}`
}

/** Whether all the words of a filter are in its name, in any case. */
export function hasWords(model: Pick<Model, 'provider' | 'id'>, filter: string): boolean {
  const name = modelName(model).toLowerCase()
  return wordsIn(filter).every(word => name.includes(word))
}

/**
 * Puts the favourites first, as the user named them (`id` or `provider/id`), then those used last, then the others in the agent's
 * order. A name that no model has any more is ignored.
 */
export function inOrderOfUse(
  models: readonly Model[],
  favourites: readonly string[],
  recent: readonly string[],
): ListedModel[] {
  const ranked = models.map(model => {
    const favourite = favourites.findIndex(name => name === model.id || name === modelName(model))
    if (favourite >= 0) return { model: marked(model, 'favourite'), rank: favourite }
    const used = recent.indexOf(modelName(model))
    if (used >= 0) return { model: marked(model, 'recent'), rank: favourites.length + used }
    return { model, rank: Number.POSITIVE_INFINITY }
  })
  return ranked.toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank)).map(({ model }) => model)
}

function marked(model: Model, mark: 'favourite' | 'recent'): ListedModel {
  return { ...model, mark }
}
