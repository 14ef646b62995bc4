/** The entries of the queue, and what belongs to each beside its text. */
import { randomUUID } from 'node:crypto'
import type { Prompt } from '../../agent/backend.ts'
import type { HeldEntry } from '../../agent/held-queue.ts'
import { commandEntry, promptEntry, type QueueEntry } from '../../state/composer/queue-entry.ts'

/** A program that is attached. Only compared. */
export type AttachedProgram = object

/** A prompt that can be sent as it is. `isOwn`: it was prepared here, not by an attached program. */
export type PromptToSend = { prompt: Prompt; isOwn: boolean; onSend: () => void; onSettled: () => void }

/** `by`: the program that has added it. `ready`: it was prepared there. */
export type EntryFacts = { carried: HeldEntry; by: AttachedProgram | null; ready: PromptToSend | null }

/** The ids of so many entries are known after they have left the queue. */
const KNOWN = 1000

export class QueueEntries {
  readonly #facts = new WeakMap<QueueEntry, EntryFacts>()
  readonly #known = new Set<string>()

  /** Whether an entry with this id was there before. */
  isKnown(id: string): boolean {
    return this.#known.has(id)
  }

  make(carried: HeldEntry, by: AttachedProgram | null, ready: PromptToSend | null = null): QueueEntry {
    const { id, command, text } = carried
    const entry = command === null ? promptEntry(text) : commandEntry(command, text)
    this.#facts.set(entry, { carried, by, ready })
    this.#known.add(id)
    if (this.#known.size > KNOWN) for (const oldest of this.#known.values().take(1)) this.#known.delete(oldest)
    return entry
  }

  /** The entry with another text. What was prepared of the former one is not sent. */
  changed(entry: QueueEntry, carried: HeldEntry): QueueEntry {
    const { carried: before, by } = this.of(entry)
    const isSame = before.text === carried.text && before.command === carried.command
    return isSame ? entry : this.make({ ...carried, id: before.id, before: before.before }, by)
  }

  of(entry: QueueEntry): EntryFacts {
    const found = this.#facts.get(entry)
    if (found) return found
    // The machine makes entries, too.
    const isPrompt = entry.kind === 'prompt'
    const carried = {
      id: randomUUID(),
      command: isPrompt ? null : entry.name,
      text: isPrompt ? entry.text : entry.argument,
      chips: [],
      before: [],
    }
    const facts: EntryFacts = { carried, by: null, ready: null }
    this.#facts.set(entry, facts)
    return facts
  }

  /** The entry as it is shown: images are large, and only a program that edits it needs them. */
  shown(entry: QueueEntry): HeldEntry {
    const { carried } = this.of(entry)
    const chips = carried.chips.map(chip => (chip.kind === 'image' ? Object.assign({}, chip, { image: null }) : chip))
    return { ...carried, before: [], chips }
  }
}
