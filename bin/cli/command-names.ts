/**
 * The names of the subcommands, with the words that they take first. The build writes them out (`scripts/split-commands.ts`), so that a
 * start without a subcommand does not load the table of them.
 */
import { commands } from './commands.ts'

export const commandNames: readonly { name: string; words?: readonly string[] }[] = commands.map(({ name, words }) =>
  words ? { name, words } : { name },
)
