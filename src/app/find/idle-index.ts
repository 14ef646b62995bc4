/** Builds the index of all sessions while nothing happens in the conversation, so that the first search finds it complete. */
import type { AgentEvent } from '../../agent/event.ts'
import { quietTimers, type Timers } from '../../platform/timers.ts'
import type { AppState } from '../../state/state.ts'
import type { SessionFinder } from '../../storage/find/passage.ts'
import type { Sessions } from '../../storage/sessions/sessions.ts'
import type { AppContext } from '../context/context.ts'

/** Milliseconds after the end of a turn. */
const IDLE = 60_000

export type IdleIndex = {
  /** Called with each event. */
  onEvent: (event: Pick<AgentEvent, 'type'>) => void
  stop: () => void
}

type IdleIndexParts = Pick<AppContext, 'openSessionFinder'> & {
  sessions?: Pick<Sessions, 'flush'> | undefined
  state: () => Pick<AppState, 'page' | 'leaving'>
}

export function createIdleIndex(
  { openSessionFinder, sessions, state }: IdleIndexParts,
  { after }: Timers = quietTimers,
): IdleIndex {
  let cancel: (() => void) | null = null
  let building: SessionFinder | null = null
  return {
    onEvent({ type }) {
      if (type === 'prompt_sent' || type === 'turn_begun') stop()
      if (type !== 'turn_ended' || !openSessionFinder) return
      stop()
      cancel = after(IDLE, () => void build(openSessionFinder))
    },
    stop,
  }

  async function build(open: () => Promise<SessionFinder>): Promise<void> {
    const mine = (cancel = () => undefined)
    const finder = await open()
    // A page may be the search itself, which needs no help.
    if (cancel !== mine || state().page !== null || state().leaving) return
    building = finder
    sessions?.flush()
    await finder.catchUp()
    if (cancel === mine) stop()
  }

  function stop(): void {
    cancel?.()
    cancel = null
    if (building && state().page === null) building.pause()
    building = null
  }
}
