/** Reads the flags and words of a command line, by the table in `flags.ts`. */
import { UserError } from '../../src/platform/errors.ts'
import { nearest } from '../../src/text/nearest.ts'
import { allFlags, dashed, flags, negatives, type NamedFlag } from './flags.ts'

const byName: ReadonlyMap<string, NamedFlag> = new Map(
  allFlags.flatMap(flag => [
    [`--${flag.name}`, flag],
    ...(flag.shortFlag === undefined ? [] : [[`-${flag.shortFlag}`, flag] as const]),
  ]),
)

export type GivenFlags = {
  /** The arguments that are not flags, in order. */
  words: readonly string[]
  /** Whether the flag was given. */
  has: (name: keyof typeof flags | keyof typeof negatives) => boolean
  /** The flag's value, undefined if it was not given. An optional value that is missing is empty. */
  value: (name: keyof typeof flags) => string | undefined
  /** The values of a repeatable flag, undefined if it was not given. */
  values: (name: keyof typeof flags) => string[] | undefined
  /** The given flags that need a zot, as they are written. */
  forZot: readonly string[]
}

export function usage(message: string): UserError {
  return new UserError(message, '`zotui --help` lists all flags.', 2)
}

/**
 * Reads the arguments before `--`. The value of a flag may begin with a dash where that makes sense.
 *
 * @throws UserError with exit code 2 for an unknown flag, or a flag with a wrong or missing value.
 */
export function readFlags(argv: readonly string[]): GivenFlags {
  const words: string[] = []
  const given = new Map<NamedFlag, string[]>()
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? ''
    if (!argument.startsWith('-') || argument === '-') {
      words.push(argument)
      continue
    }
    const [, name = argument, inline] = /^(--[^=]+)(?:=([^]*))?$/.exec(argument) ?? []
    const flag = byName.get(name)
    if (!flag) throw noFlag(argument)
    const values = given.get(flag) ?? []
    given.set(flag, values)
    if (flag.type === 'boolean') {
      if (inline !== undefined) throw usage(`${name} takes no value.`)
    } else if (values.length > 0 && flag.isMultiple !== true) {
      throw usage(`--${flag.name} was given twice.`)
    } else if (flag.isOptional === true && inline === undefined && (argv[index + 1] ?? '-').startsWith('-')) {
      values.push('')
    } else {
      const value = inline ?? argv[(index += 1)]
      if (value === undefined || !fits(flag, value, inline !== undefined)) throw usage(`--${flag.name} needs a value.`)
      values.push(value)
    }
  }
  const valuesOf = (name: string): string[] | undefined => {
    const flag = byName.get(`--${dashed(name)}`)
    return flag && given.get(flag)
  }
  return {
    words,
    has: name => valuesOf(name) !== undefined,
    value: name => valuesOf(name)?.[0],
    values: valuesOf,
    forZot: [...given.keys()].filter(flag => flag.isForZot).map(flag => `--${flag.name}`),
  }
}

/** Whether the value can be meant: an empty one, or another flag in its place, is a mistake unless the flag takes any text. */
function fits({ isText, isOptional }: NamedFlag, value: string, isInline: boolean): boolean {
  if (isText === true || (isOptional === true && value === '')) return true
  return value !== '' && (isInline || !value.startsWith('--'))
}

/** The error for an unknown flag. An argument with spaces before any `=` is a prompt. */
function noFlag(argument: string): UserError {
  const name = argument.replace(/=[^]*$/, '')
  if (/\s/.test(name)) return usage('A prompt that begins with a dash needs --prompt.')
  // The dashes are the same for every flag, and would make short names look alike.
  const similar = nearest(
    name.replace(/^-+/, ''),
    allFlags.map(flag => flag.name),
  )
  return usage(`There is no flag ${name}.${similar === null ? '' : ` Did you mean --${similar}?`}`)
}
