/** The agent's own questions: forms that are filled in field by field. Esc declines, whichever field is open. */
import type { EventOf } from '../../agent/event.ts'
import type { FormField, FormValues } from '../../agent/session-events.ts'
import { askerOf } from '../../conversation/queries/task-words.ts'
import type { AppContext } from '../context/context.ts'
import type { AskedQuestion } from './panel.ts'

type AskedForm = EventOf<'question_asked'>
type FieldValue = FormValues[string]
type FieldStep = Pick<AskedQuestion, 'answers' | 'typed' | 'selected'>

const NEEDED = 'This question needs an answer.'

export class FormQuestions {
  readonly #parts: Pick<AppContext, 'backend' | 'state' | 'hint' | 'keyed'>
  readonly #refresh: () => void
  #current: string | null = null
  #at = 0
  #values = new Map<string, FieldValue>()
  /** Answered here, and not yet confirmed by the agent. */
  readonly #answered = new Set<string>()

  constructor(parts: Pick<AppContext, 'backend' | 'state' | 'hint' | 'keyed'>, refresh: () => void) {
    this.#parts = parts
    this.#refresh = refresh
  }

  /** The forms that wait for an answer. */
  waiting(): readonly AskedForm[] {
    const { forms } = this.#parts.state().chat
    for (const id of this.#answered) if (!forms.some(form => form.id === id)) this.#answered.delete(id)
    return forms.filter(({ id }) => !this.#answered.has(id))
  }

  /** Answers a waiting form from outside the panel, once; null declines it. What is filled in of another one stays. */
  answerBeside(id: string, values: FormValues | null): boolean {
    const form = this.waiting().find(each => each.id === id)
    if (form) this.#answer(form, values)
    return form !== undefined
  }

  /** The form to fill in now; null if there is none. */
  asked(): AskedQuestion | null {
    const { state } = this.#parts
    const [form] = this.waiting()
    if (!form) return null
    if (form.id !== this.#current) this.#begin(form)
    const field = form.fields[this.#at]
    const count = form.fields.length
    const about = field?.about ?? ''
    const { label, isRequired } = { label: field?.label ?? '', isRequired: field?.required === true }
    const place = count > 1 ? ` (${this.#at + 1} of ${count})` : ''
    return {
      id: `form ${form.id}`,
      step: `field ${this.#at}`,
      title: `${askerOf(state().chat, form.task) ?? 'The agent'} asks you${place}${field && !isRequired ? ', optional' : ''}`,
      content: { kind: 'form', message: form.message, label: isTyped(field) ? '' : label, about },
      ...this.#stepOf(form, field),
      leave: () => this.#answer(form, null),
      moves: { previous: () => this.#back() },
    }
  }

  /** The agent's suggestion is selected first. */
  #begin(form: AskedForm): void {
    this.#current = form.id
    this.#at = 0
    const initial = form.fields.filter(field => field.initial !== undefined)
    this.#values = new Map(initial.map(({ name, initial: value = '' }) => [name, value]))
  }

  #stepOf(form: AskedForm, field: FormField | undefined): FieldStep {
    if (!field) {
      return {
        answers: [
          { label: 'Yes', detail: '', move: 'yes', run: () => this.#answer(form, {}) },
          { label: 'No', detail: 'declines', move: 'no', run: () => this.#answer(form, null) },
        ],
      }
    }
    const set = (value: FieldValue | undefined): void => this.#setField(form, field, value)
    const value = this.#values.get(field.name)
    const skip = { label: 'No answer', detail: 'skips it', move: null, run: () => set(undefined) }
    const rest = field.required ? [] : [skip]
    switch (field.kind) {
      case 'text':
      case 'number':
        return {
          answers: [],
          typed: {
            label: field.label,
            text: value === undefined ? '' : String(value),
            run: text => this.#typed(field, text, set),
          },
        }
      case 'boolean':
        return {
          selected: value === false ? 1 : 0,
          answers: [
            { label: 'Yes', detail: '', move: 'yes', run: () => set(true) },
            { label: 'No', detail: '', move: 'no', run: () => set(false) },
            ...rest,
          ],
        }
      case 'choice':
        return choiceStep(field, value, set, rest)
      case 'choices':
        return this.#choicesStep(field, value, set)
    }
  }

  /** A multiple choice: each row turns one value on or off, and the last row continues. */
  #choicesStep(
    field: FormField,
    value: FieldValue | undefined,
    set: (value: FieldValue | undefined) => void,
  ): FieldStep {
    const { hint, keyed } = this.#parts
    const { name, choices = [], required } = field
    const chosen = Array.isArray(value) ? value : []
    const toggle = (one: string): void => {
      const isOn = chosen.includes(one)
      this.#values.set(name, isOn ? chosen.filter(each => each !== one) : [...chosen, one])
      this.#refresh()
    }
    const rows = choices.map(choice => ({
      label: `[${chosen.includes(choice.value) ? 'x' : ' '}] ${choice.label}`,
      detail: choice.about ?? '',
      move: null,
      run: () => toggle(choice.value),
    }))
    const done = (): void => {
      if (required && chosen.length === 0) hint(`${NEEDED}${keyed(' {question.leave} declines the question.')}`)
      else set(chosen.length === 0 && !required ? undefined : chosen)
    }
    return { answers: [...rows, { label: 'Done', detail: `${chosen.length} chosen`, move: null, run: done }] }
  }

  #typed(field: FormField, text: string, set: (value: FieldValue | undefined) => void): void {
    const { hint, keyed } = this.#parts
    const value = text.trim()
    if (value === '' && field.required)
      return hint(`${NEEDED}${keyed(' {typed.question_leave} declines the question.')}`)
    if (value === '') return set(undefined)
    if (field.kind === 'text') return set(text)
    const number = Number(value)
    if (!Number.isFinite(number)) return hint(`"${value}" is not a number.`)
    set(number)
  }

  #setField(form: AskedForm, { name }: FormField, value: FieldValue | undefined): void {
    if (value === undefined) this.#values.delete(name)
    else this.#values.set(name, value)
    this.#at += 1
    if (this.#at >= form.fields.length) this.#answer(form, Object.fromEntries(this.#values))
    else this.#refresh()
  }

  #back(): void {
    this.#at = Math.max(0, this.#at - 1)
    this.#refresh()
  }

  #answer({ id }: AskedForm, reply: FormValues | null): void {
    const { backend } = this.#parts
    this.#answered.add(id)
    if (this.#current === id) this.#current = null
    backend.answerQuestion(id, reply, reply === null ? 'declined' : 'given')
    this.#refresh()
  }
}

const isTyped = (field: FormField | undefined): boolean => field?.kind === 'text' || field?.kind === 'number'

function choiceStep(
  { choices = [] }: FormField,
  value: FieldValue | undefined,
  set: (value: FieldValue) => void,
  rest: FieldStep['answers'],
): FieldStep {
  return {
    selected: Math.max(
      0,
      choices.findIndex(choice => choice.value === value),
    ),
    answers: [
      ...choices.map(({ label, about = '', value: one }) => ({
        label,
        detail: about,
        move: null,
        run: () => set(one),
      })),
      ...rest,
    ],
  }
}
