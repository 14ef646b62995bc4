/** Asks whether a provider may have the results of tools that another provider's agent got. Without a yes they stay out of the memory. */
import { providerName, withheldFrom } from '../../../conversation/queries/session/result-owner.ts'
import { providerKey } from '../../../conversation/sharing.ts'
import type { ChoicePrompt } from '../../context/choice-prompt.ts'
import type { AppContext } from '../../context/context.ts'
import type { EventBatcher } from '../../events/batcher.ts'

export type SharingParts = {
  context: Pick<AppContext, 'state' | 'report' | 'now'>
  batcher: Pick<EventBatcher, 'subscribe'>
  choicePrompt: Pick<ChoicePrompt, 'ask' | 'review'>
}

/** Asks if the next prompt would go without such results. `onShared` is called after a yes. */
export type AskToShare = (onShared: () => void) => void

export function createSharing({ context, batcher, choicePrompt }: SharingParts): AskToShare {
  const { state, report, now } = context
  // The prompt that would have had them is gone.
  batcher.subscribe(events => {
    if (events.some(({ type }) => type === 'prompt_accepted')) choicePrompt.review()
  })

  return onShared => {
    const { chat } = state()
    const from = withheldFrom(chat)
    if (from.length === 0 || chat.agent.phase !== 'ready') return
    const provider = providerKey(chat.agent)
    const name = providerName(provider)
    choicePrompt.ask({
      title: `send ${name} the tool results that ${from.join(' and ')} got?`,
      answers: [
        { label: 'leave them out', detail: 'it reads again what it needs', run: () => undefined },
        {
          label: `send them to ${name}`,
          detail: 'in this conversation, also after the next restart',
          run: () => {
            const text = `You let ${name} have the tool results of this conversation.`
            const notice = { level: 'info', text, hint: null, markdown: false, sharesWith: provider } as const
            report([{ type: 'remark_made', at: now(), ...notice }])
            onShared()
          },
        },
      ],
      dismissOnType: true,
      stillApplies: () => withheldFrom(state().chat).length > 0 && providerKey(state().chat.agent) === provider,
    })
  }
}
