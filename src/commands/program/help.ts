import { helpText } from '../../state/help.ts'
import { slashCommand } from '../slash-command.ts'

export const help = slashCommand({
  name: 'help',
  aliases: ['keys', 'hotkeys', 'shortcuts', '?'],
  argument: '[debug]',
  completes: { choices: () => [{ label: 'debug', detail: 'shows what the terminal sends for each key' }] },
  help: 'keys and commands; /keys debug: what your keys send',
  group: 'program',
  run({ context, keyDebug }, argument) {
    if (argument === 'debug') return keyDebug.start()
    context.show(helpText(context.keymap.bindings, context.commands()))
  },
})
