/** A guess at how many tokens a text has, for what no model has counted yet. */

/** Letters of a word of English or code that make a token, on the average of today's models. */
const LETTERS = 4
/** Of other scripts a character is between a half and two tokens. */
const OTHERS = 1

/** Within about a quarter of what models count, for prose and code. */
export function estimateTokens(text: string): number {
  let others = 0
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x24f) others += 1
  return Math.ceil((text.length - others) / LETTERS + others * OTHERS)
}
