/** The inline lexer is not linear for all texts, so a longer one is read in parts. */
const longestPart = 4000

/** It is not linear in nested marks either, so a part with more marks than this ends earlier. */
const mostMarks = 200

/** Characters that are searched backwards for a good place to cut. */
const slack = 400

// Two characters between which a cut splits no sequence.
const seam = /[\p{L}\p{N}\p{P}][\p{Lo}\p{Lu}\p{Po}]/u

/** The text in parts of bounded length, cut at line breaks, else at blanks, else between two letters. */
export function inlineParts(text: string): string[] {
  const parts: string[] = []
  let from = 0
  for (;;) {
    const limit = limitOf(text, from)
    if (limit >= text.length) break
    const end = cutBefore(text, limit, from)
    parts.push(text.slice(from, end))
    from = end
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

/** The latest end of the part that begins at `from`. */
function limitOf(text: string, from: number): number {
  const part = text.slice(from, from + longestPart)
  let count = 0
  for (const { index } of part.matchAll(/[*_~]+/g)) {
    count += 1
    if (count > mostMarks) return from + index
  }
  return from + longestPart
}

function cutBefore(text: string, limit: number, from: number): number {
  const least = Math.max(from, limit - slack)
  const newline = text.lastIndexOf('\n', limit - 1)
  if (newline > least) return newline + 1
  const blank = text.lastIndexOf(' ', limit - 1)
  if (blank > least) return blank + 1
  for (let at = limit; at > least; at--) if (seam.test(text.slice(at - 1, at + 1))) return at
  // Not between the halves of a character, at least.
  const code = text.charCodeAt(limit - 1)
  return code >= 0xd800 && code < 0xdc00 ? limit - 1 : limit
}
