/**
 * The question that waits. Closed it is one line; the answers are in the opened one only. A yes counts for exactly what is on the page: its hash
 * goes with it, and there is none before the end of the question was seen.
 */
import type { OutsideReply } from '../../published/outside-call.ts'
import { digestedText } from '../../published/digested-text.ts'
import type { ServedQuestion } from '../../published/protocol.ts'
import type { PageCall } from './calls.ts'
import { sha256Hex } from './digests.ts'
import { button, element, iconOf, setAttribute, setText } from './dom.ts'
import { FormFields } from './form-fields.ts'
import { parsedHtml } from './fragment.ts'

/** Milliseconds after which a question that has come, or has changed, can be answered: so long a tap may have been meant for something else. */
const QUIET = 400

export type CardView = {
  question: ServedQuestion
  /** Its place among those that wait, and their number. */
  place: string
  /** Why this device cannot answer; '' if it can. */
  cannot: string
}

export type QuestionParts = {
  answer: (call: PageCall) => Promise<OutsideReply>
  say: (sentence: string, isProblem?: boolean) => void
  onToggle: (isOpen: boolean) => void
}

export class QuestionCard {
  readonly node = element('section', { class: 'question-card', 'aria-labelledby': 'question-title' })
  readonly #parts: QuestionParts
  readonly #title = element('h2', { id: 'question-title', tabindex: '-1' })
  readonly #place = element('span', { class: 'place' })
  readonly #toggle = button('Review', () => this.setOpen(!this.isOpen), { look: 'primary small' })
  readonly #body = element('div', {
    class: 'question-body',
    tabindex: '0',
    role: 'group',
    'aria-label': 'The whole question',
  })
  readonly #end = element('div', { class: 'question-end', 'aria-hidden': 'true' })
  readonly #foot = element('div', { class: 'question-foot' })
  readonly #hint = element('p', { class: 'hint', role: 'status' })
  readonly #words = element('textarea', { rows: '1', class: 'words', maxlength: '20000' })
  readonly #buttons = element('div', { class: 'buttons' })
  #view: CardView | null = null
  #fields: FormFields | null = null
  #yes: HTMLButtonElement | null = null
  #no: HTMLButtonElement | null = null
  /** The hash of what is on the page; '' until that is known, or if not all of it is. */
  #digest = ''
  #isRead = false
  #isQuiet = true
  #isSending = false
  isOpen = false

  constructor(parts: QuestionParts) {
    this.#parts = parts
    this.node.hidden = true
    this.node.append(
      element('header', {}, element('span', { class: 'sign' }, iconOf('ask')), this.#title, this.#place, this.#toggle),
      this.#body,
      this.#foot,
    )
    this.#foot.append(this.#hint, this.#words, this.#buttons)
    new IntersectionObserver(
      seen => {
        if (seen.some(({ isIntersecting }) => isIntersecting) && this.isOpen) this.#setRead()
      },
      { root: this.#body },
    ).observe(this.#end)
  }

  show(view: CardView | null): void {
    const before = this.#view
    this.#view = view
    this.node.hidden = view === null
    if (!view) return this.#forget()
    if (before?.question.id !== view.question.id || before.question.digest !== view.question.digest)
      this.#begin(view, before?.question.id === view.question.id)
    setText(this.#place, view.place)
    this.#update()
  }

  setOpen(isOpen: boolean): void {
    if (this.#view === null || this.isOpen === isOpen) return
    this.isOpen = isOpen
    this.#update()
    this.#parts.onToggle(isOpen)
    if (isOpen) this.#body.focus()
    else this.#toggle.focus()
  }

  /** Presses the button for a yes or a no, if the question is open and it can be pressed. */
  press(isYes: boolean): void {
    if (this.isOpen) (isYes ? this.#yes : this.#no)?.click()
  }

  #forget(): void {
    this.#close()
    this.#digest = ''
    this.#fields = null
  }

  #close(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.#parts.onToggle(false)
  }

  /** Another question, or the same one with another content. */
  #begin({ question }: CardView, isChanged: boolean): void {
    if (!isChanged) this.#close()
    else this.#parts.say('This question has changed. Read it again.', true)
    const { content, isWhole } = parsedHtml(question.html)
    this.#digest = ''
    this.#isRead = false
    this.#isSending = false
    this.#isQuiet = true
    this.#words.value = ''
    setText(this.#title, question.title)
    this.#fields = question.kind === 'form' ? new FormFields(question.fields, 'field') : null
    this.#body.replaceChildren(content, ...(this.#fields ? [this.#fields.node] : []), this.#end)
    this.#body.scrollTop = 0
    this.#makeButtons(question)
    setTimeout(() => {
      this.#isQuiet = false
      this.#update()
    }, QUIET)
    if (isWhole) void this.#hash(question)
  }

  async #hash(question: ServedQuestion): Promise<void> {
    const digest = await sha256Hex(digestedText(question))
    if (this.#view?.question !== question) return
    // What came is not what the conversation hashed: no answer would be for this.
    this.#digest = digest === question.digest ? digest : ''
    this.#update()
  }

  #setRead(): void {
    if (this.#isRead) return
    this.#isRead = true
    this.#update()
  }

  #makeButtons({ kind, answers }: ServedQuestion): void {
    const can = (answer: ServedQuestion['answers'][number]): boolean => answers.includes(answer)
    this.#yes = null
    this.#no = null
    if (kind === 'call') {
      if (can('refuse')) this.#no = button('Refuse', () => this.#refuse(), { look: 'danger' })
      if (can('allow')) this.#yes = button('Allow once', () => this.#allow(), { look: 'primary' })
    } else if (kind === 'form') {
      if (can('decline')) this.#no = button('Decline', () => this.#fillIn(false), {})
      if (can('fill_in')) this.#yes = button('Send', () => this.#fillIn(true), { look: 'primary' })
    } else if (can('change')) this.#yes = button('Ask for changes', () => this.#change(), { look: 'primary' })
    this.#buttons.replaceChildren(...[this.#no, this.#yes].filter(each => each !== null))
    const hasWords = (kind === 'call' && can('refuse')) || (kind === 'plan' && can('change'))
    this.#words.hidden = !hasWords
    const label = kind === 'plan' ? 'What is to change' : 'What to do instead, if you refuse'
    setAttribute(this.#words, 'placeholder', label)
    setAttribute(this.#words, 'aria-label', label)
  }

  #allow(): void {
    const { question } = this.#view ?? {}
    if (question && this.#mayAllow())
      void this.#send({ do: 'answer_call', question: question.id, digest: this.#digest, allow: true }, 'Allowed.')
  }

  #refuse(): void {
    const { question } = this.#view ?? {}
    const words = this.#words.value.trim()
    if (!question) return
    const digest = this.#digest
    const call: PageCall = {
      do: 'answer_call',
      question: question.id,
      digest,
      allow: false,
      ...(words !== '' && { words }),
    }
    void this.#send(call, 'Refused.')
  }

  #fillIn(isFilled: boolean): void {
    const { question } = this.#view ?? {}
    const values = isFilled ? (this.#fields?.values() ?? null) : null
    if (!question || (isFilled && !values)) return
    const call: PageCall = { do: 'answer_form', question: question.id, digest: this.#digest, values }
    void this.#send(call, isFilled ? 'Sent.' : 'Declined.')
  }

  #change(): void {
    const { question } = this.#view ?? {}
    const words = this.#words.value.trim()
    if (!question) return
    if (words === '') {
      this.#words.focus()
      this.#parts.say('Say first what is to change.', true)
      return
    }
    void this.#send({ do: 'change_plan', question: question.id, digest: this.#digest, words }, 'Sent.')
  }

  async #send(call: PageCall, done: string): Promise<void> {
    if (this.#isSending || this.#isQuiet || this.#digest === '') return
    const view = this.#view
    this.#isSending = true
    this.#update()
    const reply = await this.#parts.answer(call)
    if (reply.ok) this.#parts.say(done)
    else this.#parts.say(reply.message, reply.why !== 'answered')
    if (this.#view?.question !== view?.question) return
    // One that is answered leaves with the next line of the stream.
    this.#isSending = reply.ok
    this.#update()
  }

  #mayAllow(): boolean {
    return this.#isRead && this.#digest !== '' && !this.#isQuiet && !this.#isSending
  }

  #update(): void {
    const view = this.#view
    if (!view) return
    setAttribute(this.node, 'data-open', this.isOpen)
    this.#body.hidden = !this.isOpen
    this.#foot.hidden = !this.isOpen
    setText(this.#toggle, this.isOpen ? 'Close' : 'Review')
    setAttribute(this.#toggle, 'class', this.isOpen ? 'button small' : 'button primary small')
    setAttribute(this.#toggle, 'aria-expanded', this.isOpen ? 'true' : 'false')
    const isBlocked = view.cannot !== '' || this.#digest === '' || this.#isSending || this.#isQuiet
    if (this.#no) this.#no.disabled = isBlocked
    if (this.#yes) this.#yes.disabled = isBlocked || !this.#isRead
    this.#words.disabled = view.cannot !== '' || this.#isSending
    const hint = this.#hintText(view)
    setText(this.#hint, hint)
    this.#hint.hidden = hint === ''
  }

  #hintText({ question, cannot }: CardView): string {
    if (this.#isSending) return 'Sending…'
    if (cannot !== '') return cannot
    if (this.#digest === '' && !this.#isQuiet) return 'This question did not come whole. Answer it in the terminal.'
    if (this.#yes && !this.#isRead) return `Scroll to the end to ${question.kind === 'call' ? 'allow it' : 'answer'}.`
    return question.note
  }
}
