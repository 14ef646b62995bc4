/** Completion at the caret. */
import type { TextRange } from './editor.ts'

/** `query` is the text typed up to the caret; `range` is the text that a chosen candidate replaces. */
export type Completion =
  /** `/com`: the range has the slash. */
  | { readonly kind: 'slash'; readonly query: string; readonly range: TextRange }
  /** `/model son`: the range is the rest of the line. */
  | { readonly kind: 'slash-argument'; readonly command: string; readonly query: string; readonly range: TextRange }
  /** `@src/ma` or, if a path has blanks, `@"my doc`: the range has the sign and the quotes. */
  | { readonly kind: 'file'; readonly query: string; readonly range: TextRange }

/** Characters before the caret that are searched; no path is longer. */
const PATH_REACH = 1024

/** The completion at the caret, or null. A path wins over a command's argument. */
export function completionAt(text: string, caret: number): Completion | null {
  return fileAt(text, caret) ?? slashAt(text, caret)
}

/** Commands are completed in the first line only, and a name with a second slash counts as a path in the text. */
function slashAt(text: string, caret: number): Completion | null {
  if (!text.startsWith('/') || caret === 0) return null
  const newline = text.indexOf('\n')
  const line = newline < 0 ? text : text.slice(0, newline)
  if (caret > line.length) return null
  const parts = /^\/([^\s/]*)(\s*)/u.exec(line)
  const nameEnd = 1 + (parts?.[1] ?? '').length
  const blanks = parts?.[2] ?? ''
  if (blanks === '' && nameEnd < line.length) return null
  if (caret <= nameEnd) return { kind: 'slash', query: line.slice(1, caret), range: { start: 0, end: nameEnd } }
  const start = Math.min(nameEnd + blanks.length, caret)
  const range = { start, end: line.length }
  return { kind: 'slash-argument', command: line.slice(1, nameEnd), query: line.slice(start, caret), range }
}

/** An `@` counts after a blank or an opening sign, so that an e-mail address is left alone. */
function fileAt(text: string, caret: number): Completion | null {
  const from = Math.max(0, caret - PATH_REACH)
  const before = text.slice(from, caret)
  const found = /(?:^|[\s([{<"'`])@("[^"\n]*|[^\s"]*)$/u.exec(before)
  if (found === null) return null
  const typed = found[1] ?? ''
  const start = caret - typed.length - 1
  if (start === from && from > 0) return null
  const quoted = typed.startsWith('"')
  const rest = (quoted ? /^[^"\n]*"?/u : /^[^\s"]*/u).exec(text.slice(caret, caret + PATH_REACH))?.[0] ?? ''
  // An open quote would swallow the rest of the line: only a closed one has a rest.
  const end = caret + (quoted && !rest.endsWith('"') ? 0 : rest.length)
  return { kind: 'file', query: quoted ? typed.slice(1) : typed, range: { start, end } }
}
