/** Files that a prompt mentions: `@src/main.ts`, `@src/main.ts:10-40`, `@"my notes.md":3`. */

/** Both ends are included; the first line is 1. */
export type MentionedLines = { readonly from: number; readonly to: number }

/** One way to read a mention. */
export type MentionReading = { readonly path: string; readonly lines: MentionedLines | null }

/** The readings of a mention in a text. The longest comes first: signs at its end may belong to the sentence. */
export type Mention = readonly MentionReading[]

/** An `@` counts at the beginning of a word, as in completion. No path is longer. */
const MENTION = /(?<=^|[\s([{<"'`])@(?:"([^"\n\0]{1,1024})"(:\d{1,7}(?:-\d{1,7})?)?|([^\s"\0]{1,1024}))/gu

const LINES = /^(.+):(\d{1,7})(?:-(\d{1,7}))?$/su

/** Signs that may follow a mention without belonging to it. */
const CLOSING = /[.,;:!?)\]}>'`*]$/u
const MOST_CLOSING = 4

/** The mentions in a text, in order. The caller checks whether the files exist. */
export function mentionsIn(text: string): Mention[] {
  return [...text.matchAll(MENTION)]
    .map(([, quoted, lines = '', plain = '']) =>
      (quoted === undefined ? readingsOf(plain) : readings(quoted + lines)).filter(hasName),
    )
    .filter(mention => mention.length > 0)
}

/** A mention as it is typed: in quotes if the path has blanks. */
export function mentionText(path: string, lines: MentionedLines | null): string {
  const name = /\s/u.test(path) && !path.includes('"') ? `@"${path}"` : `@${path}`
  return name + linesText(lines)
}

/** The lines as they are typed after the path: `:10-40`; '' for none. */
export function linesText(lines: MentionedLines | null): string {
  if (lines === null) return ''
  return lines.from === lines.to ? `:${lines.from}` : `:${lines.from}-${lines.to}`
}

/** Separates a path from its lines: `src/main.ts:10-40`. */
export function withoutLines(text: string): MentionReading {
  const [, path = '', first = '', last = first] = LINES.exec(text) ?? []
  const [from, to] = [Number(first), Number(last)]
  return from >= 1 && to >= from ? { path, lines: { from, to } } : { path: text, lines: null }
}

/** Signs alone, such as `@/` and `@.`, name nothing. */
const hasName = ({ path }: MentionReading): boolean => /[\p{L}\p{N}]/u.test(path)

function readingsOf(word: string): MentionReading[] {
  const found = readings(word)
  let rest = word
  for (let taken = 0; taken < MOST_CLOSING && CLOSING.test(rest) && rest.length > 1; taken += 1) {
    rest = rest.slice(0, -1)
    found.push(...readings(rest))
  }
  return found
}

/** The name of a file may look like a path with lines. */
function readings(text: string): MentionReading[] {
  const cut = withoutLines(text)
  return cut.lines === null ? [cut] : [{ path: text, lines: null }, cut]
}
