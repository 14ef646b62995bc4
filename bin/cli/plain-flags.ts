import type { Result } from 'meow'
import { dashed, flags, type FlagRow } from './flags.ts'

const named = new Map<string, [name: string, flag: FlagRow]>(
  Object.entries(flags).map(([name, flag]) => [dashed(name), [name, flag]]),
)

export type ReadFlags = { values: Result<typeof flags>['flags']; input: string[] }

/**
 * Reads checked flags and words like meow, which would take as long as drawing the first frame. Unlike meow, it does not
 * take the word `true` after a flag without a value for its value.
 */
export function readPlainFlags(argv: readonly string[]): ReadFlags {
  const values = new Map<string, string | true | string[]>()
  const input: string[] = []
  for (const [name, { isMultiple }] of named.values()) if (isMultiple) values.set(name, [])
  for (const argument of argv) {
    const [, word = '', value] = /^--([^=]+)(?:="([^]*)")?$/.exec(argument) ?? []
    const [name] = named.get(word) ?? []
    if (name === undefined) {
      input.push(argument)
      continue
    }
    const before = values.get(name)
    if (Array.isArray(before)) before.push(value ?? '')
    else values.set(name, value ?? true)
  }
  return { values: Object.fromEntries(values) as ReadFlags['values'], input }
}
