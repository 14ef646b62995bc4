import { slashCommand } from '../slash-command.ts'

export const rewind = slashCommand({
  name: 'rewind',
  aliases: ['jump'],
  argument: '[text]',
  completes: { choices: () => [{ label: 'undo', detail: 'undoes the last restore of files' }] },
  help: 'go back to an earlier prompt and its files; undo: revert the last restore',
  group: 'conversation',
  needs: ['session'],
  needsIdle: true,
  run: ({ branching }, argument) => branching.rewind(argument),
})
