/** The entries of the prompt queue. */
import { edit } from '../../../composer/editor.ts'
import type { AppContext } from '../../context/context.ts'
import { entryText, type QueueEntry } from '../../../state/composer/queue-entry.ts'

export type QueueEntries = {
  add: (entry: QueueEntry) => void
  /** Replaces the newest entry. */
  replaceNewest: (entry: QueueEntry) => void
  /** Puts an entry that could not be sent before all others; if `paused`, all wait for the user. */
  putBack: (entry: QueueEntry, how: 'paused' | 'next') => void
  /** Puts an entry before all others, without sending it. */
  putFirst: (entry: QueueEntry) => void
  /** Removes the first entry. */
  takeFirst: () => void
  /** Moves the newest entry into the composer. */
  takeNewest: () => void
  pause: () => void
  /** Pauses the queue; false if it is empty or paused already. */
  holdBack: () => boolean
  /** Lets the first entry go as soon as the agent is idle, even if the queue is paused. */
  hurry: () => void
  isUrgent: () => boolean
}

export function createQueueEntries(context: AppContext): QueueEntries {
  const { state, dispatch } = context
  let urgent = false

  return {
    add(entry) {
      dispatch({ type: 'queued', entry })
      context.drafts.flush()
    },
    replaceNewest(entry) {
      const { queue } = state()
      dispatch({ type: 'queue_changed', queue: { ...queue, entries: [...queue.entries.slice(0, -1), entry] } })
      context.drafts.flush()
    },
    putBack(entry, how) {
      if (how === 'paused') urgent = false
      putFirst(entry, how === 'paused')
    },
    putFirst: entry => putFirst(entry, false),
    takeFirst() {
      const { queue, edited } = state()
      const entries = queue.entries.slice(1)
      urgent = false
      dispatch({
        type: 'queue_changed',
        queue: { entries, paused: (entries.length > 0 || edited !== null) && queue.paused },
        edited: edited && { ...edited, at: Math.max(0, edited.at - 1) },
      })
    },
    takeNewest() {
      const { queue, editor } = state()
      const newest = queue.entries.at(-1)
      if (newest === undefined) return
      const entries = queue.entries.slice(0, -1)
      dispatch({ type: 'queue_changed', queue: { entries, paused: queue.paused && entries.length > 0 } })
      dispatch({
        type: 'edited',
        editor: edit(editor, { kind: 'setText', text: entryText(newest) }, context.composerWidth()),
      })
    },
    pause,
    holdBack() {
      const { queue } = state()
      if (queue.entries.length === 0 || (queue.paused && !urgent)) return false
      pause()
      return true
    },
    hurry() {
      urgent = true
    },
    isUrgent: () => urgent,
  }

  function putFirst(entry: QueueEntry, paused: boolean): void {
    const { queue, edited } = state()
    dispatch({
      type: 'queue_changed',
      queue: { entries: [entry, ...queue.entries], paused: paused || queue.paused },
      edited: edited && { ...edited, at: edited.at + 1 },
    })
    context.drafts.flush()
  }

  function pause(): void {
    const { queue, edited } = state()
    urgent = false
    if (queue.entries.length > 0 || edited) dispatch({ type: 'queue_changed', queue: { ...queue, paused: true } })
  }
}
