/** What was probably meant by a name or a word that there is not. Pure. */
import { nearest } from '../text/nearest.ts'
import { choicesOf, settingNames, type SettingName } from './schema.ts'

const bare = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')
const names: ReadonlyMap<string, SettingName> = new Map(settingNames.map(name => [bare(name), name]))

/** The setting that is written like this in any case, with or without dashes. */
export function suggestedName(written: string): SettingName | null {
  return names.get(bare(written)) ?? null
}

/** Says that there is no setting of this name, and which one may be meant. */
export function unknownSetting(written: string): string {
  const near = names.get(nearest(bare(written), [...names.keys()]) ?? '')
  return `there is no setting ${written}${near === undefined ? '' : `; did you mean ${near}?`}`
}

/** Which of the words a setting may be was probably meant. */
export function suggestedChoice(name: SettingName, value: unknown): string {
  const near = typeof value === 'string' ? nearest(value.toLowerCase(), choicesOf(name) ?? []) : null
  return near === null ? '' : `; did you mean ${near}?`
}
