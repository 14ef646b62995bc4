/** The models of the catalog, their levels of reasoning, and the parameters that choose them. Pure. */
import type { Model } from '../../agent/backend.ts'
import type { WireCatalog } from './frame.ts'
import { lookup } from '../../text/lookup.ts'

/** The model and the level of reasoning. '' is a level for none, and a model for Meerkat's own default. */
export type ModelChoice = { provider: string; model: string; reasoning: string }

export type CatalogModel = Model & { levels: readonly string[]; takesImages: boolean }

/** The name of the provider and of the setting, as `provider_params` has them. A local model does not get the setting. */
const TAGS: Readonly<Partial<Record<string, { tag: string; field: string }>>> = {
  anthropic: { tag: 'anthropic', field: 'effort' },
  openai: { tag: 'open_ai', field: 'reasoning_effort' },
  gemini: { tag: 'gemini', field: 'thinking_level' },
}

export function modelsOf({ providers }: WireCatalog): CatalogModel[] {
  return providers.flatMap(({ provider, models }) =>
    models.map(({ id, context_window: contextWindow = null, max_output_tokens: maxOutput = null, profile }) => {
      const levels = levelsOf(provider, profile?.params_schema)
      const takesImages = profile?.image_input ?? true
      return { id, provider, contextWindow, maxOutput, reasoning: levels.length > 0, levels, takesImages }
    }),
  )
}

/** Finds a model by its id, first among those of the provider in use. */
export function findModel(models: readonly CatalogModel[], id: string, provider: string): CatalogModel | undefined {
  const named = models.filter(model => model.id === id)
  return named.find(model => model.provider === provider) ?? named[0]
}

/** The fields of `session/create` that choose it. */
export function createFields(choice: ModelChoice): Record<string, unknown> {
  const params = choice.reasoning === '' ? null : reasoningParams(choice)
  return { ...modelFields(choice), ...(params && { provider_params: params }) }
}

/** The fields of `turn/start` that choose it in a session with another model. */
export function switchFields(choice: ModelChoice, former: ModelChoice): Record<string, unknown> {
  const params = choice.reasoning === former.reasoning ? null : reasoningParams(choice)
  return { ...modelFields(choice), ...(params && { provider_params: { action: 'set', value: params } }) }
}

function modelFields({ provider, model }: ModelChoice): Record<string, unknown> {
  return model === '' ? {} : { model, ...(provider !== '' && { provider }) }
}

export function isSameChoice(one: ModelChoice, other: ModelChoice): boolean {
  return one.model === other.model && one.provider === other.provider && one.reasoning === other.reasoning
}

function reasoningParams({ provider, reasoning: level }: ModelChoice): Record<string, unknown> | null {
  const { tag, field } = lookup(TAGS, provider) ?? {}
  if (tag === undefined || field === undefined) return null
  if (level === '') return { reasoning: 'off' }
  // Anthropic's name for it.
  const word = tag === 'anthropic' && level === 'xhigh' ? 'x_high' : level
  return { provider_tag: { provider: tag, [field]: word } }
}

function levelsOf(provider: string, schema: { properties: Record<string, { enum: string[] }> } | undefined): string[] {
  const field = lookup(TAGS, provider)?.field ?? ''
  return lookup(schema?.properties ?? {}, field)?.enum ?? []
}
