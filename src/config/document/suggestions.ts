/** Suggestions for unknown settings and values. Pure. */
import { didYouMean } from './did-you-mean.ts'
import { bareName } from '../keys/action-name.ts'
import { choicesOf, settingNames, type SettingName } from '../schema.ts'

const bareNames = (): ReadonlyMap<string, SettingName> => new Map(settingNames.map(name => [bareName(name), name]))

/** The setting of this name, written in any case, with or without dashes. */
export function suggestedName(written: string): SettingName | null {
  return bareNames().get(bareName(written)) ?? null
}

/** The message for an unknown setting, with the most similar one. */
export function unknownSetting(written: string): string {
  const names = bareNames()
  return `there is no setting ${written}${didYouMean(bareName(written), names.keys(), near => names.get(near) ?? near)}`
}

/** A suggestion for a value that a setting does not take; empty where no value is similar. */
export function suggestedChoice(name: SettingName, value: unknown): string {
  return typeof value === 'string' ? didYouMean(value, choicesOf(name) ?? []) : ''
}
