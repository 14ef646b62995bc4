import type { Arguments } from './argument-types.ts'
import type { PromptRun } from '../wiring/answer-prompt.ts'
import type { FlagRows } from './flags.ts'

/** The arguments after the command's name. */
export type CommandCall = {
  /** The arguments that are not flags, in order. */
  words: readonly string[]
  /** Whether the flag is on the command line, by its name in camelCase. */
  has: (flag: string) => boolean
  /** The flag's value, null where it is missing. */
  value: (flag: string) => string | null
}

export type ProgramCommand = {
  name: string
  /** The names of its arguments in the help; one in brackets is optional. */
  takes: readonly string[]
  /** The possible values of its first argument, if they are known. */
  words?: readonly string[]
  summary: string
  flags: FlagRows
}

/**
 * A command with what it does. The build makes two of it (`scripts/split-commands.ts`): help and completion load the rest without
 * `run`, so the rest is written out and names nothing else of its file.
 */
export type Subcommand = ProgramCommand & { run: RunCommand }

/** Runs the command and resolves to the exit code. Throws a UserError for a problem that the user can fix. */
type RunCommand = (call: CommandCall, commands: readonly ProgramCommand[], start: Starting) => Promise<number>

/** How a command starts the program as `zotui [flags] [prompt]` does. */
export type Starting = {
  /** Reads such a command line. */
  parse: (argv: readonly string[]) => Promise<Arguments>
  /** Runs the program. Without the UI, `answer` takes the place of printing the answer. */
  run: (args: Arguments, argv: readonly string[], answer: PromptRun) => Promise<void>
}
