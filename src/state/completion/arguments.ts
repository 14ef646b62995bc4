/** The argument of a slash command at the caret, and the file that it may be. */
import { completionAt } from '../../composer/completion.ts'
import { withoutLines } from '../../composer/mentions.ts'
import { commandOf, type SlashCommand } from '../slash.ts'
import type { AppState } from '../state.ts'
import type { ArgumentCompleter, ArgumentSources } from './argument-completer.ts'

/** Called with each state: lets a completer load its values when its argument begins. */
export function createArgumentLoader(
  commands: () => readonly SlashCommand[],
  sources: ArgumentSources,
): (state: AppState) => void {
  let current: SlashCommand | null = null
  return state => {
    const at = argumentAt(state, commands())
    const command = at?.command ?? null
    if (command === current) return
    current = command
    at?.completer.load?.(sources)
  }
}

/** The argument at the caret, if it can be completed. */
export type ArgumentAt = { completer: ArgumentCompleter; command: SlashCommand; query: string }

export function argumentAt({ editor }: AppState, commands: readonly SlashCommand[]): ArgumentAt | null {
  const completion = completionAt(editor.text, editor.caret)
  if (completion?.kind !== 'slash-argument') return null
  const command = commandOf(completion.command, commands)
  const completer = command?.kind === 'built-in' ? command.completes : null
  return command && completer ? { completer, command, query: completion.query } : null
}

/** The file query at the caret: the text after an `@`, or an argument that may be a file and looks like a path. */
export function fileQueryAt(state: AppState, commands: readonly SlashCommand[]): string | null {
  const { text, caret } = state.editor
  const completion = completionAt(text, caret)
  if (completion?.kind === 'file') return withoutLines(completion.query).path
  const argument = argumentAt(state, commands)
  return argument?.completer.files === true && /[./]/.test(argument.query) ? argument.query : null
}
