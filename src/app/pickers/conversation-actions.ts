/** What can be done with another conversation, from the list of them and from the line about it. */
import type { ConversationRow } from '../../state/conversations/conversations.ts'
import type { AppContext } from '../context/context.ts'

export type ConversationActions = {
  /** Closes the list, and shows the conversation with this number. */
  show: (number: number) => void
  /** Answers the call that it asks about; false if that came too late. */
  answer: (row: ConversationRow, call: string, isAllowed: boolean) => Promise<boolean>
}

export function createConversationActions({ conversations, state, dispatch, hint }: AppContext): ConversationActions {
  return {
    show(number) {
      if (!state().conversations[number - 1]) return hint(`There is no conversation ${number}.`)
      dispatch({ type: 'picker_changed', picker: null })
      conversations?.show(number)
    },
    async answer({ number, backgroundId = '' }, call, isAllowed) {
      if (number > 0) return conversations?.answer(number, call, isAllowed) ?? false
      return (await conversations?.background?.answer(backgroundId, call, isAllowed)) ?? false
    },
  }
}
