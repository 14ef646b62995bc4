/** The grid of the context window as a language: each kind has a colour beside its letter. */
import type { Language } from 'highlight.js'

/** What a fence with such a grid is called. */
export const WINDOW_LANGUAGE = 'context-window'

/** The signs of one kind, and what has such a colour in code. */
const KINDS: readonly (readonly [signs: string, scope: string])[] = [
  ['s', 'keyword'],
  ['i', 'title'],
  ['k', 'type'],
  ['m', 'meta'],
  ['p', 'string'],
  ['a', 'variable'],
  ['r', 'number'],
  ['t', 'literal'],
  ['[.·-]', 'comment'],
]

export function windowLanguage(): Language {
  return {
    name: WINDOW_LANGUAGE,
    contains: KINDS.map(([signs, scope]) => ({ scope, begin: `${signs}(?: ${signs})*` })),
  }
}
