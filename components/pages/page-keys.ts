/** The keys of a page. */
import type { Binding } from '../../src/state/binding.ts'

export type PageKeys<How extends string> = {
  /** The name of the keys in `keys.json`. */
  context: string
  /** Their heading in /help. */
  heading: string
  rows: readonly PageKey<How>[]
  /** True if they are keys of a text field: then those of the composer that edit do so here, too. */
  areOfField?: boolean
}

export type PageKey<How extends string> = {
  keys: readonly string[]
  how: How
  help: string
  /** True if every user knows the key: /help omits it. */
  isKnown?: boolean
}

export function key<How extends string>(keys: readonly string[], how: How, help: string): PageKey<How> {
  return { keys, how, help }
}

/** A key that /help omits. */
export function knownKey<How extends string>(keys: readonly string[], how: How, help: string): PageKey<How> {
  return { keys, how, help, isKnown: true }
}

/** The rows of the table of all keys. */
export function bindingsOf({ context, heading, rows, areOfField = false }: PageKeys<string>): Binding[] {
  return rows.map(({ how, ...row }): Binding => ({
    ...row,
    context,
    heading,
    action: { do: 'page', how },
    ...(areOfField && { isOfField: true }),
  }))
}
