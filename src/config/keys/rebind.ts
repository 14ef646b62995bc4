/** Applies `keys.json` to the table of keys. Pure. */
import { bareName } from './action-name.ts'
import type { FileNotice } from '../document/jsonc.ts'
import type { WrittenBinding } from './document.ts'
import { isText, legacyTwin, parseKey } from './key-name.ts'
import { didYouMean } from '../document/did-you-mean.ts'

/** The fields of a binding that are needed here. Several rows of a context may have the same name. */
export type KeyTableRow = {
  readonly context: string
  /** The action's name in `keys.json`; see `actionName`. */
  readonly name: string
  readonly keys: readonly string[]
  /** Its keys cannot be unbound: a user who is lost needs them. */
  readonly fixed?: boolean
}

export type Rebound<Row extends KeyTableRow> = { rows: Row[]; notices: FileNotice[] }

/** A valid binding. `name` is spelt as in the table. */
type Change = { context: string; key: string; name: string; line: number; unbinds: boolean }

/** The contexts without text input: characters can be bound there. */
const READING = new Set(['viewer', 'diff'])

/**
 * Binds and unbinds keys. A key has one action in a context: a binding replaces the table's action, and a later one replaces an
 * earlier one. Both add a notice with the two names, unless the file unbinds the old action. Invalid bindings add a notice and
 * ignored.
 */
export function rebind<Row extends KeyTableRow>(
  table: readonly Row[],
  bindings: readonly WrittenBinding[],
): Rebound<Row> {
  const notices: FileNotice[] = []
  const changes = bindings.flatMap(binding => {
    const change = understood(table, binding)
    if ('text' in change) notices.push(change)
    return 'text' in change ? [] : [change]
  })
  const keys = new Board(table)
  // Keys are unbound first, so that the order in the file does not matter.
  for (const change of changes) if (change.unbinds) notices.push(...keys.unbind(change))
  for (const change of changes) if (!change.unbinds) notices.push(...keys.bind(change))
  notices.push(...keys.dropUnreachable())
  return { rows: keys.rows(), notices: notices.toSorted((a, b) => a.line - b.line) }
}

function understood(
  table: readonly KeyTableRow[],
  { context, key, action, line }: WrittenBinding,
): Change | FileNotice {
  const contexts = [...new Set(table.map(row => row.context))]
  if (!contexts.includes(context)) {
    return {
      line,
      text: `there is no context ${context}${didYouMean(context, contexts) || `; there are ${contexts.join(', ')}`}`,
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
    return { line, text: `${context}: ${key} types a character there and cannot be bound` }
  }
  return { context, key: parsed.key, name, line, unbinds }
}

function near(table: readonly KeyTableRow[], context: string, bare: string): string {
  const inOtherContext = table.find(row => bareName(row.name) === bare)
  if (inOtherContext) return `; ${inOtherContext.context} has one`
  const ofContext = table.filter(row => row.context === context)
  const names = new Map(ofContext.map(row => [bareName(row.name), row.name]))
  return didYouMean(bare, names.keys(), found => names.get(found) ?? found)
}

/** The owner of a key: a row of the table, and the line that gave it the key; 0 for the table itself. */
type Owner = { row: number; line: number }

/** The owner of each key while the bindings are applied. */
class Board<Row extends KeyTableRow> {
  readonly #table: readonly Row[]
  readonly #owners = new Map<string, Map<string, Owner>>()
  /** The context, the key and the name of each action that lost its key. */
  readonly #unbound = new Set<string>()

  constructor(table: readonly Row[]) {
    this.#table = table
    for (const [row, { context, keys }] of table.entries()) {
      for (const key of keys) this.#of(context).set(key, { row, line: 0 })
    }
  }

  unbind({ context, key, name, line }: Change): FileNotice[] {
    const owner = this.#of(context).get(key)
    const now = owner && this.#table[owner.row]
    // A file for two versions of zotui may use both names of the action.
    const binding = `${context} ${key} ${name}`
    if (!owner && this.#unbound.has(binding)) return []
    if (!owner || now?.name !== name) {
      return [
        { line, text: `${context}: ${key} is not bound to ${name}${now ? `, but to ${now.name}` : ''}`, isNote: true },
      ]
    }
    if (now.fixed) return [{ line, text: `${context}: ${key} cannot be unbound from ${name}` }]
    this.#of(context).delete(key)
    this.#unbound.add(binding)
    return []
  }

  bind({ context, key, name, line }: Change): FileNotice[] {
    const row = this.#table.findIndex(each => each.context === context && each.name === name)
    const owner = this.#of(context).get(key)
    const before = owner && this.#table[owner.row]
    if (before?.name === name) return []
    const [first = ''] = key.split(' ')
    const fixed = this.#table.find(each => each.fixed && each.keys.includes(each.context === context ? key : first))
    if (fixed) return [{ line, text: `${context}: ${key} always does ${fixed.name} and cannot be bound to ${name}` }]
    this.#of(context).set(key, { row, line })
    const twin = legacyTwin(key)
    return [
      ...(owner && before
        ? [{ line, text: taken(context, key, name, before.name, owner.line), isNote: true as const }]
        : []),
      ...(twin ? [{ line, text: `${context}: most terminals send ${twin} for ${key}`, isNote: true as const }] : []),
    ]
  }

  /** A bound key cannot also begin a sequence of two keys. The user's binding wins over the table's. */
  dropUnreachable(): FileNotice[] {
    const notices: FileNotice[] = []
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
          notices.push({
            line,
            text: `${context}: ${lostKey} no longer does ${names[0]}, since ${keptKey} does ${names[1]}`,
            isNote: true,
          })
        }
      }
    }
    return notices
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
    ? `${context}: ${key} now does ${name} instead of ${before}; add "-${before}" to confirm this`
    : `${context}: ${key} is bound to ${before} (line ${line}) and to ${name}; ${name} is used`
}
