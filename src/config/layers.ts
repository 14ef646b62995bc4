/** Which of several values holds: flags beat the environment, that the project, that the person's own file. Pure. */
import { isThemeFile } from '../theme/file-name.ts'
import { defaultSettings, settingNames, type SettingName, type Settings } from './schema.ts'

export type SourceKind = 'default' | 'user' | 'project' | 'environment' | 'flag'

/** Where a value comes from; `place` is the line, the variable or the flag. */
export type Source = { kind: SourceKind; place: string }

export type Layer = {
  values: Partial<Settings>
  /** The place of each value. */
  places: ReadonlyMap<SettingName, string>
}

export type Layers = Readonly<Record<Exclude<SourceKind, 'default'>, Layer>>

export type Resolved = {
  values: Settings
  sources: Readonly<Record<SettingName, Source>>
  /** What of the project's file does not hold, because the person has not trusted the folder. */
  heldBack: readonly SettingName[]
}

export const noLayer: Layer = { values: {}, places: new Map() }

const weakestFirst = ['user', 'project', 'environment', 'flag'] as const

/** Puts the layers on top of each other. */
export function resolveSettings(layers: Layers, trusted: boolean): Resolved {
  const values = { ...defaultSettings }
  const sources = Object.fromEntries(settingNames.map(name => [name, { kind: 'default', place: '' }])) as Record<
    SettingName,
    Source
  >
  const wanted = needingTrust(layers.project.values, { ...values, ...layers.user.values })
  const heldBack = trusted ? [] : wanted
  for (const kind of weakestFirst) {
    const layer = layers[kind]
    for (const name of namesIn(layer.values)) {
      if (kind === 'project' && heldBack.includes(name)) continue
      Object.assign(values, { [name]: layer.values[name] })
      sources[name] = { kind, place: layer.places.get(name) ?? '' }
    }
  }
  return { values, sources, heldBack }
}

export function namesIn(values: Partial<Settings>): SettingName[] {
  return settingNames.filter(name => values[name] !== undefined)
}

/**
 * What a project may not say by itself: what runs a program, reads a file, sends the conversation somewhere else, deletes,
 * or takes a bound away. To be stricter than the person is needs no trust.
 */
export function needingTrust(project: Partial<Settings>, own: Settings): SettingName[] {
  const { maxCostUsd: limit = own.maxCostUsd, retentionDays: days = own.retentionDays } = project
  const needs: Partial<Record<SettingName, boolean>> = {
    zot: true,
    theme: isThemeFile(project.theme ?? ''),
    provider: true,
    model: true,
    updateNotice: project.updateNotice === true,
    readOnly: project.readOnly === false,
    maxCostUsd: limit === null || (own.maxCostUsd !== null && limit > own.maxCostUsd),
    retentionDays: days !== 0 && (own.retentionDays === 0 || days < own.retentionDays),
  }
  return namesIn(project).filter(name => needs[name] === true && project[name] !== own[name])
}
