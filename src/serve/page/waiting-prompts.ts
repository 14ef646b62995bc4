/** The prompts that wait for the end of the turn: each can be changed, removed, or sent first. */
import type { OutsideReply } from '../../published/outside-call.ts'
import type { ServedQueue } from '../../published/protocol.ts'
import type { PageCall } from './calls.ts'
import { button, element, KeyedElements, setText } from './dom.ts'

type WaitingEntry = ServedQueue['entries'][number]

export type WaitingParts = { ask: (call: PageCall) => Promise<OutsideReply> }

export class WaitingPrompts {
  readonly node = element('section', { class: 'waiting', 'aria-label': 'Prompts that wait' })
  readonly #head = element('p', { class: 'waiting-head' })
  readonly #rows: KeyedElements<WaitingEntry, EntryRow>

  constructor(parts: WaitingParts) {
    const list = element('ul', {})
    this.#rows = new KeyedElements(
      list,
      ({ id }) => id,
      () => new EntryRow(parts),
    )
    this.node.append(this.#head, list)
    this.node.hidden = true
  }

  show({ entries, paused }: ServedQueue, mayChange: boolean): void {
    this.node.hidden = entries.length === 0
    const count = entries.length === 1 ? 'One prompt waits' : `${entries.length} prompts wait`
    setText(
      this.#head,
      paused ? `${count}. The queue is paused: send one to go on.` : `${count} for the end of the turn.`,
    )
    this.#rows.show(entries)
    this.node.classList.toggle('fixed', !mayChange)
  }
}

class EntryRow {
  readonly node: HTMLElement
  readonly #parts: WaitingParts
  readonly #text = element('span', { class: 'text' })
  readonly #edit = element('textarea', { rows: '2', 'aria-label': 'The waiting prompt' })
  readonly #editing: HTMLElement
  readonly #shown: HTMLElement
  #entry: WaitingEntry = { id: '', text: '' }
  /** What was shown when the editing began. */
  #was = ''

  constructor(parts: WaitingParts) {
    this.#parts = parts
    this.#shown = element(
      'div',
      { class: 'entry' },
      this.#text,
      button('', () => this.#send(), { look: 'plain', icon: 'send', label: 'Send it next' }),
      button('', () => this.#begin(), { look: 'plain', icon: 'edit', label: 'Change it' }),
      button('', () => void this.#change(''), { look: 'plain', icon: 'remove', label: 'Remove it' }),
    )
    this.#editing = element(
      'div',
      { class: 'entry editing' },
      this.#edit,
      button('Cancel', () => this.#end(), { look: 'small' }),
      button('Save', () => void this.#change(this.#edit.value), { look: 'primary small' }),
    )
    this.#editing.hidden = true
    this.node = element('li', {}, this.#shown, this.#editing)
    this.#edit.addEventListener('keydown', event => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      this.#end()
    })
  }

  show(entry: WaitingEntry): void {
    this.#entry = entry
    setText(this.#text, entry.text)
  }

  #begin(): void {
    this.#was = this.#entry.text
    this.#edit.value = this.#entry.text
    this.#editing.hidden = false
    this.#shown.hidden = true
    this.#edit.focus()
  }

  #end(): void {
    this.#editing.hidden = true
    this.#shown.hidden = false
  }

  #send(): void {
    const { id, text } = this.#entry
    void this.#parts.ask({ do: 'send_queued', entry: id, was: text })
  }

  async #change(text: string): Promise<void> {
    const { id } = this.#entry
    const was = this.#editing.hidden ? this.#entry.text : this.#was
    const reply = await this.#parts.ask({ do: 'change_queued', entry: id, was, text })
    // What was typed stays until it is taken.
    if (reply.ok) this.#end()
  }
}
