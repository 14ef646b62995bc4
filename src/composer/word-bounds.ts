/**
 * Two kinds of words, as in readline: runs of letters and digits (Alt+B, Alt+F, Alt+D, Alt+Backspace), and runs of
 * anything but whitespace (Ctrl+W). Scripts that put no spaces between words are cut by the segmenter's dictionary. A
 * chip is always its own word.
 */
import { chipColumns } from './chips.ts'
import { boundaryFrom, boundaryUpTo } from './graphemes.ts'

let words: Intl.Segmenter | undefined

const BLANK = /\s/u
// V8 reads the tables of a class when the expression is evaluated: in functions they cost the first frame nothing.
/** A joiner inside a word of Persian or Hindi belongs to it. */
const isLetter = (character: string): boolean => /[\p{L}\p{N}\p{M}\u200c\u200d]/u.test(character)
const hasUnspaced = (run: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    run,
  )

/** Characters of an unspaced run that the segmenter reads; no word is nearly as long. */
const DICTIONARY_REACH = 128

/** The start of the letter word that ends at or before `from`. */
export function wordStart(text: string, from: number): number {
  const end = skipLeft(text, from, character => !isWord(character))
  if (isChip(text.slice(end - 2, end))) return boundaryUpTo(text, end - 2)
  const start = skipLeft(text, end, isLetter)
  const reach = Math.max(start, end - DICTIONARY_REACH)
  const last = unspacedWords(text.slice(reach, end)).at(-1)
  return boundaryUpTo(text, last === undefined ? start : reach + last.index)
}

/** The end of the letter word that begins at or after `from`. */
export function wordEnd(text: string, from: number): number {
  const start = skipRight(text, from, character => !isWord(character))
  if (isChip(text.slice(start, start + 2))) return boundaryFrom(text, start + 2)
  const end = skipRight(text, start, isLetter)
  const first = unspacedWords(text.slice(start, Math.min(end, start + DICTIONARY_REACH)))[0]
  return boundaryFrom(text, first === undefined ? end : start + first.segment.length)
}

/** The start of the run of anything but whitespace that ends at or before `from`. */
export function blankWordStart(text: string, from: number): number {
  const end = skipLeft(text, from, character => BLANK.test(character))
  if (isChip(text.slice(end - 2, end))) return boundaryUpTo(text, end - 2)
  return boundaryUpTo(
    text,
    skipLeft(text, end, character => !BLANK.test(character) && !isChip(character)),
  )
}

function isWord(character: string): boolean {
  return isLetter(character) || isChip(character)
}

function isChip(character: string): boolean {
  return character.length === 2 && chipColumns(character) !== null
}

function unspacedWords(run: string): readonly Intl.SegmentData[] {
  if (!hasUnspaced(run)) return []
  words ??= new Intl.Segmenter('en', { granularity: 'word' })
  return [...words.segment(run)]
}

function skipLeft(text: string, from: number, belongs: (character: string) => boolean): number {
  let at = from
  while (at > 0) {
    const size = isPair(text, at - 2) ? 2 : 1
    if (!belongs(text.slice(at - size, at))) break
    at -= size
  }
  return at
}

function skipRight(text: string, from: number, belongs: (character: string) => boolean): number {
  let at = from
  while (at < text.length) {
    const size = isPair(text, at) ? 2 : 1
    if (!belongs(text.slice(at, at + size))) break
    at += size
  }
  return at
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff
}
