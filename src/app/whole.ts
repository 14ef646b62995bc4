/** The conversation with all that tools were given and answered: what was left out of memory is read back from the session. */
import { shortenedCalls, withWhole } from '../chat/whole.ts'
import type { ChatState } from '../chat/state.ts'
import type { Context } from './context.ts'

/** `missing`: so many calls stay shortened, because no session has them (any more). */
export type Whole = { chat: ChatState; missing: number }

export function wholeConversation({ state, sessions }: Pick<Context, 'state' | 'sessions'>): Whole {
  const { chat } = state()
  if (shortenedCalls(chat) === 0) return { chat, missing: 0 }
  sessions?.flush()
  const events = sessions?.read(sessions.current().id)?.events ?? []
  const whole = withWhole(chat, events)
  return { chat: whole, missing: shortenedCalls(whole) }
}

export function missingText(missing: number): string {
  const what = missing === 1 ? '1 long tool output is' : `${missing} long tool outputs are`
  return `${what} shortened in it: this session does not have the rest.`
}
