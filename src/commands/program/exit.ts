/** `/exit`: asks only if a conversation that is not shown works, or one could continue in the background. */
import type { CommandApp } from '../../app/command-app.ts'
import { othersAtWork } from '../../state/conversations/conversations.ts'
import { sentence } from '../../text/sentence.ts'
import { slashCommand } from '../slash-command.ts'

export const exit = slashCommand({
  name: 'exit',
  aliases: ['quit', 'q'],
  help: 'exit',
  group: 'program',
  run({ context, choicePrompt, leave }) {
    const { backend, conversations, state } = context
    const working = conversations?.movable() ?? []
    const others = othersAtWork(state())
    if (working.length + others === 0) return void leave()
    const count = Math.max(working.length, others + (state().chat.open === null || backend.holder ? 0 : 1))
    const stopped = count - working.length
    const one = count === 1
    const moves = {
      label: 'continue in the background',
      detail: `${one ? 'its turn is' : 'their turns are'} interrupted, and ${one ? 'continues' : 'continue'} there${stopped > 0 ? `; ${stopped} cannot, and ${stopped === 1 ? 'stops' : 'stop'}` : ''}`,
      run: () => void leaveBehind(context, working, leave),
    }
    choicePrompt.ask({
      title: one ? 'a conversation is still working' : `${count} conversations are still working`,
      answers: [
        ...(working.length === 0 ? [] : [moves]),
        {
          label: one ? 'stop it' : 'stop all',
          detail: '/resume continues what is saved',
          run: () => void leave(),
        },
        { label: 'cancel', detail: 'stay here', run: () => undefined },
      ],
    })
  },
})

async function leaveBehind(
  { conversations, addNotice, hint }: CommandApp['context'],
  working: readonly number[],
  leave: CommandApp['leave'],
): Promise<void> {
  hint('Continuing in the background.')
  const replies = await Promise.all(working.map(async number => conversations?.move(number)))
  const failed = replies.find(reply => reply?.ok === false)
  if (failed?.ok === false) addNotice('error', `zotui did not exit: ${sentence(failed.message)}`, '/exit asks again.')
  else void leave()
}
