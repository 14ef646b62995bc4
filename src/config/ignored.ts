/** What of a project's settings does not hold, in words. Pure. */
import { truncate } from '../text/shorten.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'
import type { SettingName } from './schema.ts'
import type { SettingsStore } from './settings.ts'
import { shownValue } from './typed.ts'

/** Columns of a value: a file may say anything. */
const LONGEST = 40

/** The settings with what the project's file wants of them: `zot = ./zot, model = x`. */
export function wantedWords(
  names: readonly SettingName[],
  { wantedByProject }: Pick<SettingsStore, 'wantedByProject'>,
): string {
  return names
    .map(name => {
      const value = oneLine(sanitize(shownValue(wantedByProject(name) ?? null)))
      return `${name} = ${truncate(value, LONGEST, '...')}`
    })
    .join(', ')
}

/** Says what is left out because the project is not trusted, and how to trust it; null where nothing is. */
export function ignoredWords({ heldBack }: Pick<SettingsStore, 'heldBack'>): string | null {
  const names = heldBack()
  if (names.length === 0) return null
  return `Left out of .zotui/config.json until you trust this project (/settings trust): ${names.join(', ')}.`
}
