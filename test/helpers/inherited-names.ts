/** Names that every object inherits. On a wire, in a file and in a list they are texts like any other. */
import { isLong } from './length.ts'

export const inheritedNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype)

/** Those that a test tries in every place: one that is a function, one that is an object, one that JavaScript calls by itself. */
const triedNames = isLong ? inheritedNames : ['constructor', '__proto__', 'toString']

/** A text or an object in a JSON value. `keys` lead to it. */
type Place = { keys: readonly string[]; value: unknown }

/** Every value of JSON with one of its texts replaced by such a name, or one more member of such a name in one of its objects. */
export function eachWithInheritedName(value: unknown): unknown[] {
  return placesIn(value).flatMap(place => triedNames.map(name => changedAt(value, place, name)))
}

/** One value for each type and set of fields: those that have the same take texts in the same places. */
export function ofEachShape<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map(value => [shapeOf(value), value])).values()]
}

function shapeOf(value: unknown): string {
  const names = placesIn(value).map(({ keys, value: found }) => {
    // An item of a list has the shape of every other.
    const name = keys.filter(key => !/^\d+$/.test(key)).join('.')
    return /type$|sessionUpdate$/.test(name) ? `${name}=${String(found)}` : name
  })
  return [...new Set(names)].join(' ')
}

function placesIn(value: unknown, keys: readonly string[] = []): Place[] {
  if (typeof value === 'string') return [{ keys, value }]
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, each]) => placesIn(each, [...keys, key]))
  return Array.isArray(value) ? inner : [{ keys, value }, ...inner]
}

function changedAt(value: unknown, place: Place, name: string): unknown {
  const [key, ...keys] = place.keys
  if (key === undefined) return typeof value === 'object' && value !== null ? withMember(value, name) : name
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value
  const entries = Object.entries(value).map(([each, member]) => [
    each,
    each === key ? changedAt(member, { ...place, keys }, name) : member,
  ])
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries)
}

/** As JSON has it: a member of its own, even if its name is `__proto__`. */
const withMember = (value: object, name: string): object => Object.fromEntries([...Object.entries(value), [name, name]])
