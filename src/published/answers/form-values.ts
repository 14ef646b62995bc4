/** Whether values that somebody sends fit the form that they are for. */
import type { FormField, FormValues } from '../../agent/session-events.ts'
import { lookup } from '../../text/lookup.ts'

type SentValue = FormValues[string]

/** Why they do not, as a sentence; null if they do. */
export function formProblem(fields: readonly FormField[], values: FormValues): string | null {
  const names = new Set(fields.map(({ name }) => name))
  if (Object.keys(values).some(name => !names.has(name))) return 'This form has no such field.'
  for (const field of fields) {
    const value = lookup(values, field.name)
    if (isEmpty(value)) {
      if (field.required) return `"${field.label}" needs an answer.`
    } else if (!fits(field, value)) return `"${field.label}" takes another kind of answer.`
  }
  return null
}

function isEmpty(value: SentValue | undefined): value is undefined {
  return (
    value === undefined ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  )
}

function fits({ kind, choices = [] }: FormField, value: SentValue): boolean {
  const isOffered = (one: unknown): boolean => choices.some(choice => choice.value === one)
  switch (kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'choice':
      return isOffered(value)
    case 'choices':
      return Array.isArray(value) && new Set(value).size === value.length && value.every(isOffered)
  }
}
