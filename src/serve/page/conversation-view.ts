/** One conversation: its head, its transcript, what waits, and the composer. */
import { roleOrder } from './role-order.ts'
import type { OutsideReply } from '../../published/outside-call.ts'
import type { PageConversation, PageStatus } from '../page-lines.ts'
import type { PageCall } from './calls.ts'
import { Composer } from './composer.ts'
import { stateText } from './conversation-list.ts'
import { button, element, iconOf, setAttribute, setText } from './dom.ts'
import type { PageState } from './page-state.ts'
import { QuestionCard } from './question-card.ts'
import { BlockWindow, type TranscriptParts } from './transcript-window.ts'
import { WaitingPrompts } from './waiting-prompts.ts'
import { costWords, countWords, lastingWords } from './words.ts'

export type ConversationViewParts = TranscriptParts & {
  ask: (conversation: string, call: PageCall) => Promise<OutsideReply>
  say: (sentence: string, isProblem?: boolean) => void
  onBack: () => void
  onQuestion: (isOpen: boolean) => void
}

export class ConversationView {
  readonly node = element('section', { class: 'conversation-view', 'aria-label': 'Conversation' })
  readonly transcript: BlockWindow
  readonly question: QuestionCard
  readonly composer: Composer
  readonly #parts: ConversationViewParts
  readonly #title = element('h1', { tabindex: '-1' })
  readonly #where = element('p', { class: 'where' })
  readonly #watching = element('span', { 'aria-hidden': 'true' })
  readonly #watchers = element('span', { class: 'watchers', role: 'img' }, iconOf('eye'), this.#watching)
  readonly #model = element('select', { 'aria-label': 'Model' })
  readonly #stop = button('Stop', () => void this.#ask({ do: 'stop' }), {
    look: 'danger small',
    icon: 'stop',
    label: 'Stop the turn',
  })
  readonly #doing = element('span')
  readonly #activity = element('p', { class: 'activity' }, this.#doing)
  readonly #waiting: WaitingPrompts
  readonly #nothing = element('div', { class: 'nothing-open' })
  readonly #inside = element('div', { class: 'open-conversation' })
  #id: string | null = null
  #models = ''

  constructor(parts: ConversationViewParts) {
    this.#parts = parts
    const ask = async (call: PageCall): Promise<OutsideReply> => this.#ask(call)
    this.transcript = new BlockWindow(parts)
    this.question = new QuestionCard({
      answer: async call => this.#answer(call),
      say: parts.say,
      onToggle: parts.onQuestion,
    })
    this.composer = new Composer({ ask: async call => this.#answer(call), say: parts.say })
    this.#waiting = new WaitingPrompts({ ask })
    const head = element(
      'header',
      { class: 'head' },
      button('', parts.onBack, { look: 'plain back', icon: 'back', label: 'All conversations' }),
      element('div', { class: 'names' }, this.#title, this.#where),
      this.#watchers,
      this.#stop,
    )
    const bottom = element(
      'div',
      { class: 'bottom' },
      this.question.node,
      element('div', { class: 'status-row' }, this.#activity, this.#model),
      this.#waiting.node,
      this.composer.node,
    )
    this.#inside.append(head, this.transcript.node, bottom)
    this.#model.addEventListener('change', () => void this.#ask({ do: 'set_model', model: this.#model.value }))
    this.#nothing.append(element('p', {}, 'Choose a conversation.'))
    this.node.append(this.#nothing, this.#inside)
  }

  show(state: PageState, id: string | null, now: number): void {
    const conversation = id === null ? null : state.conversation(id)
    this.#nothing.hidden = id !== null
    this.#inside.hidden = id === null
    this.#id = id
    if (id === null) return
    this.#showHead(conversation, state.isListed)
    const cannot = this.#cannot(conversation, state)
    const status = state.watched?.id === id ? state.watched.status : null
    this.#showStatus(status, conversation, cannot.steer === '', now)
    this.transcript.show(state.watched?.id === id ? state.watched : null)
    const questions = state.questionsOf(id)
    const [question] = questions
    this.question.show(
      question && conversation?.isThere === true
        ? { question, place: questions.length > 1 ? `1 of ${questions.length}` : '', cannot: cannot.answer }
        : null,
    )
    this.#waiting.show(status?.queue ?? { entries: [], paused: false }, cannot.steer === '')
    this.composer.node.hidden = state.device?.role !== 'steer'
    this.composer.show({
      id: conversation?.session ?? id,
      isWorking: status?.isWorking === true,
      takesSteer: conversation?.takes.includes('steer') === true,
      cannot: cannot.steer,
    })
  }

  /** The time of a turn that runs. */
  tick(state: PageState, now: number): void {
    const status = state.watched?.id === this.#id ? state.watched?.status : null
    if (status) this.#showActivity(status, now)
  }

  focusTitle(): void {
    this.#title.focus({ preventScroll: true })
  }

  #showHead(conversation: PageConversation | null, isListed: boolean): void {
    const isGone = isListed && !conversation
    const title = conversation?.title ?? ''
    setText(this.#title, isGone ? 'This conversation has ended' : title === '' ? 'A new conversation' : title)
    const where = conversation
      ? [conversation.folder, conversation.branch ?? '', conversation.agent, stateText(conversation)]
      : []
    setText(this.#where, where.filter(each => each !== '').join(' · '))
  }

  #showStatus(status: PageStatus | null, conversation: PageConversation | null, maySteer: boolean, now: number): void {
    const names = status?.watchers ?? []
    setText(this.#watching, String(names.length))
    this.#watchers.hidden = names.length < 2
    const words = `${names.length} watch: ${names.join(', ')}`
    setAttribute(this.#watchers, 'title', words)
    setAttribute(this.#watchers, 'aria-label', words)
    this.#showModels(status, maySteer && conversation?.takes.includes('set_model') === true)
    this.#stop.hidden = status?.isWorking !== true
    if (status) this.#showActivity(status, now)
    else this.#activity.hidden = true
  }

  #showModels(status: PageStatus | null, mayChange: boolean): void {
    const models = status?.models ?? []
    this.#model.hidden = !mayChange || models.length < 2
    const key = JSON.stringify(models)
    if (key !== this.#models) {
      this.#models = key
      this.#model.replaceChildren(...models.map(({ id, name }) => element('option', { value: id }, name)))
    }
    if (status && this.#model !== document.activeElement) this.#model.value = status.model
  }

  #showActivity({ isWorking, activity, since, tokens, costUsd, mode }: PageStatus, now: number): void {
    const counts = tokens.input + tokens.output > 0 ? `↑${countWords(tokens.input)} ↓${countWords(tokens.output)}` : ''
    const lasts = isWorking && since !== null ? lastingWords(now - since) : ''
    const facts = [
      isWorking ? activity || 'Working' : '',
      lasts,
      counts,
      costWords(costUsd),
      mode === '' ? '' : `mode ${mode}`,
    ]
    const words = facts.filter(each => each !== '').join(' · ')
    setText(this.#doing, words)
    setAttribute(this.#activity, 'data-working', isWorking)
    this.#activity.hidden = words === ''
  }

  #cannot(conversation: PageConversation | null, { device, isListed }: PageState): { answer: string; steer: string } {
    const role = device?.role ?? 'view'
    const reason = !isListed
      ? 'Connecting…'
      : !conversation?.isThere
        ? 'This conversation has ended.'
        : !conversation.takesAnswers
          ? 'The person at the terminal has not allowed this yet: /serve there asks.'
          : ''
    const may = (wanted: 'answer' | 'steer'): string =>
      roleOrder.indexOf(role) >= roleOrder.indexOf(wanted) ? reason : 'This device may only watch.'
    return { answer: may('answer'), steer: may('steer') }
  }

  /** The one who asked says what became of it. */
  async #answer(call: PageCall): Promise<OutsideReply> {
    return this.#id === null ? { ok: false, why: 'gone', message: '' } : this.#parts.ask(this.#id, call)
  }

  /** Says what became of it, if that cannot be seen. */
  async #ask(call: PageCall): Promise<OutsideReply> {
    const reply = await this.#answer(call)
    if (!reply.ok) this.#parts.say(reply.message, true)
    return reply
  }
}
