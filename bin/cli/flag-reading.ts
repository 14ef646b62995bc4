/**
 * Checks the flags of the program and of its commands before `readPlainFlags` or meow reads them. meow would exit at
 * an unknown flag without a suggestion, take a value that begins with a dash for a flag, and accept a missing or
 * repeated value.
 */
import { UserError } from '../../src/platform/errors.ts'
import { nearest } from '../../src/text/spelling/nearest.ts'
import type { NamedFlag } from './flags.ts'

/** The options of meow for the flags of a command. */
export const reading = {
  importMeta: import.meta,
  // Without `pkg` meow searches for a package.json and reads it.
  pkg: { name: 'zotui' },
  // A missing flag is undefined, not false.
  booleanDefault: undefined,
  autoHelp: false,
  autoVersion: false,
  help: false,
} as const

/** A mistake in the arguments of the program, or of one of its commands. */
export function usage(message: string, command: string | null = null, hint = ''): UserError {
  const line = command === null ? 'zotui' : `zotui ${command}`
  return new UserError(message, `${hint} \`${line} --help\` lists all flags.`.trim(), 2)
}

/**
 * Checks each flag and joins it with its value, so that a value may begin with a dash where that makes sense. `names` are
 * the flags that were found. A flag that meow would read as the opposite of another one (`--no-x`) is in `names` only.
 *
 * @throws UserError with exit code 2 for a mistake in them.
 */
export function checkFlags(
  argv: readonly string[],
  flags: readonly NamedFlag[],
  command: string | null = null,
): { argv: string[]; names: string[] } {
  const byName = new Map(flags.map(flag => [`--${flag.name}`, flag]))
  const byLetter = new Map(flags.map(flag => [`-${flag.shortFlag ?? ''}`, flag]))
  const joined: string[] = []
  const names: string[] = []
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? ''
    if (!argument.startsWith('-') || argument === '-') {
      joined.push(argument)
      continue
    }
    const [, long, own] = /^(--[^=]+)(?:=([\s\S]*))?$/.exec(argument) ?? []
    const flag = long === undefined ? byLetter.get(argument.slice(0, 2)) : byName.get(long)
    // A value may follow its letter at once: `-fmd`.
    const attached = long === undefined ? argument.slice(2) || undefined : own
    if (!flag || (flag.type === 'boolean' && argument.length > 2 && long === undefined)) {
      throw usage(unknownFlag(argument, flags), command)
    }
    const name = `--${flag.name}`
    if (flag.type === 'string' && flag.isMultiple !== true && names.includes(name))
      throw usage(`${name} was given twice.`, command)
    names.push(name)
    if (flag.type === 'boolean') {
      if (attached !== undefined) throw usage(`${name} takes no value.`, command)
      if (!name.startsWith('--no-')) joined.push(name)
      continue
    }
    if (flag.isOptional === true && attached === undefined && (argv[index + 1] ?? '-').startsWith('-')) {
      joined.push(`${name}=""`)
      continue
    }
    const value = attached ?? argv[(index += 1)]
    const wrong = value === '' || (attached === undefined && value?.startsWith('--'))
    const isFree = flag.isText === true || (flag.isOptional === true && value === '')
    if (value === undefined || (wrong && !isFree)) throw usage(`${name} needs a value.`, command)
    // Both readers remove one pair of quotes around a value.
    joined.push(`${name}="${value}"`)
  }
  return { argv: joined, names }
}

/** The message about an unknown flag. An argument with spaces before any `=` is a prompt. */
function unknownFlag(argument: string, flags: readonly NamedFlag[]): string {
  const name = argument.replace(/=[^]*$/, '')
  if (/\s/.test(name)) return 'A prompt that begins with a dash needs --prompt.'
  // The dashes are the same for every flag, and would make short names look alike.
  const similar = nearest(
    name.replace(/^-+/, ''),
    flags.map(flag => flag.name),
  )
  return `There is no flag ${name}.${similar === null ? '' : ` Did you mean --${similar}?`}`
}
