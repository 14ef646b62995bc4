import { dashed, flags, type FlagRow } from './flags.ts'
import type { ReadFlags } from './meow-flags.ts'

const named = new Map<string, [name: string, flag: FlagRow]>(
  Object.entries(flags).map(([name, flag]) => [dashed(name), [name, flag]]),
)

/**
 * Reads flags that were checked, as meow does; null if there are words. Most starts have none, and meow takes as long to load and
 * to read them as drawing the first frame.
 */
export function readPlainFlags(argv: readonly string[]): ReadFlags | null {
  const given: Record<string, string | true | string[]> = {}
  for (const [name, { isMultiple }] of named.values()) if (isMultiple) given[name] = []
  for (const argument of argv) {
    const [, word = '', value] = /^--([^=]+)(?:="([\s\S]*)")?$/.exec(argument) ?? []
    const [name, flag] = named.get(word) ?? []
    if (name === undefined || (flag?.type === 'string') !== (value !== undefined)) return null
    const before = given[name]
    if (Array.isArray(before)) before.push(value ?? '')
    else given[name] = value ?? true
  }
  return { given: given as ReadFlags['given'], input: [] }
}
