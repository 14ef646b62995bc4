/** The list of arguments for a command that was typed without one. */
import { argumentCompleters } from '../../state/completion/arguments.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { CommandName } from '../../state/slash.ts'

export type ArgumentPicker = {
  /** Asks for the argument of a command, and runs the command with it. */
  choose: (name: CommandName) => void
}

export function createArgumentPicker(
  { state }: Pick<AppContext, 'state'>,
  choicePrompt: ChoicePrompt,
  command: (name: CommandName, argument: string) => void,
): ArgumentPicker {
  return {
    choose(name) {
      const choices = argumentCompleters[name]?.choices?.(state(), '') ?? []
      const answers = choices.map(({ label, detail }) => ({ label, detail, run: () => command(name, label) }))
      const inUse = choices.findIndex(({ isInUse }) => isInUse === true)
      const selected = Math.max(0, inUse)
      choicePrompt.ask({ title: name, answers, selected })
    },
  }
}
