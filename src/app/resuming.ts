/** Going on with a session of before. */
import type { AgentEvent } from '../agent/event.ts'
import { reduce } from '../chat/reduce.ts'
import { initialChat, type ChatState } from '../chat/state.ts'
import type { Resumed } from '../session/sessions.ts'
import type { Context } from './context.ts'
import { breakOff, snapshotOf } from './snapshot.ts'
import { isBusy } from './state.ts'

export type Resuming = {
  /** Shows a session and goes on with it; the agent forgets what it was told until then. */
  resume: (id: string) => Promise<void>
  /** The same at once, for before an agent was started. */
  begin: (id: string) => void
}

export type ResumingParts = {
  /** In one line, what the agent will be told of the conversation that is shown. */
  memoryLine: () => string
  /** Makes the agent forget; false where it does not. */
  forget: () => Promise<boolean>
  /** Sends what was said meanwhile. */
  goOn: (good: boolean) => void
}

export function createResuming(context: Context, { memoryLine, forget, goOn }: ResumingParts): Resuming {
  const { sessions, state, dispatch, tell, remark, hint, now } = context
  return { resume, begin }

  async function resume(id: string): Promise<void> {
    if (isBusy(state()) && state().chat.agent.phase !== 'starting')
      return hint('The agent is working: Esc stops it, then /resume.')
    if (id === sessions?.current().id) return hint('That is the session you are in.')
    const isForgotten = await forgotten()
    if (isForgotten) begin(id)
    goOn(isForgotten)
  }

  function begin(id: string): void {
    const resumed = sessions?.resume(id) ?? null
    if (resumed === null) return hint('That session is gone, or cannot be read.')
    const chat = restore(resumed.events)
    // One that is only being started says by itself what it will know.
    const memory = chat.agent.phase === 'ready' ? memoryLine() : ''
    remark('info', `${resumedText(resumed, chat)} ${memory}`.trim())
    if (resumed.skipped > 0) remark('warn', skippedText(resumed.skipped))
  }

  /** What was said until now is not to be taken for a part of what is resumed. */
  async function forgotten(): Promise<boolean> {
    const { chat } = state()
    if (chat.agent.phase !== 'ready' || !chat.entries.some(entry => entry.kind === 'turn')) return true
    return forget()
  }

  function restore(events: readonly AgentEvent[]): ChatState {
    const { agent } = state().chat
    const chat = events.reduce(reduce, initialChat)
    const at = events.at(-1)?.at ?? now()
    dispatch({ type: 'session_restored', chat })
    // The session is told of what is there now, too, so that it reads as it was seen.
    tell([...breakOff(chat, at), ...snapshotOf(agent, now())])
    return state().chat
  }
}

function resumedText({ title, forked }: Resumed, chat: ChatState): string {
  const turns = chat.entries.filter(entry => entry.kind === 'turn').length
  const name = title === '' ? '' : ` "${title}"`
  const how = forked === null ? '' : ` It is ${forked}: from here on this is a fork of it.`
  return `Resumed the session${name}: ${turns === 1 ? '1 turn' : `${turns} turns`}.${how}`
}

function skippedText(count: number): string {
  const lines = count === 1 ? '1 line' : `${count} lines`
  return `${lines} of the session could not be read: torn, or of a newer zotui. The rest is here.`
}
