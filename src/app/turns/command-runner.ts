/** Runs slash commands. Their effects are defined once all parts of the program exist. */
import { withPaths } from '../../state/composer/chips.ts'
import { commandEntry, entryText } from '../../state/composer/queue-entry.ts'
import type { CommandName } from '../../state/slash.ts'
import type { AppContext } from '../context/context.ts'

/** The effect of a command. `argument` has paths in place of chips, `typed` is the argument as it was typed. */
type CommandRow = (argument: string, typed: string) => unknown
export type CommandRows = Record<CommandName, CommandRow>

export type CommandRunner = {
  /** Called once, before the first command. */
  define: (rows: CommandRows) => void
  run: (name: CommandName, argument: string) => void
}

/** `onDone` is called after each command. */
export function createCommandRunner({ state, naming }: AppContext, onDone: () => void): CommandRunner {
  let rows: CommandRows | null = null

  return {
    define(filled) {
      rows = filled
    },
    run: (name, argument) => void run(name, argument),
  }

  async function run(name: CommandName, typed: string): Promise<void> {
    const line = withPaths(entryText(commandEntry(name, typed)), state().chips)
    await naming.during(line, async () => rows?.[name](withPaths(typed, state().chips), typed))
    onDone()
  }
}
