/** Runs slash commands, once all parts of the conversation exist. */
import { isReplaced } from '../../platform/errors.ts'
import { NOT_DONE } from '../../state/slash.ts'
import { withPaths } from '../../state/composer/chips.ts'
import { commandEntry, entryText } from '../../state/composer/queue-entry.ts'
import { replacedNotice } from '../context/replaced.ts'
import type { AppContext } from '../context/context.ts'
import type { Composing } from '../composer/composing.ts'

/** Carries out a command. `argument` has paths in place of chips, `typed` is the argument as it was typed. */
type CarryOut = (name: string, argument: string, typed: string) => unknown

export type CommandRunner = {
  /** Called once, before the first command. */
  define: (carryOut: CarryOut) => void
  /** `line` is what was typed for it; null if it was not typed. */
  run: (name: string, argument: string, line: string | null) => void
}

export type CommandRunnerParts = {
  context: AppContext
  composing: Pick<Composing, 'giveBack'>
  /** Called after each command. */
  onDone: () => void
}

export function createCommandRunner({ context, composing, onDone }: CommandRunnerParts): CommandRunner {
  const { state, naming, addProgramNotice } = context
  let carryOut: CarryOut | null = null

  return {
    define(defined) {
      carryOut = defined
    },
    run: (name, argument, line) => void run(name, argument, line),
  }

  async function run(name: string, typed: string, line: string | null): Promise<void> {
    const shown = withPaths(entryText(commandEntry(name, typed)), state().chips)
    const outcome = await naming.during(shown, async () => carriedOut(name, typed))
    if (outcome === NOT_DONE && line !== null) composing.giveBack(line)
    onDone()
  }

  async function carriedOut(name: string, typed: string): Promise<unknown> {
    try {
      return await carryOut?.(name, withPaths(typed, state().chips), typed)
    } catch (error) {
      if (!isReplaced(error)) throw error
      addProgramNotice(...replacedNotice)
      return NOT_DONE
    }
  }
}
