/** Forms with which an agent asks the user for values. Pure. */
import type { FormField, FormValues } from '../../../agent/session-events.ts'
import type { WireElicitation, WireNamedValue, WireProperty } from '../frame.ts'

/** The fields of a form; null if a required one is of a kind that zotui cannot ask for. Other such fields stay empty. */
export function fieldsOf({ requestedSchema }: WireElicitation): FormField[] | null {
  const required = new Set(requestedSchema?.required)
  const fields = Object.entries(requestedSchema?.properties ?? {}).map(([name, property]) => {
    const shape = shapeOf(property)
    return shape ? Object.assign(describe(name, property), shape, { required: required.has(name) }) : name
  })
  if (fields.some(field => typeof field === 'string' && required.has(field))) return null
  return fields.filter(field => typeof field !== 'string')
}

/** The values that the agent gets: those of fields that it asked for. */
export function valuesOf(fields: readonly FormField[], values: FormValues): FormValues {
  const names = new Set(fields.map(({ name }) => name))
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)))
}

function describe(name: string, { title, description, default: initial }: WireProperty) {
  return {
    name,
    label: title || name,
    ...(isInitial(initial) && { initial }),
    ...(description && { about: description }),
  }
}

type FieldShape = Pick<FormField, 'kind' | 'choices'>

function shapeOf({ type, enum: values, oneOf, items }: WireProperty): FieldShape | null {
  switch (type) {
    case 'string': {
      const choices = choicesOf(values, oneOf)
      return choices.length > 0 ? { kind: 'choice', choices } : { kind: 'text' }
    }
    case 'number':
    case 'integer':
      return { kind: 'number' }
    case 'boolean':
      return { kind: 'boolean' }
    case 'array': {
      const choices = choicesOf(items?.enum, items?.anyOf)
      return choices.length > 0 ? { kind: 'choices', choices } : null
    }
    default:
      return null
  }
}

function choicesOf(
  values: readonly string[] | null | undefined,
  named: readonly WireNamedValue[] | null | undefined,
): NonNullable<FormField['choices']> {
  if (named)
    return named.map(({ const: value, title, description }) => ({
      value,
      label: title || value,
      ...(description && { about: description }),
    }))
  return (values ?? []).map(value => ({ value, label: value }))
}

function isInitial(value: unknown): value is NonNullable<FormField['initial']> {
  return (
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (Array.isArray(value) && value.every(each => typeof each === 'string'))
  )
}
