/** The grid of the context window as a language: a letter for each kind, or solid cells in colours. */
import type { Language } from 'highlight.js'
import type { CodeSpan } from '../block.ts'

/** The language name of a fence with such a grid. */
export const WINDOW_LANGUAGE = 'context-window'

/** The letters of each kind, and the kind of code whose colour it gets. */
const KINDS: readonly (readonly [signs: string, scope: string])[] = [
  ['s', 'keyword'],
  ['i', 'title'],
  ['k', 'type'],
  ['m', 'number'],
  ['p', 'string'],
  ['a', 'variable'],
  ['r', 'meta'],
  ['t', 'attribute'],
  ['[.·-]', 'comment'],
]

export function windowLanguage(): Language {
  return {
    name: WINDOW_LANGUAGE,
    contains: KINDS.map(([signs, scope]) => ({ scope, begin: `(?<!\\w)${signs}(?: ${signs})*(?!\\w)` })),
  }
}

/** The line with a filled cell for each letter and an empty cell for each dash. */
export function withCells(spans: readonly CodeSpan[]): CodeSpan[] {
  return spans.map(span =>
    span.style === null ? span : { ...span, text: span.text.replaceAll(/[a-z]/g, '■').replaceAll('-', '□') },
  )
}
