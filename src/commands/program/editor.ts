import { slashCommand } from '../slash-command.ts'

export const editor = slashCommand({
  name: 'editor',
  aliases: ['edit'],
  argument: '[text]',
  help: 'edit the prompt in $VISUAL or $EDITOR',
  group: 'program',
  needs: ['host'],
  run: ({ editDraft }, text) => void editDraft(text),
})
