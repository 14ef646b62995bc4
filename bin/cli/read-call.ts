import meow from 'meow'
import { callOf } from './command-words.ts'
import type { CommandCall, ProgramCommand } from './command.ts'
import { checkFlags, reading } from './flag-reading.ts'
import { flagRows, flagsOf } from './flags.ts'

/**
 * Reads the arguments after the command's name. Null if they ask for help.
 *
 * @throws UserError with exit code 2 for a mistake in them.
 */
export function readCall(command: ProgramCommand, argv: readonly string[]): CommandCall | null {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const checked = checkFlags(argv.slice(0, end), flagsOf(command), command.name)
  const { flags, input } = meow({ ...reading, argv: checked.argv, flags: flagRows(command) })
  return flags['help'] === true ? null : callOf(command, [...input, ...argv.slice(end + 1)], flags)
}
