/** Prompts of devices, and the queue as they see and change it. */
import { literalPrompt } from '../../published/answers/literal-prompt.ts'
import type { OutsideCall, OutsideReply } from '../../published/outside-call.ts'
import type { ServedQueue } from '../../published/protocol.ts'
import { expand } from '../../state/composer/chips.ts'
import { entryText, type PromptEntry, type QueueEntry } from '../../state/composer/queue-entry.ts'
import { done, refused } from './replies.ts'
import type { OutsideParts } from './parts.ts'

type QueueCall<Do extends OutsideCall['do']> = Extract<OutsideCall, { do: Do }>

/** The words of a device as an entry of the queue; null for none. */
export function entryFrom(text: string, from: string): PromptEntry | null {
  const words = literalPrompt(text)
  return words.trim() === '' ? null : { kind: 'prompt', text: words, from }
}

export class OutsideQueue {
  readonly #parts: Pick<OutsideParts, 'context' | 'turns'>
  /** An entry stays the same object for as long as it waits unchanged. */
  readonly #ids = new WeakMap<QueueEntry, string>()
  #count = 0

  constructor(parts: Pick<OutsideParts, 'context' | 'turns'>) {
    this.#parts = parts
  }

  /** One that is being edited at the terminal is left out. */
  served(): ServedQueue {
    const { entries, paused } = this.#parts.context.state().queue
    return { entries: entries.map(entry => ({ id: this.#idOf(entry), text: this.#textOf(entry) })), paused }
  }

  prompt(text: string, from: string): OutsideReply {
    const entry = entryFrom(text, from)
    if (!entry) return refused('failed', 'The prompt is empty.')
    const { turns } = this.#parts
    if (this.#isGone()) return refused('failed', NOT_RUNNING)
    turns.queue.say(entry)
    return done(this.#waits(entry) ? 'queued' : 'sent')
  }

  steer(text: string, from: string): OutsideReply {
    const { context, turns } = this.#parts
    if (!turns.machine.isInTurn()) return this.prompt(text, from)
    const { backend } = context
    if (!backend.abilities.has('steer'))
      return refused('failed', `${backend.name} takes no words into its turn: send a prompt, or stop it.`)
    const entry = entryFrom(text, from)
    if (!entry) return refused('failed', 'The prompt is empty.')
    turns.machine.send({ type: 'steered', entry })
    return done('steered')
  }

  change({ entry: id, was, text }: QueueCall<'change_queued'>, from: string): OutsideReply {
    const found = this.#find(id, was)
    if ('reply' in found) return found.reply
    const next = entryFrom(text, from)
    if (next && found.entry.kind === 'command') return refused('forbidden', OF_TERMINAL)
    const { context, turns } = this.#parts
    const { queue, edited } = context.state()
    const entries = queue.entries.toSpliced(found.at, 1, ...(next ? [next] : []))
    const place = edited && !next && found.at < edited.at ? { ...edited, at: edited.at - 1 } : edited
    const paused = queue.paused && (entries.length > 0 || edited !== null)
    context.dispatch({ type: 'queue_changed', queue: { ...queue, entries, paused }, edited: place })
    context.drafts.flush()
    turns.machine.send({ type: 'queue_edited', goesOn: true })
    return done('done')
  }

  /** It goes before the others, also out of a paused queue, which stays so. */
  send({ entry: id, was }: QueueCall<'send_queued'>): OutsideReply {
    const found = this.#find(id, was)
    if ('reply' in found) return found.reply
    if (found.entry.kind === 'command') return refused('forbidden', OF_TERMINAL)
    if (this.#isGone()) return refused('failed', NOT_RUNNING)
    this.#parts.turns.machine.send({ type: 'kept_due', entry: found.entry })
    return done(this.#waits(found.entry) ? 'queued' : 'sent')
  }

  #find(id: string, was: string): { entry: QueueEntry; at: number } | { reply: OutsideReply } {
    const { entries } = this.#parts.context.state().queue
    const at = entries.findIndex(each => this.#idOf(each) === id)
    const entry = entries[at]
    if (!entry) return { reply: refused('gone', 'It no longer waits.') }
    return this.#textOf(entry) === was ? { entry, at } : { reply: refused('changed', 'It has changed. Read it again.') }
  }

  #waits(entry: QueueEntry): boolean {
    return this.#parts.context.state().queue.entries.includes(entry)
  }

  #isGone(): boolean {
    const { phase } = this.#parts.context.state().chat.agent
    return (phase === 'ended' || phase === 'closed') && !this.#parts.turns.machine.isComing()
  }

  #textOf(entry: QueueEntry): string {
    return expand(entryText(entry), this.#parts.context.state().chips).text
  }

  #idOf(entry: QueueEntry): string {
    const known = this.#ids.get(entry)
    if (known !== undefined) return known
    this.#count += 1
    const id = `entry-${this.#count}`
    this.#ids.set(entry, id)
    return id
  }
}

const NOT_RUNNING = 'The agent is not running: /restart at the terminal starts it again.'
const OF_TERMINAL = 'This is a command of the terminal.'
