import { describeSetting } from '../../config/descriptions.ts'
import { settingNames } from '../../config/schema.ts'
import { slashCommand } from '../slash-command.ts'

export const settings = slashCommand({
  name: 'settings',
  aliases: ['config'],
  argument: '[name] [value]',
  completes: { choices: () => settingNames.map(name => ({ label: name, detail: describeSetting(name) })) },
  help: 'show and change settings, and where they come from',
  group: 'program',
  run: ({ settingsCommand }, argument) => settingsCommand.open(argument),
})
