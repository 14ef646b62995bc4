/** Asks what to do with working conversations on exit. */
import { sentence } from '../../text/sentence.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'

/** Asks only if a working conversation could continue in the background. `leave` ends all agents and exits. */
export function exitCommand(
  { conversations, announce, hint }: Pick<AppContext, 'conversations' | 'announce' | 'hint'>,
  choicePrompt: Pick<ChoicePrompt, 'ask'>,
  leave: () => void,
): () => void {
  return () => {
    const working = conversations?.movable() ?? []
    if (working.length === 0) return leave()
    const one = working.length === 1
    choicePrompt.ask({
      title: one ? 'a conversation is still working' : `${working.length} conversations are still working`,
      answers: [
        {
          label: 'continue in the background',
          detail: `${one ? 'its turn is' : 'their turns are'} interrupted, and ${one ? 'continues' : 'continue'} there`,
          run: () => void leaveBehind(working),
        },
        { label: one ? 'stop it' : 'stop all', detail: '/resume continues what is saved', run: leave },
        { label: 'cancel', detail: 'stay here', run: () => undefined },
      ],
    })
  }

  async function leaveBehind(working: readonly number[]): Promise<void> {
    hint('Continuing in the background.')
    const replies = await Promise.all(working.map(async number => conversations?.move(number)))
    const failed = replies.find(reply => reply?.ok === false)
    if (failed?.ok === false) announce('error', `zotui did not exit: ${sentence(failed.message)}`, '/exit asks again.')
    else leave()
  }
}
