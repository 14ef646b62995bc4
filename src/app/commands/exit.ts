/** Asks what to do with working conversations on exit. */
import { sentence } from '../../text/sentence.ts'
import { othersAtWork } from '../../state/conversations/conversations.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'

/** Asks only if a conversation that is not shown works, or one could continue in the background. `leave` ends all and exits. */
export function exitCommand(
  {
    backend,
    conversations,
    announce,
    hint,
    state,
  }: Pick<AppContext, 'backend' | 'conversations' | 'announce' | 'hint' | 'state'>,
  choicePrompt: Pick<ChoicePrompt, 'ask'>,
  leave: () => void,
): () => void {
  return () => {
    const working = conversations?.movable() ?? []
    const others = othersAtWork(state())
    if (working.length + others === 0) return leave()
    const count = Math.max(working.length, others + (state().chat.open === null || backend.holder ? 0 : 1))
    const stopped = count - working.length
    const one = count === 1
    const moves = {
      label: 'continue in the background',
      detail: `${one ? 'its turn is' : 'their turns are'} interrupted, and ${one ? 'continues' : 'continue'} there${stopped > 0 ? `; ${stopped} cannot, and ${stopped === 1 ? 'stops' : 'stop'}` : ''}`,
      run: () => void leaveBehind(working),
    }
    choicePrompt.ask({
      title: one ? 'a conversation is still working' : `${count} conversations are still working`,
      answers: [
        ...(working.length === 0 ? [] : [moves]),
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
