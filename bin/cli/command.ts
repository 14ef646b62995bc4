import type { Arguments } from './arguments.ts'
import type { CommandCall, ProgramCommand } from './commands.ts'

/** Runs the command and resolves to the exit code. Throws a UserError for a problem that the user can fix. */
export type RunCommand = (
  call: CommandCall,
  commands: readonly ProgramCommand[],
  /** Reads a command line of `zotui [flags] [prompt]`. */
  parse: (argv: readonly string[]) => Promise<Arguments>,
) => Promise<0 | 1>
