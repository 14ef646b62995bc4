/** What a query looks for, and how it is asked of the index. */
import { wordsOf } from './words.ts'

export type Sought = {
  /** Words that have to be there, in any order. */
  words: readonly string[]
  /** A word that has to begin with this; null for none. */
  beginning: string | null
  /** Texts that have to be there as they stand, but for case and the length of spaces. Their words are in `words`, too. */
  phrases: readonly string[]
}

/** Further words of a query are left out: each makes it slower, and nobody types so many. */
const MOST_WORDS = 32

export function readQuery(typed: string): Sought {
  const words: string[] = []
  const phrases: string[] = []
  let beginning: string | null = null
  const parts = typed.split('"')
  parts.forEach((part, index) => {
    const isQuoted = index % 2 === 1
    const isLast = index === parts.length - 1
    const found = wordsOf(part)
    const last = found.at(-1)
    // The word that is being typed; also in a phrase whose second quotation mark is still to come.
    if (isLast && last?.to === part.length) {
      beginning = last.word
      found.pop()
    }
    words.push(...found.map(({ word }) => word))
    const phrase = evenSpaces(part).trim()
    if (isQuoted && wordsOf(phrase).length > 0) phrases.push(phrase)
  })
  return { words: [...new Set(words)].slice(0, MOST_WORDS), beginning, phrases: phrases.slice(0, MOST_WORDS) }
}

/**
 * The query in the language of SQLite's FTS5; empty if there is no word in it. `marks` are words that only the index has. With `isWhole`
 * the last word has to be there as a whole.
 */
export function matchOf({ words, beginning }: Sought, marks: readonly string[], isWhole = false): string {
  if (words.length === 0 && beginning === null) return ''
  return [
    ...[...words, ...marks].map(word => `"${word}"`),
    ...(beginning === null ? [] : [isWhole ? `"${beginning}"` : `"${beginning}" *`]),
  ].join(' AND ')
}

/** Whether a text has the phrases. The index knows only that it has their words. */
export function hasPhrases(text: string, phrases: readonly string[]): boolean {
  if (phrases.length === 0) return true
  const even = evenSpaces(text)
  return phrases.every(phrase => even.includes(phrase))
}

function evenSpaces(text: string): string {
  return text.replaceAll(/\s+/g, ' ').toLowerCase()
}
