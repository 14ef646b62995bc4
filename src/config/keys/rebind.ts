/** The table of keys with a person's wishes put into it. Pure. */
import { bareName } from './action-name.ts'
import type { KeyRemark, KeyWish } from './document.ts'
import { isText, legacyTwin, parseKey } from './key-name.ts'
import { nearest } from '../../text/nearest.ts'

/** As much of a binding as is looked at here. Several rows of a context may have one name. */
export type KeyRow = {
  readonly context: string
  /** What `keys.json` calls the action; see `actionName`. */
  readonly name: string
  readonly keys: readonly string[]
  /** Its keys cannot be taken away: what somebody needs who is lost. */
  readonly fixed?: boolean
}

export type Rebound<Row extends KeyRow> = { rows: Row[]; remarks: KeyRemark[] }

/** A wish that was understood. `name` is spelt as in the table. */
type Change = { context: string; key: string; name: string; line: number; unbinds: boolean }

/** In these a character is something to read, not something to type. */
const READING = new Set(['viewer', 'diff'])

/**
 * Binds and unbinds. A key has one action in a context: a wish takes it from the table's own, and of two wishes the later
 * counts; either is remarked with both names, unless the old one was unbound in so many words. Wishes that cannot be
 * understood are remarked and left out.
 */
export function rebind<Row extends KeyRow>(table: readonly Row[], wishes: readonly KeyWish[]): Rebound<Row> {
  const remarks: KeyRemark[] = []
  const changes = wishes.flatMap(wish => {
    const change = understood(table, wish)
    if ('text' in change) remarks.push(change)
    return 'text' in change ? [] : [change]
  })
  const keys = new Board(table)
  // What is let go first: then the order in the file does not matter.
  for (const change of changes) if (change.unbinds) remarks.push(...keys.unbind(change))
  for (const change of changes) if (!change.unbinds) remarks.push(...keys.bind(change))
  remarks.push(...keys.dropUnreachable())
  return { rows: keys.rows(), remarks: remarks.toSorted((a, b) => a.line - b.line) }
}

function understood(table: readonly KeyRow[], { context, key, action, line }: KeyWish): Change | KeyRemark {
  const contexts = [...new Set(table.map(row => row.context))]
  if (!contexts.includes(context)) {
    return {
      line,
      text: `there is no context ${context}; ${suggestion(context, contexts) ?? `there are ${contexts.join(', ')}`}`,
    }
  }
  const unbinds = action.startsWith('-')
  const bare = bareName(action)
  const name = table.find(row => row.context === context && bareName(row.name) === bare)?.name
  if (name === undefined) return { line, text: `${context} has no action ${action}${near(table, context, bare)}` }
  const parsed = parseKey(key)
  if (!parsed.ok) return { line, text: `${context}: ${key} ${parsed.reason}` }
  const first = parsed.key.split(' ')[0] ?? ''
  if (!unbinds && !READING.has(context) && isText(first)) {
    return { line, text: `${context}: ${key} types a character there, and cannot be bound` }
  }
  return { context, key: parsed.key, name, line, unbinds }
}

function suggestion(word: string, words: readonly string[]): string | null {
  const found = nearest(word.toLowerCase(), words)
  return found === null ? null : `did you mean ${found}?`
}

function near(table: readonly KeyRow[], context: string, bare: string): string {
  const elsewhere = table.find(row => bareName(row.name) === bare)
  if (elsewhere) return `; ${elsewhere.context} has one`
  const names = new Map(table.filter(row => row.context === context).map(row => [bareName(row.name), row.name]))
  const found = nearest(bare, [...names.keys()])
  return found === null ? '' : `; did you mean ${names.get(found) ?? found}?`
}

/** Whose a key is: a row of the table, and the line that gave it the key; 0 for the table's own. */
type Owner = { row: number; line: number }

/** Which row has which key, while that changes. */
class Board<Row extends KeyRow> {
  readonly #table: readonly Row[]
  readonly #owners = new Map<string, Map<string, Owner>>()

  constructor(table: readonly Row[]) {
    this.#table = table
    for (const [row, { context, keys }] of table.entries()) {
      for (const key of keys) this.#of(context).set(key, { row, line: 0 })
    }
  }

  unbind({ context, key, name, line }: Change): KeyRemark[] {
    const owner = this.#of(context).get(key)
    const now = owner && this.#table[owner.row]
    if (!owner || now?.name !== name) {
      return [{ line, text: `${context}: ${key} does not do ${name}${now ? `, but ${now.name}` : ''}`, isNote: true }]
    }
    if (now.fixed) return [{ line, text: `${context}: ${key} cannot be taken from ${name}` }]
    this.#of(context).delete(key)
    return []
  }

  bind({ context, key, name, line }: Change): KeyRemark[] {
    const row = this.#table.findIndex(each => each.context === context && each.name === name)
    const owner = this.#of(context).get(key)
    const before = owner && this.#table[owner.row]
    if (before?.name === name) return []
    if (before?.fixed) return [{ line, text: `${context}: ${key} is ${before.name}, and cannot be ${name}` }]
    this.#of(context).set(key, { row, line })
    const twin = legacyTwin(key)
    return [
      ...(owner && before
        ? [{ line, text: taken(context, key, name, before.name, owner.line), isNote: true as const }]
        : []),
      ...(twin ? [{ line, text: `${context}: most terminals send ${twin} for ${key}`, isNote: true as const }] : []),
    ]
  }

  /** A key that does something by itself is never the first of two. What the person asked for goes before our own. */
  dropUnreachable(): KeyRemark[] {
    const remarks: KeyRemark[] = []
    for (const [context, owners] of this.#owners) {
      for (const [key, both] of owners) {
        const [first = '', second] = key.split(' ')
        const alone = owners.get(first)
        if (second === undefined || !alone) continue
        const ours = alone.line === 0 && both.line > 0 && this.#table[alone.row]?.fixed !== true
        owners.delete(ours ? first : key)
        const [lost, kept] = ours ? [alone, both] : [both, alone]
        const line = Math.max(alone.line, both.line)
        const [lostKey, keptKey] = ours ? [first, key] : [key, first]
        const names = [lost, kept].map(({ row }) => this.#table[row]?.name ?? '')
        if (line > 0) {
          remarks.push({
            line,
            text: `${context}: ${lostKey} no longer does ${names[0]}, since ${keptKey} does ${names[1]}`,
            isNote: true,
          })
        }
      }
    }
    return remarks
  }

  rows(): Row[] {
    return this.#table.map((row, index) => {
      const mine = [...this.#of(row.context)].filter(([, owner]) => owner.row === index).map(([key]) => key)
      return { ...row, keys: mine }
    })
  }

  #of(context: string): Map<string, Owner> {
    const known = this.#owners.get(context) ?? new Map<string, Owner>()
    this.#owners.set(context, known)
    return known
  }
}

function taken(context: string, key: string, name: string, before: string, line: number): string {
  return line === 0
    ? `${context}: ${key} does ${name} now, and no longer ${before}; add "-${before}" if you mean it`
    : `${context}: ${key} is both ${before} (line ${line}) and ${name}; ${name} counts`
}
