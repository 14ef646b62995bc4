import { NOT_DONE } from '../../state/slash.ts'
import { openConversation, typedPrompt } from './open-conversation.ts'
import { slashCommand } from '../slash-command.ts'

export const another = slashCommand({
  name: 'another',
  argument: '[prompt]',
  help: 'open another conversation in this folder',
  group: 'program',
  needs: ['conversations'],
  async run({ context }, _argument, typed) {
    const number = await openConversation(context, { prompt: typedPrompt(context, typed), isShown: true })
    return number === null ? NOT_DONE : undefined
  },
})
