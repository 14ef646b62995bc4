/** Checks the flags on a command line by the table in `flags.ts`, before meow reads them. */
import { UserError } from '../../src/platform/errors.ts'
import { nearest } from '../../src/text/nearest.ts'
import { allFlags, negatives, type NamedFlag } from './flags.ts'

const byName = new Map(allFlags.map(flag => [`--${flag.name}`, flag]))
const NEGATIVES: ReadonlySet<string> = new Set(Object.keys(negatives).map(name => `--${name}`))
const SHORT: ReadonlySet<string> = new Set(allFlags.flatMap(({ shortFlag }) => (shortFlag ? [`-${shortFlag}`] : [])))
/** The flags with an optional value, by their letters: each is read like its name. */
const VALUE_OR_NONE: ReadonlyMap<string, string> = new Map(
  allFlags.flatMap(flag => (flag.isOptional === true ? [[`-${flag.shortFlag}`, `--${flag.name}`]] : [])),
)

export function flagNamed(name: string): NamedFlag | undefined {
  return byName.get(name)
}

export function usage(message: string): UserError {
  return new UserError(message, '`zotui --help` lists all flags.', 2)
}

/**
 * Checks each flag and joins it with its value, so that a value may begin with a dash where that makes sense. `names` are
 * the given flags. A flag that meow would read as the opposite of another one (`--no-x`) is in `names` only.
 */
export function readFlags(argv: readonly string[]): { argv: string[]; names: string[] } {
  const joined: string[] = []
  const names: string[] = []
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? ''
    const match = /^(--[^=]+)(?:=([\s\S]*))?$/.exec(VALUE_OR_NONE.get(argument) ?? argument)
    if (!match) {
      const isText = !argument.startsWith('-') || argument === '-'
      if (!isText && !SHORT.has(argument)) throw noFlag(argument)
      joined.push(argument)
      continue
    }
    const name = match[1] ?? ''
    const own = match[2]
    const flag = byName.get(name)
    if (!flag) throw noFlag(argument)
    const isValued = flag.type === 'string'
    if (isValued && flag.isMultiple !== true && names.includes(name)) throw usage(`${name} was given twice.`)
    names.push(name)
    if (!isValued) {
      if (own !== undefined) throw usage(`${name} takes no value.`)
      if (!NEGATIVES.has(name)) joined.push(argument)
      continue
    }
    if (flag.isOptional === true && own === undefined && (argv[index + 1] ?? '-').startsWith('-')) {
      joined.push(`${name}=""`)
      continue
    }
    const value = own ?? argv[(index += 1)]
    const wrong = value === '' || (own === undefined && value?.startsWith('--'))
    const isFree = flag.isText === true || (flag.isOptional === true && value === '')
    if (value === undefined || (wrong && !isFree)) throw usage(`${name} needs a value.`)
    // meow removes one pair of quotes around a value.
    joined.push(`${name}="${value}"`)
  }
  return { argv: joined, names }
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
