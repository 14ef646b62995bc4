/**
 * Cuts a text into pieces of about the size in which models stream: a bit of a word with the space before it. The cuts
 * fall between code points and not between graphemes, as they do on a real wire; joined, the pieces are the text.
 */
export function pieces(text: string, size = 7): string[] {
  return text.match(new RegExp(`\\s*\\S{1,${size}}|\\s+$`, 'gu')) ?? []
}
