import { nearest } from '../../text/spelling/nearest.ts'

/**
 * The end of a message about an unknown word: `; did you mean submit?` with the most similar known word, empty where none is
 * similar. `written` returns how a known word is shown.
 */
export function didYouMean(
  word: string,
  known: Iterable<string>,
  written: (word: string) => string = each => each,
): string {
  const near = nearest(word, [...known])
  return near === null ? '' : `; did you mean ${written(near)}?`
}
