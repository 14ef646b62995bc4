/** Where a prompt is typed. A draft is kept for each conversation until the server has taken it. */
import type { OutsideReply } from '../../published/outside-call.ts'
import type { PageCall } from './calls.ts'
import { button, element, setAttribute, setText } from './dom.ts'

const LONGEST = 100_000

export type ComposerView = {
  /** Of the draft: of the session, if it has one, since another server has other ids. */
  id: string
  isWorking: boolean
  takesSteer: boolean
  /** Why nothing can be sent; '' if it can. */
  cannot: string
}

export type PromptFieldParts = {
  ask: (call: PageCall) => Promise<OutsideReply>
  say: (sentence: string, isProblem?: boolean) => void
}

export class Composer {
  readonly node = element('form', { class: 'composer' })
  readonly #parts: PromptFieldParts
  readonly #text = element('textarea', {
    rows: '1',
    'aria-label': 'Prompt',
    maxlength: String(LONGEST),
    enterkeyhint: 'send',
  })
  readonly #hint = element('p', { class: 'hint' })
  readonly #steer = button('Steer', () => void this.#send('steer'), {
    look: 'small',
    icon: 'steer',
    label: 'Steer: the running turn reads it',
  })
  readonly #submit = button('', () => void this.#send('prompt'), { look: 'primary round', icon: 'send', label: 'Send' })
  #view: ComposerView | null = null
  #isSending = false

  constructor(parts: PromptFieldParts) {
    this.#parts = parts
    this.#submit.type = 'submit'
    this.node.append(this.#hint, element('div', { class: 'composer-box' }, this.#text, this.#steer, this.#submit))
    this.node.addEventListener('submit', event => event.preventDefault())
    this.#text.addEventListener('input', () => {
      this.#keep()
      this.#update()
    })
    this.#text.addEventListener('keydown', event => {
      // On a touch screen the key makes a new line, and the button sends.
      const isTouch = matchMedia('(pointer: coarse)').matches
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing || (isTouch && !event.ctrlKey)) return
      event.preventDefault()
      void this.#send('prompt')
    })
  }

  show(view: ComposerView): void {
    const isOther = this.#view?.id !== view.id
    this.#view = view
    if (isOther) {
      this.#text.value = readDraft(view.id)
      this.#isSending = false
    }
    this.#update()
  }

  focus(): void {
    this.#text.focus()
  }

  #keep(): void {
    if (this.#view) keepDraft(this.#view.id, this.#text.value)
  }

  async #send(how: 'prompt' | 'steer'): Promise<void> {
    const view = this.#view
    const text = this.#text.value
    if (!view || view.cannot !== '' || this.#isSending || text.trim() === '') return
    this.#isSending = true
    this.#update()
    const reply = await this.#parts.ask({ do: how, text })
    if (reply.ok) {
      if (readDraft(view.id) === text) keepDraft(view.id, '')
      if (this.#view?.id === view.id && this.#text.value === text) this.#text.value = ''
      this.#parts.say(said[reply.how])
    } else this.#parts.say(reply.message, true)
    if (this.#view?.id === view.id) this.#isSending = false
    this.#update()
  }

  #update(): void {
    const view = this.#view
    if (!view) return
    const { isWorking, takesSteer, cannot } = view
    const isEmpty = this.#text.value.trim() === ''
    this.#text.disabled = cannot !== ''
    // What is on its way stays to be read, and nobody types into it.
    this.#text.readOnly = this.#isSending
    this.#submit.disabled = isEmpty || cannot !== '' || this.#isSending
    this.#steer.disabled = this.#submit.disabled
    this.#steer.hidden = !isWorking || !takesSteer
    setAttribute(this.#submit, 'aria-label', isWorking ? 'Send after this turn' : 'Send')
    setAttribute(this.#submit, 'title', isWorking ? 'Send after this turn' : 'Send')
    setAttribute(
      this.#text,
      'placeholder',
      cannot !== '' ? cannot : isWorking ? 'For after this turn…' : 'Write to the agent…',
    )
    const hint = this.#isSending ? 'Sending…' : hintOf(this.#text.value)
    setText(this.#hint, hint)
    this.#hint.hidden = hint === ''
    this.#text.style.height = 'auto'
    this.#text.style.height = `${this.#text.scrollHeight}px`
  }
}

const said: Readonly<Record<Extract<OutsideReply, { ok: true }>['how'], string>> = {
  done: 'Done.',
  sent: 'Sent.',
  queued: 'It waits for the end of the turn.',
  steered: 'The running turn reads it.',
}

/** Who knows the terminal expects that these do something. */
function hintOf(text: string): string {
  if (/^[/!#]/.test(text)) return 'This is sent as it is: commands work in the terminal only.'
  return ''
}

const draftOf = (id: string): string => `zotui-draft ${id}`

function readDraft(id: string): string {
  return localStorage.getItem(draftOf(id)) ?? ''
}

function keepDraft(id: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(draftOf(id))
    else localStorage.setItem(draftOf(id), text)
  } catch {
    // The browser's store is full: the text is still on the page.
  }
}
