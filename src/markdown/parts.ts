/** The inline lexer is not linear in all that it may meet, so a text longer than this is read in parts. */
const longestPart = 4000

/** How far back a good place to cut is looked for. */
const slack = 400

// Two characters that are whole by themselves and belong to no sequence with what is between them.
const seam = /[\p{L}\p{N}\p{P}][\p{Lo}\p{Lu}\p{Po}]/u

/** The text in parts of bounded length, cut at line breaks, else at blanks, else between two letters. */
export function inlineParts(text: string): string[] {
  const parts: string[] = []
  let from = 0
  while (text.length - from > longestPart) {
    const end = cutBefore(text, from + longestPart)
    parts.push(text.slice(from, end))
    from = end
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

function cutBefore(text: string, limit: number): number {
  const newline = text.lastIndexOf('\n', limit - 1)
  if (newline > limit - slack) return newline + 1
  const blank = text.lastIndexOf(' ', limit - 1)
  if (blank > limit - slack) return blank + 1
  for (let at = limit; at > limit - slack; at--) if (seam.test(text.slice(at - 1, at + 1))) return at
  // Not between the halves of a character, at least.
  const code = text.charCodeAt(limit - 1)
  return code >= 0xd800 && code < 0xdc00 ? limit - 1 : limit
}
