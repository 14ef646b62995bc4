/** Loads what a command does. The build puts imports on demand in the place of this file (`scripts/split-commands.ts`). */
import type { Subcommand } from './command.ts'
import { commands } from './commands.ts'

/** @param name that of a command in the table */
export async function loadCommand(name: string): Promise<Pick<Subcommand, 'run'>> {
  const command = commands.find(each => each.name === name)
  if (!command) throw new Error(`there is no command ${name}`)
  return command
}
