/** Limits the turns that run at the same time, and the idle agents that are kept. */
import type { SettingsStore } from '../config/settings.ts'
import { oncePerTick } from '../state/once-per-tick.ts'
import { hasTasksAtWork } from '../state/conversations/at-work.ts'
import { isInProgress, type OpenConversation } from './conversation.ts'

export type Limits = {
  /** True if one more turn may begin now. */
  mayBegin: () => boolean
  /** The turns of this process, and how many may run at the same time. */
  turnsAtOnce: () => { running: number; most: number }
  /** Called when the state of a conversation has changed. */
  follow: () => void
  /** Starts the agent of a conversation again if it was ended to save memory. */
  restart: (listed: OpenConversation) => void
}

export type LimitsOptions = {
  settings: Pick<SettingsStore, 'values'>
  /** The number of turns that may run at the same time if the settings have none. */
  processors: number
  list: () => readonly OpenConversation[]
  shown: () => OpenConversation | null
  /** Called when no conversation works. */
  onIdle?: () => void
}

export function createLimits({ settings, processors, list, shown, onIdle }: LimitsOptions): Limits {
  return {
    mayBegin,
    turnsAtOnce,
    follow: oncePerTick(() => {
      begin()
      suspendIdle()
      if (!list().some(each => isInProgress(each) || each.store.get().chat.shell !== null)) onIdle?.()
    }),
    restart(listed) {
      if (!listed.isSuspended) return
      listed.isSuspended = false
      listed.controller.restartAgent()
    },
  }

  function mayBegin(): boolean {
    return turns(list()) < most()
  }

  /** Those in the background that are attached to are not among them: their own processes tell of them. */
  function turnsAtOnce(): { running: number; most: number } {
    return { running: turns(list().filter(({ backgroundId }) => backgroundId === null)), most: most() }
  }

  function most(): number {
    return settings.values().turnsAtOnce ?? processors
  }

  /** Starts waiting turns, the longest waiting first. */
  function begin(): void {
    const waiting = list().filter(({ state }) => state === 'waiting')
    for (const listed of waiting.toSorted((a, b) => a.since - b.since)) {
      if (!mayBegin()) return
      listed.controller.sendWaiting()
    }
  }

  /** Ends idle agents beyond the limit, first of the conversations that were shown longest ago. */
  function suspendIdle(): void {
    const idle = list().filter(listed => listed !== shown() && isIdle(listed))
    const kept = idle.toSorted((a, b) => b.shownAt - a.shownAt)
    for (const listed of kept.slice(settings.values().idleAgents)) {
      listed.isSuspended = true
      listed.controller.suspendAgent()
    }
  }
}

const turns = (all: readonly OpenConversation[]): number =>
  all.filter(({ store }) => store.get().chat.open !== null).length

/** True if the agent of a conversation runs here, and nothing is in progress. */
function isIdle({ state, store, isGone, backgroundId }: OpenConversation): boolean {
  if (backgroundId !== null) return false
  const { chat, queue, leaving } = store.get()
  // What works in the background ends with its agent.
  const isQuiet =
    chat.shell === null && !hasTasksAtWork(chat) && queue.entries.length === 0 && leaving === null && !isGone
  return isQuiet && chat.agent.phase === 'ready' && ['idle', 'done', 'failed'].includes(state)
}
