/**
 * The words of a text, the same for the index and for what is looked for: letters and digits, without case and marks, so that `Café`
 * is found by `cafe`. What stands between them separates them, also `_` and `.`. Scripts that are written without spaces have a word
 * for each character.
 */

/** A word as it is compared, and its place in the text, in UTF-16 units. */
export type WordPlace = { word: string; from: number; to: number }

/** Characters of a word that count: keys and encoded data are longer, and are found by their beginning. */
const LONGEST_WORD = 64

const spaceless = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map(script => String.raw`\p{Script=${script}}`)
  .join('')
const anyWord = new RegExp(String.raw`[${spaceless}]\p{M}*|(?:(?![${spaceless}])[\p{L}\p{N}\p{M}])+`, 'gu')
const plainWord = /[A-Za-z0-9]+/g
const beyondPlain = /\P{ASCII}/u

export function wordsOf(text: string): WordPlace[] {
  const isPlain = !beyondPlain.test(text)
  const words: WordPlace[] = []
  for (const match of text.matchAll(isPlain ? plainWord : anyWord)) {
    const [written] = match
    const word = isPlain ? written.slice(0, LONGEST_WORD).toLowerCase() : compared(written)
    if (word !== '') words.push({ word, from: match.index, to: match.index + written.length })
  }
  return words
}

/** A text from which SQLite's tokenizer `ascii` makes the words of `wordsOf`. Most texts stay as they are, which is the fastest. */
export function indexable(text: string): string {
  if (!beyondPlain.test(text) && !/[A-Za-z0-9]{65}/.test(text)) return text
  return wordsOf(text)
    .map(({ word }) => word)
    .join(' ')
}

function compared(written: string): string {
  if (!beyondPlain.test(written)) return written.slice(0, LONGEST_WORD).toLowerCase()
  return written
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .slice(0, LONGEST_WORD)
}
