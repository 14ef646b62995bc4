import meow from 'meow'
import { reading } from './flag-reading.ts'
import { flags } from './flags.ts'

/** Reads flags that were checked, and words. */
export function readWithMeow(argv: readonly string[]) {
  const { flags: given, input } = meow({ ...reading, argv, flags })
  return { given, input }
}

export type ReadFlags = ReturnType<typeof readWithMeow>
