import { slashCommand } from '../slash-command.ts'

export const btw = slashCommand({
  name: 'btw',
  aliases: ['aside'],
  argument: '[question]',
  help: 'ask a second agent while this one works; it is read-only; alone: shows its last answer',
  group: 'agent',
  needs: ['side'],
  run: ({ side }, argument) => side?.ask(argument),
})
