/** The fields of a form that an agent has put. */
import type { FormValues } from '../../agent/session-events.ts'
import type { ServedQuestion } from '../../published/protocol.ts'
import { element } from './dom.ts'

type ServedField = ServedQuestion['fields'][number]
type ServedValue = FormValues[string]
type FieldView = { node: HTMLElement; value: () => ServedValue | undefined; focus: () => void }

export class FormFields {
  readonly node: HTMLElement
  readonly #fields: readonly { field: ServedField; view: FieldView }[]
  readonly #problem = element('p', { class: 'problem', role: 'alert' })

  constructor(fields: readonly ServedField[], idOfForm: string) {
    this.#fields = fields.map((field, at) => ({ field, view: fieldView(field, `${idOfForm}-${at}`) }))
    this.#problem.hidden = true
    this.node = element('div', { class: 'fields' }, ...this.#fields.map(({ view }) => view.node), this.#problem)
  }

  /** Null, with a sentence below the fields, if one that is required is empty. */
  values(): FormValues | null {
    const missing = this.#fields.find(({ field, view }) => field.required && isEmpty(view.value()))
    this.#problem.hidden = !missing
    this.#problem.textContent = missing ? `“${missing.field.label}” is required.` : ''
    missing?.view.focus()
    if (missing) return null
    return Object.fromEntries(
      this.#fields.flatMap(({ field, view }) => {
        const value = view.value()
        return value === undefined ? [] : [[field.name, value]]
      }),
    )
  }
}

function isEmpty(value: ServedValue | undefined): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function fieldView(field: ServedField, id: string): FieldView {
  switch (field.kind) {
    case 'boolean':
      return switchView(field, id)
    case 'choice':
    case 'choices':
      return choiceView(field, id)
    case 'number':
    case 'text':
      return inputView(field, id)
  }
}

function about(field: ServedField, id: string): HTMLElement | null {
  return field.about === '' ? null : element('span', { class: 'about', id: `${id}-about` }, field.about)
}

function labelOf({ label, required }: ServedField): string {
  return required ? `${label} (required)` : label
}

function inputView(field: ServedField, id: string): FieldView {
  const initial = String(field.initial ?? '')
  const described = { 'aria-describedby': field.about === '' ? null : `${id}-about` }
  const input =
    field.kind === 'number'
      ? element('input', { id, type: 'number', step: 'any', inputmode: 'decimal', ...described })
      : element('textarea', { id, rows: '2', ...described })
  input.value = initial
  return {
    node: element('div', { class: 'field' }, element('label', { for: id }, labelOf(field)), about(field, id), input),
    value: () => (input.value === '' ? undefined : field.kind === 'number' ? Number(input.value) : input.value),
    focus: () => input.focus(),
  }
}

function switchView(field: ServedField, id: string): FieldView {
  const input = element('input', { id, type: 'checkbox' })
  input.checked = field.initial === true
  return {
    node: element(
      'div',
      { class: 'field switch' },
      element('label', { class: 'choice' }, input, element('span', {}, labelOf(field))),
      about(field, id),
    ),
    value: () => input.checked,
    focus: () => input.focus(),
  }
}

function choiceView(field: ServedField, id: string): FieldView {
  const initial = Array.isArray(field.initial) ? field.initial : [field.initial]
  const inputs = field.choices.map(({ value, label, about }) => {
    const input = element('input', { type: field.kind === 'choice' ? 'radio' : 'checkbox', name: id, value })
    input.checked = initial.includes(value)
    return {
      value,
      input,
      node: element(
        'label',
        { class: 'choice' },
        input,
        element('span', {}, label, about === '' ? null : element('span', { class: 'about' }, ` ${about}`)),
      ),
    }
  })
  const chosen = (): string[] => inputs.flatMap(({ value, input }) => (input.checked ? [value] : []))
  return {
    node: element(
      'fieldset',
      { class: 'field' },
      element('legend', {}, labelOf(field)),
      about(field, id),
      ...inputs.map(({ node }) => node),
    ),
    value: () => (field.kind === 'choices' ? chosen() : chosen()[0]),
    focus: () => inputs[0]?.input.focus(),
  }
}
