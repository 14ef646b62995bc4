/**
 * Whether a very long line with this beginning may be shortened: a result, or a finished answer, whose text was streamed
 * before. zot writes the keys in the order of the alphabet, so the content of both comes before their type.
 */
export function mayBeShortened(beginning: string): boolean {
  return /^\{"(?:content":|type":"(?:tool_result|assistant_message)")/.test(beginning)
}
