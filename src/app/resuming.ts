/** Going on with a session of before. */
import { reduce } from '../chat/reduce.ts'
import { initialChat, type ChatState } from '../chat/state.ts'
import type { Resumed } from '../session/sessions.ts'
import type { Context } from './context.ts'
import { breakOff, snapshotOf } from './snapshot.ts'

export type Resuming = {
  /** Shows a session and goes on with it; false where it is not there. The agent must have nothing to do. */
  resume: (id: string) => boolean
}

export function createResuming(context: Context): Resuming {
  const { sessions, state, dispatch, tell, remark, now } = context
  return {
    resume(id) {
      const resumed = sessions?.resume(id) ?? null
      if (resumed === null) return false
      const { agent } = state().chat
      const chat = resumed.events.reduce(reduce, initialChat)
      const at = resumed.events.at(-1)?.at ?? now()
      // What runs now is told to the session, too, so that it reads as it was seen.
      const since = [...breakOff(chat, at), ...snapshotOf(agent, now())]
      dispatch({ type: 'session_restored', chat })
      tell(since)
      remark('info', resumedText(resumed, chat))
      if (resumed.skipped > 0) remark('warn', skippedText(resumed.skipped))
      return true
    },
  }
}

function resumedText({ title, events, forked }: Resumed, chat: ChatState): string {
  const turns = chat.entries.filter(entry => entry.kind === 'turn').length + (chat.open?.kind === 'turn' ? 1 : 0)
  const name = title === '' ? '' : ` "${title}"`
  const size = turns === 1 ? '1 turn' : `${turns} turns`
  const how = forked === null ? '' : ` It is ${forked}: from here on this is a fork of it.`
  return events.length === 0 ? `The session${name} is empty.${how}` : `Resumed the session${name}: ${size}.${how}`
}

function skippedText(count: number): string {
  const lines = count === 1 ? '1 line' : `${count} lines`
  return `${lines} of the session could not be read: torn, or of a newer zotui. The rest is here.`
}
