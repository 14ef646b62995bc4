/** Estimated token counts, for text that no model has counted yet. */

/** Characters of English or code per token, on average over today's models. */
const LETTERS = 4
/** Tokens per character of other scripts: between a half and two. */
const OTHERS = 1

/** Within about a quarter of what models count, for prose and code. */
export function estimateTokens(text: string): number {
  let others = 0
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x24f) others += 1
  return Math.ceil((text.length - others) / LETTERS + others * OTHERS)
}
