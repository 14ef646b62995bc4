/** Resolves values: flags override the environment, then come the project's file and the user's own. Pure. */
import { isDeepStrictEqual } from 'node:util'
import { ruleEffects, type RuleEffect, type WrittenRule } from '../permissions/rules/written-rule.ts'
import { HOOK_TIMEOUT, hookEvents, withHooks, type HookEvent } from './hooks.ts'
import { defaultSettings, settingNames, type SettingName, type Settings } from './schema.ts'
import { allowedUntrusted, isYours } from './trust/untrusted.ts'

export type SourceKind = 'default' | 'user' | 'project' | 'environment' | 'flag'

/** The origin of a value; `place` is the line, the variable or the flag. */
export type SettingsSource = {
  kind: SourceKind
  place: string
  /** The folder that a relative path starts from; null for the one where zotui was started. */
  folder: string | null
}

export type Layer = {
  values: Partial<Settings>
  /** The place of each value. */
  places: ReadonlyMap<SettingName, string>
  /** The folder that relative paths in it count from; null for where zotui was started. */
  folder: string | null
  /** The permission rules, broken ones included. Those of variables and flags are only in `values`. */
  rules?: readonly Omit<WrittenRule, 'source'>[]
}

export type Layers = Readonly<Record<Exclude<SourceKind, 'default'>, Layer>>

export type ResolvedSettings = {
  values: Settings
  sources: Readonly<Record<SettingName, SettingsSource>>
  /** The settings in the project's file that hold only where the user trusts the project. */
  needingTrust: readonly SettingName[]
}

export const noLayer: Layer = { values: {}, places: new Map(), folder: null }

const weakestFirst = ['user', 'project', 'environment', 'flag'] as const

/** Puts the layers on top of each other. */
export function resolveSettings(layers: Layers, isTrusted: () => boolean): ResolvedSettings {
  const values = { ...defaultSettings }
  const sources = Object.fromEntries(
    settingNames.map(name => [name, { kind: 'default', place: '', folder: null }]),
  ) as Record<SettingName, SettingsSource>
  const needing = needingTrust(layers.project.values, { ...values, ...layers.user.values })
  for (const kind of weakestFirst) {
    const layer = layers[kind]
    for (const name of namesIn(layer.values)) {
      if (kind === 'project' && (isYours(name) || (needing.includes(name) && !isTrusted()))) continue
      if (name === 'hooks') values.hooks = withHooks(values.hooks, layer.values.hooks ?? {})
      else if (name === 'mcp') values.mcp = { ...values.mcp, ...layer.values.mcp }
      else
        Object.assign(values, {
          [name]: isAdded(name) ? [...values[name], ...(layer.values[name] ?? [])] : layer.values[name],
        })
      sources[name] = { kind, place: layer.places.get(name) ?? '', folder: layer.folder }
    }
  }
  return { values, sources, needingTrust: needing }
}

function namesIn(values: Partial<Settings>): SettingName[] {
  return settingNames.filter(name => values[name] !== undefined)
}

/** The project's settings that are ignored until the user, who has `own`, trusts the project. */
export function needingTrust(project: Partial<Settings>, own: Settings): SettingName[] {
  return namesIn(project).filter(name => {
    const value = project[name]
    if (value === undefined || isYours(name) || isDeepStrictEqual(value, own[name])) return false
    return !allowedUntrusted(name, value, own[name])
  })
}

/** These are added to those of the other sources, and replace none: a project cannot take a user's deny rule away. */
function isAdded(name: SettingName): name is RuleEffect | 'sandboxHide' {
  return name === 'sandboxHide' || ruleEffects.some(effect => effect === name)
}

/** All permission rules. A project that is not trusted can only make it stricter. */
export function rulesOf(layers: Layers, trusted: boolean): WrittenRule[] {
  return weakestFirst.flatMap(source => {
    const layer = layers[source]
    const written =
      layer.rules ??
      ruleEffects.flatMap(effect =>
        (layer.values[effect] ?? []).map((text): Omit<WrittenRule, 'source'> => ({
          effect,
          text,
          place: layer.places.get(effect) ?? source,
        })),
      )
    const own = source === 'project' && !trusted ? written.filter(({ effect }) => effect !== 'allow') : written
    return own.map(({ effect, text, place, broken }) => ({ effect, text, place, broken, source }))
  })
}

/** A hook and where it is written. */
export type WrittenHook = {
  event: HookEvent
  /** Null for everything. */
  matcher: string | null
  command: string
  /** In milliseconds. */
  timeout: number
  source: SourceKind
  place: string
  /** False for one of a project that is not trusted: it does not run. */
  isTrusted: boolean
}

/** The hooks of all layers: none replaces those of another. */
export function hooksOf(layers: Layers, isProjectTrusted: () => boolean): WrittenHook[] {
  const written = weakestFirst.flatMap(source => {
    const { values, places } = layers[source]
    if (!values.hooks) return []
    const isTrusted = source !== 'project' || isProjectTrusted()
    return hookEvents.flatMap(event =>
      (values.hooks?.[event] ?? []).flatMap(group =>
        group.hooks.map(hook => ({
          event,
          matcher: group.matcher ?? null,
          command: hook.command,
          timeout: (hook.timeout ?? HOOK_TIMEOUT) * 1000,
          source,
          place: places.get('hooks') ?? source,
          isTrusted,
        })),
      ),
    )
  })
  return hookEvents.flatMap(event => written.filter(hook => hook.event === event))
}
