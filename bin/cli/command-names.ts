/** The names of the subcommands. Each start reads them, so the build writes them out here, without the table (`scripts/split-commands.ts`). */
import type { ProgramCommand } from './command.ts'
import { commands } from './commands.ts'

export const commandNames: readonly Pick<ProgramCommand, 'name' | 'words'>[] = commands
