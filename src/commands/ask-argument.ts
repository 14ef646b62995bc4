/** Asks for the argument of a command in a list of its completions, and runs the command with it. */
import type { AppCommand, CommandApp } from '../app/command-app.ts'

export function askArgument(
  { name, completes }: Pick<AppCommand, 'name' | 'completes'>,
  { context, choicePrompt, turns }: CommandApp,
): void {
  const choices = completes?.choices?.(context.state(), '') ?? []
  const answers = choices.map(({ label, detail }) => ({ label, detail, run: () => turns.command(name, label) }))
  const selected = Math.max(
    0,
    choices.findIndex(({ isInUse }) => isInUse === true),
  )
  choicePrompt.ask({ title: name, answers, selected })
}
