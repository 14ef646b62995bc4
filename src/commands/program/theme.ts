import type { CommandApp } from '../../app/command-app.ts'
import { inUse, type ArgumentChoice } from '../../state/completion/argument-completer.ts'
import type { AppState } from '../../state/state.ts'
import { askArgument } from '../ask-argument.ts'
import { slashCommand } from '../slash-command.ts'

export const theme = slashCommand({
  name: 'theme',
  aliases: ['themes', 'colors'],
  argument: '[name]',
  completes: { choices: themeChoices, files: true },
  help: 'switch the colours',
  group: 'program',
  needs: ['themes'],
  run: (app, argument) => (argument === '' ? askArgument(theme, app) : useTheme(app, argument)),
})

function themeChoices({ themes }: AppState): ArgumentChoice[] {
  return themes.offered.map(({ name, detail }) => ({
    label: name,
    detail: [inUse(name, themes.used), detail].filter(part => part !== '').join(': '),
    isInUse: name === themes.used,
  }))
}

function useTheme({ context }: CommandApp, name: string): void {
  const reply = context.useTheme?.(name)
  if (reply?.ok === false) return context.addProgramNotice('error', reply.message, reply.hint)
  context.dispatch({ type: 'theme_used', name })
  context.hint(`Switched the theme to ${name}.`)
  for (const warning of reply?.warnings ?? []) context.addProgramNotice('warn', `Ignored in theme: ${warning}`)
}
