/** Runs slash commands, once all parts of the conversation exist. */
import { withPaths } from '../../state/composer/chips.ts'
import { commandEntry, entryText } from '../../state/composer/queue-entry.ts'
import type { AppContext } from '../context/context.ts'

/** Carries out a command. `argument` has paths in place of chips, `typed` is the argument as it was typed. */
type CarryOut = (name: string, argument: string, typed: string) => unknown

export type CommandRunner = {
  /** Called once, before the first command. */
  define: (carryOut: CarryOut) => void
  run: (name: string, argument: string) => void
}

/** `onDone` is called after each command. */
export function createCommandRunner({ state, naming }: AppContext, onDone: () => void): CommandRunner {
  let carryOut: CarryOut | null = null

  return {
    define(defined) {
      carryOut = defined
    },
    run: (name, argument) => void run(name, argument),
  }

  async function run(name: string, typed: string): Promise<void> {
    const line = withPaths(entryText(commandEntry(name, typed)), state().chips)
    await naming.during(line, async () => carryOut?.(name, withPaths(typed, state().chips), typed))
    onDone()
  }
}
