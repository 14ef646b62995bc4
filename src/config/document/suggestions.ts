/** Suggestions for unknown settings and values. Pure. */
import { didYouMean } from './did-you-mean.ts'
import { choicesOf, settingNames, type SettingName } from '../schema.ts'

const bare = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')
const bareNames = (): ReadonlyMap<string, SettingName> => new Map(settingNames.map(name => [bare(name), name]))

/** The setting of this name, written in any case, with or without dashes. */
export function suggestedName(written: string): SettingName | null {
  return bareNames().get(bare(written)) ?? null
}

/** The message for an unknown setting, with the most similar one. */
export function unknownSetting(written: string): string {
  const names = bareNames()
  return `there is no setting ${written}${didYouMean(bare(written), names.keys(), near => names.get(near) ?? near)}`
}

/** A suggestion for a value that a setting does not take; empty where no value is similar. */
export function suggestedChoice(name: SettingName, value: unknown): string {
  return typeof value === 'string' ? didYouMean(value, choicesOf(name) ?? []) : ''
}
