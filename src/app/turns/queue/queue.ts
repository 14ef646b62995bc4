/**
 * The prompt queue: entries are sent one by one, each after a turn that succeeded. They wait here and never in the
 * agent's own queue. An entry that is being edited keeps its place, and those after it wait.
 */
import { backAtDraft } from '../../../composer/history.ts'
import { entryOf, entryText, placeInQueue, promptEntry, type QueueEntry } from '../../../state/composer/queue-entry.ts'
import { isBusy, type EditedEntry } from '../../../state/state.ts'
import type { AppContext } from '../../context/context.ts'
import type { CommandRunner } from '../command-runner.ts'
import type { Operation } from '../operation.ts'
import type { CostLimit } from './cost-limit.ts'
import type { QueueEntries } from './entries.ts'
import type { QueuedInput } from './queued-input.ts'

export type PromptQueue = QueueEntries & {
  /** Sends an entry, or queues it while the agent works. */
  say: (entry: QueueEntry) => void
  /** Stops the open turn and sends this entry, or else the first one in the queue. */
  sendNow: (entry: QueueEntry | null) => void
  /** Called when the agent is idle: sends the next entry if `good`, else pauses the queue. */
  drain: (good: boolean) => void
  /** Sends a paused queue. */
  unpause: () => void
  /** Sends the next entry if it waits for another conversation's turn to end. */
  goOn: () => void
  /** Edits the entry before or after in the composer; it keeps its place. */
  editNext: (direction: 'previous' | 'next') => void
  /** Edits the entry of an earlier prompt in its place; false if that prompt does not wait. */
  editWaiting: (prompt: string) => boolean
  /** Puts the edited entry back into its place, and the draft into the composer. */
  finishEdit: () => void
  /** Drops the edited entry, and puts the draft into the composer. */
  dropEdit: () => void
}

export type QueueParts = {
  context: AppContext
  entries: QueueEntries
  input: QueuedInput
  limit: CostLimit
  operation: Pick<Operation, 'abort' | 'isFree'>
  runner: Pick<CommandRunner, 'subscribe'>
}

export function createQueue({ context, entries: own, input, limit, operation, runner }: QueueParts): PromptQueue {
  const { state, dispatch, hint, keyed, commands } = context
  const mayBegin = context.conversations?.mayBegin ?? (() => true)
  // A command that was an operation of the agent has drained the queue already.
  runner.subscribe(() => {
    if (operation.isFree()) drain(true)
  })
  limit.subscribe(wasStopped => {
    if (wasStopped) say(promptEntry('Continue where you stopped.'))
    else if (state().queue.entries.length > 0) unpause()
  })

  return {
    ...own,
    say,
    sendNow,
    drain,
    unpause,
    goOn,
    editNext,
    editWaiting(prompt) {
      const { chips, queue } = state()
      const place = placeInQueue(prompt, queue.entries, { chips, commands: commands() })
      if (place < 0) return false
      const { entries, edited } = withoutEdit()
      editAt(edited !== null && edited.at <= place ? place + entries.length - queue.entries.length : place, entries)
      return true
    },
    finishEdit,
    dropEdit() {
      const { queue, edited } = state()
      if (edited) dispatch({ type: 'entry_edited', queue, edited: null, text: edited.draft })
    },
  }

  function say(entry: QueueEntry): void {
    // A prompt that is sent while the agent is replaced is for the new one.
    if (!operation.isFree()) return own.add(entry)
    if (!mayBegin()) {
      own.add(entry)
      return getInLine()
    }
    if (limit.wasReached()) {
      own.add(entry)
      return limit.ask()
    }
    input.run(entry)
    context.drafts.flush()
  }

  function sendNow(entry: QueueEntry | null): void {
    if (entry !== null) own.putFirst(entry)
    const { queue, chat } = state()
    if (queue.entries.length === 0) return hint('There is nothing to send.')
    if (!isBusy(state())) return next()
    own.hurry()
    if (chat.open && !chat.open.aborting) operation.abort()
  }

  function drain(good: boolean): void {
    const { queue, edited, chat } = state()
    if (queue.entries.length === 0 && !edited) return
    const free = good || (own.isUrgent() && chat.agent.phase === 'ready')
    if (!free || (queue.paused && !own.isUrgent())) return own.pause()
    // An entry that is being edited is sent after the edit.
    if (edited?.at !== 0) next()
  }

  function unpause(): void {
    const { queue, chat } = state()
    if (chat.agent.phase !== 'ready') return hint('The agent is not running: /restart starts it again.')
    dispatch({ type: 'queue_changed', queue: { ...queue, paused: false } })
    next()
  }

  function next(): void {
    const [first] = state().queue.entries
    if (first === undefined || state().leaving) return
    if (!mayBegin()) return getInLine()
    if (limit.asksFirst()) return
    if (state().queue.isInLine) dispatch({ type: 'hinted', hint: null })
    own.takeFirst()
    input.run(first)
    context.drafts.flush()
  }

  /** Waits because too many conversations run a turn: `goOn` is called when one of these turns has ended. */
  function getInLine(): void {
    const { queue } = state()
    dispatch({ type: 'queue_changed', queue: { ...queue, isInLine: true } })
    hint('Queued: too many conversations are working (turnsAtOnce).')
  }

  function goOn(): void {
    if (state().queue.isInLine && operation.isFree()) drain(state().chat.agent.phase === 'ready')
  }

  function editNext(direction: 'previous' | 'next'): void {
    const { entries, edited } = withoutEdit()
    const isGone = entries === state().queue.entries
    const from = edited?.at ?? entries.length
    const at = direction === 'previous' ? from - 1 : edited && isGone ? from : from + 1
    if (direction === 'next' && !edited) return
    if (at < 0) {
      const searches = keyed('; {composer.search_history} searches earlier prompts')
      return edited ? hint(`This is the first message of the queue${searches}.`) : undefined
    }
    if (entries[at] === undefined) return edited ? finishEdit() : undefined
    editAt(at, entries)
  }

  /** The entries with the one that is being edited, as it is now. */
  function withoutEdit(): { entries: readonly QueueEntry[]; edited: EditedEntry | null } {
    const { queue, edited, editor } = state()
    return { entries: edited ? withEdited(queue.entries, edited.at, editor.text) : queue.entries, edited }
  }

  function editAt(at: number, entries: readonly QueueEntry[]): void {
    const { queue, edited, editor, history } = state()
    const entry = entries[at]
    if (entry === undefined) return
    const draft = edited?.draft ?? backAtDraft(history, editor.text).text
    const others = { ...queue, entries: entries.toSpliced(at, 1) }
    dispatch({ type: 'entry_edited', queue: others, edited: { at, draft }, text: entryText(entry) })
    const putsBack = keyed(': {composer.submit} puts it back in its place')
    hint(`Editing message ${at + 1} of ${entries.length}${putsBack}.`)
  }

  function finishEdit(): void {
    const { queue, edited, editor } = state()
    if (!edited) return
    const entries = withEdited(queue.entries, edited.at, editor.text)
    const paused = queue.paused && entries.length > 0
    dispatch({ type: 'entry_edited', queue: { entries, paused }, edited: null, text: edited.draft })
    context.drafts.flush()
    if (!isBusy(state()) && !paused && state().chat.agent.phase === 'ready') next()
  }

  /** The entries with a text at a place, unless it is blank. */
  function withEdited(entries: readonly QueueEntry[], at: number, text: string): readonly QueueEntry[] {
    return text.trim() === '' ? entries : entries.toSpliced(at, 0, entryOf(text, commands()))
  }
}
