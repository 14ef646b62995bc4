/** Descriptions, shortened by whole clauses and words. */
import type { SafeText } from '../sanitize.ts'
import { truncate, type Ellipsis } from './shorten.ts'
import { displayWidth } from './width.ts'

/** The end of a clause. A comma is none, since it may stand in a list. */
const CLAUSE_END = /[;:.](?= |$)| \(/g

/** The text, or as many of its clauses as fit into `width` columns; `mark` ends a first clause that does not. */
export function firstClauses(text: SafeText, width: number, mark?: Ellipsis): SafeText {
  if (displayWidth(text) <= width) return text
  // A clause is more than a name before a colon.
  const ends = [...text.matchAll(CLAUSE_END)].filter(({ index }) => index > text.indexOf(' '))
  // A later colon explains its own clause only.
  const clauses = ends
    .filter(({ 0: end }, at) => end !== ':' || at === 0)
    .map(({ index }) => text.slice(0, index) as SafeText)
  return clauses.findLast(kept => displayWidth(kept) <= width) ?? wholeWords(text, width, mark)
}

/** As many whole words of the text as fit, with `mark` behind them; a part of a word that is most of what fits. */
export function wholeWords(text: SafeText, width: number, mark: Ellipsis = '…'): SafeText {
  const cut = truncate(text, width, mark)
  const end = text.slice(0, cut.length - mark.length + 1).lastIndexOf(' ')
  return cut === text || 3 * end < cut.length ? cut : ((text.slice(0, end) + mark) as SafeText)
}
