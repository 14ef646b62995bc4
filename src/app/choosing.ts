/** The list of what a command may be given, for one that was given nothing. */
import { argumentCompleters } from './arguments.ts'
import type { Asking } from './asking.ts'
import type { Context } from './context.ts'
import type { CommandName } from './slash.ts'

export type Choosing = {
  /** Asks which of its arguments the command is meant with, and carries it out with that. */
  choose: (name: CommandName) => void
}

export function createChoosing(
  { state }: Pick<Context, 'state'>,
  asking: Asking,
  command: (name: CommandName, argument: string) => void,
): Choosing {
  return {
    choose(name) {
      const choices = argumentCompleters[name]?.choices?.(state(), '') ?? []
      const answers = choices.map(choice => ({ ...choice, run: () => command(name, choice.label) }))
      const selected = Math.max(
        0,
        choices.findIndex(({ detail }) => detail.startsWith('in use')),
      )
      asking.ask({ title: name, answers, selected })
    },
  }
}
