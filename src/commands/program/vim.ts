import { slashCommand } from '../slash-command.ts'

export const vim = slashCommand({
  name: 'vim',
  help: 'turn vim keys on or off in the composer (setting editor)',
  group: 'program',
  run: app => app.vim.toggle(),
})
