/** Whether values from outside fit the fields of a form: the terminal lets nobody enter others. */
import type { FormField, FormValues } from '../../agent/session-events.ts'

/** What is wrong, as a sentence; '' for nothing. */
export function formProblem(fields: readonly FormField[], values: FormValues): string {
  const given = new Map(Object.entries(values))
  const names = new Set(fields.map(({ name }) => name))
  if ([...given.keys()].some(name => !names.has(name))) return 'The form has no such field.'
  const wrong = fields.find(field => !fits(field, given.get(field.name)))
  return wrong ? `The answer to "${wrong.label}" is missing or does not fit.` : ''
}

function fits({ kind, required, choices = [] }: FormField, value: FormValues[string] | undefined): boolean {
  if (value === undefined) return !required
  const isChoice = (each: string): boolean => choices.some(choice => choice.value === each)
  switch (kind) {
    case 'text':
      return typeof value === 'string' && !(required && value.trim() === '')
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'choice':
      return typeof value === 'string' && isChoice(value)
    case 'choices':
      return Array.isArray(value) && value.every(isChoice) && !(required && value.length === 0)
  }
}
