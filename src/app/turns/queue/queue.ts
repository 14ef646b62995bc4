/** The prompt queue as the person uses it. What goes out, and when, the machine decides (`src/turn/queue-steps.ts`). */
import { edit } from '../../../composer/editor.ts'
import { backAtDraft } from '../../../composer/history.ts'
import { entryText, type QueueEntry } from '../../../state/composer/queue-entry.ts'
import { entryOf, placeInQueue } from '../../../state/composer/typed-entry.ts'
import type { EditedEntry } from '../../../state/state.ts'
import type { AppContext } from '../../context/context.ts'
import type { MachineKeeper } from '../turn-machine.ts'
import type { HeldQueueView } from './held-queue.ts'

export class PromptQueue {
  readonly #context: AppContext
  readonly #machine: Pick<MachineKeeper, 'send' | 'isInTurn'>
  /** The same queue in the process that has the conversation; null if it is only here. */
  readonly #held: HeldQueueView | null

  constructor(
    context: AppContext,
    machine: Pick<MachineKeeper, 'send' | 'isInTurn'>,
    held: HeldQueueView | null = null,
  ) {
    this.#context = context
    this.#machine = machine
    this.#held = held
  }

  /** Sends an entry, or queues it while the agent works. */
  say(entry: QueueEntry): void {
    this.#machine.send({ type: 'said', entry })
  }

  add(entry: QueueEntry): void {
    this.#machine.send({ type: 'queued', entry })
  }

  replaceNewest(entry: QueueEntry): void {
    this.#machine.send({ type: 'newest_replaced', entry })
  }

  /** Stops the open turn and sends this entry, or else the first one in the queue. */
  sendNow(entry: QueueEntry | null): void {
    this.#machine.send({ type: 'send_now', entry })
  }

  /**
   * Lets the running turn have this, or else the first entry of the queue, at its next safe point. An agent that takes nothing into its
   * turn is stopped for it. A command is no words for the agent: it waits.
   */
  steer(entry: QueueEntry | null): void {
    const { backend, hint, state } = this.#context
    if (entry?.kind === 'command') return this.say(entry)
    const first = entry ?? state().queue.entries[0]
    if (first?.kind !== 'prompt' || !this.#machine.isInTurn() || backend.abilities.has('steer'))
      return this.#machine.send({ type: 'steered', entry })
    this.sendNow(entry)
    hint(`${backend.name} cannot be steered: it is stopped, then your words are sent.`)
  }

  /** Takes the newest steer back into the composer, unless the agent has it already. */
  takeSteer(): void {
    this.#machine.send({ type: 'steer_taken' })
  }

  /** Sends a paused queue. */
  unpause(): void {
    this.#machine.send({ type: 'unpaused' })
  }

  /** Sends the next entry if it waits for another conversation's turn to end. */
  sendWaiting(): void {
    this.#machine.send({ type: 'turn_allowed' })
  }

  /** Moves the newest entry into the composer. */
  takeNewest(): void {
    const { queue, editor } = this.#context.state()
    const newest = queue.entries.at(-1)
    if (newest === undefined) return
    this.#machine.send({ type: 'newest_taken' })
    this.#held?.takeOut(newest)
    const text = entryText(newest)
    const width = this.#context.composerWidth()
    this.#context.dispatch({ type: 'edited', editor: edit(editor, { kind: 'setText', text }, width) })
  }

  /** Edits the entry before or after in the composer; it keeps its place. */
  editNext(direction: 'previous' | 'next'): void {
    const { state, hint, keyed } = this.#context
    const { entries, edited } = this.#withoutEdit()
    const isGone = entries === state().queue.entries
    const from = edited?.at ?? entries.length
    const at = direction === 'previous' ? from - 1 : edited && isGone ? from : from + 1
    if (direction === 'next' && !edited) return
    if (at < 0) {
      const searches = keyed('; {composer.search_history} searches earlier prompts')
      return edited ? hint(`This is the first message of the queue${searches}.`) : undefined
    }
    if (entries[at] === undefined) return edited ? this.finishEdit() : undefined
    this.#editAt(at, entries)
  }

  /** Edits the entry of an earlier prompt in its place; false if that prompt does not wait. */
  editWaiting(prompt: string): boolean {
    const { chips, queue } = this.#context.state()
    const place = placeInQueue(prompt, queue.entries, { chips, commands: this.#context.commands() })
    if (place < 0) return false
    const { entries, edited } = this.#withoutEdit()
    const isBefore = edited !== null && edited.at <= place
    this.#editAt(isBefore ? place + entries.length - queue.entries.length : place, entries)
    return true
  }

  /** Puts the edited entry back into its place, and the draft into the composer. */
  finishEdit(): void {
    const { queue, edited, editor } = this.#context.state()
    if (!edited) return
    const entries = this.#withEdited(queue.entries, edited, editor.text)
    const paused = queue.paused && entries.length > 0
    this.#context.dispatch({ type: 'entry_edited', queue: { entries, paused }, edited: null, text: edited.draft })
    this.#context.drafts.flush()
    this.#held?.putBack(edited.entry, this.#now(edited, editor.text))
    this.#machine.send({ type: 'queue_edited', goesOn: true })
  }

  /** Drops the edited entry, and puts the draft into the composer. */
  dropEdit(): void {
    const { queue, edited } = this.#context.state()
    if (!edited) return
    this.#context.dispatch({ type: 'entry_edited', queue, edited: null, text: edited.draft })
    this.#held?.putBack(edited.entry, null)
    this.#machine.send({ type: 'queue_edited', goesOn: false })
  }

  /** The entries with the one that is being edited, as it is now. */
  #withoutEdit(): { entries: readonly QueueEntry[]; edited: EditedEntry | null } {
    const { queue, edited, editor } = this.#context.state()
    return { entries: edited ? this.#withEdited(queue.entries, edited, editor.text) : queue.entries, edited }
  }

  #editAt(at: number, entries: readonly QueueEntry[]): void {
    const { queue, edited, editor, history } = this.#context.state()
    const entry = entries[at]
    if (entry === undefined) return
    const draft = edited?.draft ?? backAtDraft(history, editor.text).text
    const others = { ...queue, entries: entries.toSpliced(at, 1) }
    if (edited) this.#held?.putBack(edited.entry, this.#now(edited, editor.text))
    this.#held?.edit(entry)
    this.#context.dispatch({
      type: 'entry_edited',
      queue: others,
      edited: { at, draft, entry },
      text: entryText(entry),
    })
    const putsBack = this.#context.keyed(': {composer.submit} puts it back in its place')
    this.#context.hint(`Editing message ${at + 1} of ${entries.length}${putsBack}.`)
  }

  /** The entries with a text at a place, unless it is blank. */
  #withEdited(entries: readonly QueueEntry[], edited: EditedEntry, text: string): readonly QueueEntry[] {
    const now = this.#now(edited, text)
    return now ? entries.toSpliced(edited.at, 0, now) : entries
  }

  /** The edited entry with this text; null for a blank one. */
  #now({ entry }: EditedEntry, text: string): QueueEntry | null {
    if (text.trim() === '') return null
    // One that was only looked at is still the same.
    return text === entryText(entry) ? entry : entryOf(text, this.#context.commands())
  }
}
