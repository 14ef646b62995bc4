/** Describes the project settings that are ignored. Pure. */
import { truncate } from '../../text/lines/shorten.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { countHooks } from '../hooks.ts'
import type { SettingName } from '../schema.ts'
import type { SettingsStore } from '../settings.ts'
import { shownValue } from '../typed.ts'

/** In columns. A file may hold a value of any length. */
const LONGEST = 40

/** The settings with the values in the project's file: `zot = ./zot, model = x`. */
export function projectValues(
  names: readonly SettingName[],
  { projectValue }: Pick<SettingsStore, 'projectValue'>,
): string {
  return names
    .map(name => {
      if (name === 'hooks') return `hooks = ${countHooks(projectValue(name) ?? {})} commands (/hooks lists them)`
      if (name === 'mcp') return `mcp = ${Object.keys(projectValue(name) ?? {}).length} servers (/mcp lists them)`
      const value = oneLine(sanitize(shownValue(projectValue(name) ?? null)))
      return `${name} = ${truncate(value, LONGEST, '...')}`
    })
    .join(', ')
}

/** The settings that are ignored because the project is not trusted, and how to trust it; null where none are. */
export function ignoredWords({ ignored }: Pick<SettingsStore, 'ignored'>): string | null {
  const names = ignored()
  if (names.length === 0) return null
  return `Ignored in .zotui/config.json until you trust this project (/settings trust): ${names.join(', ')}.`
}
