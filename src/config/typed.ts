/** Values as people write them without JSON: in a variable or typed. Pure. */
import { parseJson } from '../text/json.ts'
import { suggestedChoice } from './document/suggestions.ts'
import { checkSetting, settingNames, type SettingName, type Settings } from './schema.ts'
import { lookup } from '../text/lookup.ts'

const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['yes', true],
  ['on', true],
  ['0', false],
  ['false', false],
  ['no', false],
  ['off', false],
])

/** Reads a text as the kind of value that the setting takes: a number, a switch, `none`, a comma-separated list, an object of JSON, or text. */
export function readTyped(name: SettingName, typed: string): ReturnType<typeof checkSetting> {
  const text = typed.trim()
  const list = text === 'none' ? [] : text.split(',').flatMap(part => (part.trim() === '' ? [] : [part.trim()]))
  const json = text.startsWith('{') ? parseJson(text) : text
  const readings = [text === 'none' ? null : text, Number(text || NaN), SWITCHES.get(text.toLowerCase()), list, json]
  for (const reading of readings) {
    const checked = checkSetting(name, reading)
    if (checked.ok) return checked
  }
  const checked = checkSetting(name, json)
  return checked.ok ? checked : { ok: false, reason: `${checked.reason}${suggestedChoice(name, text)}` }
}

/** A value as a user would write it. */
export function shownValue(value: Settings[SettingName]): string {
  if (value === null) return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'none' : JSON.stringify(value)
  return String(value)
}

export type SettingsEnvironment = Readonly<Record<string, string | undefined>>

/** The variable of a setting: `ZOTUI_COMPACT_AT` for compactAt, and the common `NO_COLOR` for color. */
export function variableOf(name: SettingName): string {
  return name === 'color' ? 'NO_COLOR' : `ZOTUI_${name.replaceAll(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}`
}

export type SettingsOfVariables = {
  values: Partial<Settings>
  /** The variable of each value. */
  names: ReadonlyMap<SettingName, string>
  /** Mistakes, one line each. */
  notices: string[]
}

/** Reads the settings in the environment. Empty variables are ignored. */
export function readVariables(env: SettingsEnvironment): SettingsOfVariables {
  const values: Partial<Settings> = {}
  const names = new Map<SettingName, string>()
  const notices: string[] = []
  for (const name of settingNames) {
    const variable = variableOf(name)
    const text = lookup(env, variable) ?? ''
    if (text === '' || name === 'color') continue
    const checked = readTyped(name, text)
    if (checked.ok) Object.assign(values, checked.value)
    if (checked.ok) names.set(name, variable)
    else notices.push(`${variable} ${checked.reason}`)
  }
  const color = colorVariable(env)
  if (color) values.color = color.on
  if (color) names.set('color', color.name)
  return { values, names, notices }
}

/** `FORCE_COLOR` overrides `NO_COLOR`, as in Node. */
function colorVariable(env: SettingsEnvironment): { name: string; on: boolean } | null {
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return { name: 'FORCE_COLOR', on: forced !== '0' && forced !== 'false' }
  return env['NO_COLOR'] ? { name: 'NO_COLOR', on: false } : null
}
