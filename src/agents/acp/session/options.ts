/** The settings of a session that the user can change: its modes, models, levels of thinking, and anything else. Pure. */
import type { PermissionMode } from '../../../agent/permission.ts'
import type { AgentOption } from '../../../agent/session-events.ts'
import type { WireOption, WireSession } from '../frame.ts'
import { lookup } from '../../../text/lookup.ts'

/** The request that sets an option. Older agents have requests of their own for modes and models. */
export type SetRequest = { method: string; params: Record<string, unknown> }

export type SessionOption = AgentOption & { set: (value: string | boolean) => SetRequest }

const CATEGORIES: Readonly<Partial<Record<string, AgentOption['category']>>> = {
  mode: 'mode',
  model: 'model',
  thought_level: 'reasoning',
  // As Mistral Vibe calls it.
  thinking: 'reasoning',
}

/** The options of a session. An option that an agent reports in two ways is listed once. */
export function optionsOf({ configOptions, modes, models }: WireSession): SessionOption[] {
  const reported = (configOptions ?? []).map(fromConfig)
  const lacks = (category: AgentOption['category']): boolean => !reported.some(option => option.category === category)
  return [
    ...reported,
    ...(modes && lacks('mode')
      ? [
          legacy(
            'mode',
            'Mode',
            modes.currentModeId,
            modes.availableModes.map(mode => ({ ...mode, value: mode.id })),
          ),
        ]
      : []),
    ...(models && lacks('model')
      ? [
          legacy(
            'model',
            'Model',
            models.currentModelId,
            models.availableModels.map(model => ({ ...model, value: model.modelId })),
          ),
        ]
      : []),
  ]
}

/** The options after the agent has reported all of the kind that it reports in this way; the others stay. */
export function withConfig(options: readonly SessionOption[], configOptions: readonly WireOption[]): SessionOption[] {
  const reported = configOptions.map(fromConfig)
  const kept = options.filter(({ id, category }) => {
    const isReported = reported.some(option => option.id === id || option.category === category)
    return LEGACY.has(id) && !isReported
  })
  return [...reported, ...kept]
}

/** The options with one of them set. */
export function withValue(options: readonly SessionOption[], id: string, value: string | boolean): SessionOption[] {
  return options.map(option => (option.id === id ? { ...option, value } : option))
}

/** The options of another session of the same agent, whose mode is unknown. */
export function unknownMode(options: readonly SessionOption[]): SessionOption[] {
  return options.map(option => (option.category === 'mode' ? { ...option, value: '' } : option))
}

export function optionFor(
  options: readonly SessionOption[],
  category: AgentOption['category'],
): SessionOption | undefined {
  const found = options.filter(option => option.category === category && option.kind === 'choice')
  // Cline has its providers in the category of models, too.
  return found.find(({ id }) => id === category) ?? found[0]
}

/** The facts about options beside those that the agent reports. */
export type OptionFacts = {
  /** The mode of ours that this one of the agent's does; undefined if that is not known. */
  meaning: (mode: string) => PermissionMode | undefined
  /** The values that the user chose, by the ids of their options. */
  chosen: ReadonlyMap<string, string | boolean>
}

/** The options in the form of events. */
export function agentOptions(options: readonly SessionOption[], { meaning, chosen }: OptionFacts): AgentOption[] {
  return options.map(({ set: _set, ...option }) => ({
    ...option,
    ...(option.category === 'mode' && { choices: option.choices.map(choice => withMeaning(choice, meaning)) }),
    ...(chosen.get(option.id) === option.value && { chosen: true as const }),
  }))
}

function withMeaning(
  choice: AgentOption['choices'][number],
  meaning: OptionFacts['meaning'],
): AgentOption['choices'][number] {
  const means = meaning(choice.value)
  return means === undefined ? choice : { ...choice, means }
}

function fromConfig({ id, name, category, type, currentValue, options }: WireOption): SessionOption {
  const isSwitch = type === 'boolean'
  return {
    id,
    name: name || id,
    category: lookup(CATEGORIES, category ?? '') ?? 'other',
    kind: isSwitch ? 'switch' : 'choice',
    value: isSwitch ? currentValue === true : String(currentValue),
    choices: isSwitch ? [] : options.map(toChoice),
    set: value => ({
      method: 'session/set_config_option',
      params: { configId: id, ...(typeof value === 'boolean' && { type: 'boolean' }), value },
    }),
  }
}

/** The ids of options that are not config options. The space separates them from the agent's own ids. */
const LEGACY = new Map<string, (value: string) => SetRequest>([
  ['session mode', modeId => ({ method: 'session/set_mode', params: { modeId } })],
  ['session model', modelId => ({ method: 'session/set_model', params: { modelId } })],
])

function legacy(
  category: 'mode' | 'model',
  name: string,
  value: string,
  choices: readonly { value: string; name: string; description?: string | null | undefined }[],
): SessionOption {
  const id = `session ${category}`
  const set = (to: string | boolean): SetRequest => LEGACY.get(id)?.(String(to)) ?? { method: '', params: {} }
  return { id, name, category, kind: 'choice', value, choices: choices.map(toChoice), set }
}

function toChoice({
  value,
  name,
  description,
}: {
  value: string
  name: string
  description?: string | null | undefined
}) {
  return { value, name: name || value, ...(description && { about: description }) }
}
