/**
 * The prompt queue: entries are sent one by one, each after a turn that succeeded. An entry that is being edited keeps its
 * place, and those after it wait.
 */
import { edit } from '../../composer/editor.ts'
import { backAtDraft } from '../../composer/history.ts'
import type { AppContext } from '../context/context.ts'
import { entryOf, entryText, type QueueEntry } from '../../state/queue-entry.ts'
import { isBusy } from '../../state/state.ts'

export type PromptQueue = {
  add: (entry: QueueEntry) => void
  /** Replaces the newest entry. */
  replaceNewest: (entry: QueueEntry) => void
  /** Puts an entry that could not be sent before all others; if it is held, all wait for the person. */
  putBack: (entry: QueueEntry, how: 'held' | 'next') => void
  /** Sends an entry, or else the first that waits, before all others: the open turn is stopped for it. */
  sendNow: (entry: QueueEntry | null) => void
  /** Called when the agent is idle: sends the next entry if `good`, else holds all. */
  drain: (good: boolean) => void
  pause: () => void
  /** Holds the queue; false if it is empty or held already. */
  holdBack: () => boolean
  /** Sends what was held. */
  unpause: () => void
  /** Moves the newest entry into the composer. */
  takeNewest: () => void
  /** Edits the entry before or after in the composer; it keeps its place. */
  editNext: (direction: 'before' | 'behind') => void
  /** Puts the edited entry back into its place, and the draft into the composer. */
  finishEdit: () => void
  /** Drops the edited entry, and puts the draft into the composer. */
  dropEdit: () => void
}

export type QueueWork = {
  /** Sends or runs an entry. */
  send: (entry: QueueEntry) => void
  abort: () => void
  /** Asks the person and holds the queue if nothing may be sent without their permission; true if it did. */
  mustAsk: () => boolean
}

export function createQueue(context: AppContext, { send, abort, mustAsk }: QueueWork): PromptQueue {
  const { state, dispatch, hint, commands } = context
  /** The first entry goes as soon as the agent is idle, even if the queue is held. */
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
      const { queue, edited } = state()
      const entries = [entry, ...queue.entries]
      dispatch({
        type: 'queue_changed',
        queue: { entries, held: how === 'held' || queue.held },
        edited: edited && { ...edited, at: edited.at + 1 },
      })
      if (how === 'held') urgent = false
      context.drafts.flush()
    },
    sendNow,
    drain,
    pause,
    holdBack() {
      const { queue } = state()
      if (queue.entries.length === 0 || (queue.held && !urgent)) return false
      pause()
      return true
    },
    unpause,
    takeNewest,
    editNext,
    finishEdit,
    dropEdit() {
      const { queue, edited } = state()
      if (edited) dispatch({ type: 'entry_edited', queue, edited: null, text: edited.draft })
    },
  }

  function sendNow(entry: QueueEntry | null): void {
    const { queue, edited, chat } = state()
    const entries = entry === null ? queue.entries : [entry, ...queue.entries]
    if (entries.length === 0) return hint('There is nothing to send.')
    const shifted = edited && entry !== null ? { ...edited, at: edited.at + 1 } : edited
    dispatch({ type: 'queue_changed', queue: { ...queue, entries }, edited: shifted })
    context.drafts.flush()
    if (!isBusy(state())) return next()
    urgent = true
    if (chat.open && !chat.open.aborting) abort()
  }

  function drain(good: boolean): void {
    const { queue, edited, chat } = state()
    if (queue.entries.length === 0 && !edited) return
    const free = good || (urgent && chat.agent.phase === 'ready')
    if (!free || (queue.held && !urgent)) return pause()
    // An entry that is being edited is sent when that is done.
    if (edited?.at !== 0) next()
  }

  function pause(): void {
    const { queue, edited } = state()
    urgent = false
    if (queue.entries.length > 0 || edited) dispatch({ type: 'queue_changed', queue: { ...queue, held: true } })
  }

  function unpause(): void {
    const { queue, chat } = state()
    if (chat.agent.phase !== 'ready') return hint('The agent is not running: /restart starts it again.')
    dispatch({ type: 'queue_changed', queue: { ...queue, held: false } })
    next()
  }

  function next(): void {
    const { queue, edited, leaving } = state()
    const [first, ...rest] = queue.entries
    urgent = false
    if (first === undefined || leaving) return
    if (mustAsk()) return
    const left = { entries: rest, held: (rest.length > 0 || edited !== null) && queue.held }
    dispatch({
      type: 'queue_changed',
      queue: left,
      edited: edited && { ...edited, at: Math.max(0, edited.at - 1) },
    })
    send(first)
    context.drafts.flush()
  }

  function takeNewest(): void {
    const { queue, editor } = state()
    const newest = queue.entries.at(-1)
    if (newest === undefined) return
    const entries = queue.entries.slice(0, -1)
    dispatch({ type: 'queue_changed', queue: { entries, held: queue.held && entries.length > 0 } })
    dispatch({
      type: 'edited',
      editor: edit(editor, { kind: 'setText', text: entryText(newest) }, context.composerWidth()),
    })
  }

  function editNext(direction: 'before' | 'behind'): void {
    const { queue, edited, editor, history } = state()
    const entries = edited ? withEdited(queue.entries, edited.at, editor.text) : queue.entries
    const isGone = entries === queue.entries
    const from = edited?.at ?? entries.length
    const at = direction === 'before' ? from - 1 : edited && isGone ? from : from + 1
    if (at < 0 || (direction === 'behind' && !edited)) return
    const entry = entries[at]
    if (entry === undefined) return edited ? finishEdit() : undefined
    const draft = edited?.draft ?? backAtDraft(history, editor.text).text
    const others = { ...queue, entries: entries.toSpliced(at, 1) }
    dispatch({ type: 'entry_edited', queue: others, edited: { at, draft }, text: entryText(entry) })
    hint(`Editing message ${at + 1} of ${entries.length}: Enter puts it back in its place.`)
  }

  function finishEdit(): void {
    const { queue, edited, editor } = state()
    if (!edited) return
    const entries = withEdited(queue.entries, edited.at, editor.text)
    const held = queue.held && entries.length > 0
    dispatch({ type: 'entry_edited', queue: { entries, held }, edited: null, text: edited.draft })
    context.drafts.flush()
    if (!isBusy(state()) && !held && state().chat.agent.phase === 'ready') next()
  }

  /** The queue with a text at a place; a blank text is no message. */
  function withEdited(entries: readonly QueueEntry[], at: number, text: string): readonly QueueEntry[] {
    return text.trim() === '' ? entries : entries.toSpliced(at, 0, entryOf(text, commands()))
  }
}
