/** Finds symbols after `@#`. They are listed at the first request, and again when that list is old. */
import { rank } from '../../composer/ranking.ts'
import type { SymbolList } from '../../platform/symbols/list-symbols.ts'
import type { FoundSymbol } from '../../state/state.ts'

export type SymbolSearch = {
  /** The matching symbols, and a line that says why there are none; null if there are some. */
  find: (query: string) => { symbols: readonly FoundSymbol[]; note: string | null }
}

export type SymbolSearchParts = {
  list: () => Promise<SymbolList>
  now: () => number
  /** Called when other symbols may match the same query. */
  onChange: () => void
}

/** The maximum of symbols that are shown. */
const LIMIT = 50
/** Milliseconds for which a list is fresh. */
const FRESH = 30_000
/** The number of lines of a symbol whose end is unknown. */
const LINES = 30

export function createSymbolSearch({ list, now, onChange }: SymbolSearchParts): SymbolSearch {
  let known: SymbolList | null = null
  let listed = Number.NEGATIVE_INFINITY
  let isListing = false

  return {
    find(query) {
      if (!isListing && now() - listed > FRESH) void load()
      if (known === null) return { symbols: [], note: 'Reading symbols.' }
      const matches = rank(query, known.symbols, ({ name }) => name)
      const symbols = matches.slice(0, LIMIT).map(({ item: { name, kind, path, from, to }, positions }) => {
        const lines = from === null ? null : { from, to: Math.max(from, to ?? from + LINES - 1) }
        return { name, kind, path, lines, positions }
      })
      const isEmpty = symbols.length === 0 && query !== ''
      return { symbols, note: known.problem ?? (isEmpty ? `No symbol matches ${query}.` : null) }
    },
  }

  async function load(): Promise<void> {
    isListing = true
    known = await list()
    listed = now()
    isListing = false
    onChange()
  }
}
