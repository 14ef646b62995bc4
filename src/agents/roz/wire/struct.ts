/** Converts JSON to and from the Struct message of roz's wire. Pure. */
import { isObject } from '../../../text/json.ts'

export type WireStruct = { fields?: Readonly<Record<string, WireValue>> | null }

type WireValue = {
  kind?: string
  null_value?: number
  number_value?: number
  string_value?: string
  bool_value?: boolean
  struct_value?: WireStruct
  list_value?: { values?: readonly WireValue[] }
}

export function toStruct(value: Readonly<Record<string, unknown>>): WireStruct {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return { fields: Object.fromEntries(entries.map(([name, each]) => [name, toValue(each)])) }
}

export function fromStruct(struct: WireStruct | null | undefined): Record<string, unknown> {
  const entries = Object.entries(struct?.fields ?? {})
  return Object.fromEntries(entries.map(([name, value]) => [name, fromValue(value)]))
}

function toValue(value: unknown): WireValue {
  if (typeof value === 'string') return { string_value: value }
  if (typeof value === 'number') return { number_value: value }
  if (typeof value === 'boolean') return { bool_value: value }
  if (Array.isArray(value)) return { list_value: { values: value.map(toValue) } }
  if (isObject(value)) return { struct_value: toStruct({ ...value }) }
  return { null_value: 0 }
}

function fromValue({ kind, ...value }: WireValue): unknown {
  if (kind === 'struct_value') return fromStruct(value.struct_value)
  if (kind === 'list_value') return (value.list_value?.values ?? []).map(fromValue)
  return value.string_value ?? value.number_value ?? value.bool_value ?? null
}
