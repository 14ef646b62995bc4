/**
 * Cuts a text into pieces of about the size in which models stream: part of a word with the space before it. The cuts fall
 * between code points, which may be inside a grapheme, as with real models.
 */
export function pieces(text: string, size = 7): string[] {
  return text.match(new RegExp(`\\s*\\S{1,${size}}|\\s+$`, 'gu')) ?? []
}
