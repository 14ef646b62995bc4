import { openConversation, typedPrompt } from './open-conversation.ts'
import { slashCommand } from '../slash-command.ts'

export const another = slashCommand({
  name: 'another',
  argument: '[prompt]',
  help: 'open another conversation in this folder',
  group: 'program',
  needs: ['conversations'],
  run: ({ context }, _argument, typed) =>
    openConversation(context, { prompt: typedPrompt(context, typed), isShown: true }),
})
