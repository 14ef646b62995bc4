/** The part of a line of text that a narrow field shows. */
import type { Editor } from '../../../src/composer/editor.ts'
import { displayWidth, graphemes } from '../../../src/text/lines/width.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'

export type Field = {
  text: string
  /** The column of the caret in it. */
  caret: number
}

/** The end of what is before the caret, and as much behind it as fits in `room` columns, of which the caret needs one. */
export function fieldOf({ text, caret }: Pick<Editor, 'text' | 'caret'>, room: number): Field {
  const before = shown(text.slice(0, caret))
  let left = before
  while (displayWidth(left) > room - 1) left = withoutFirst(left)
  return { text: left + shown(text.slice(caret)), caret: displayWidth(left) }
}

function shown(part: string): string {
  return oneLine(sanitize(part))
}

function withoutFirst(text: string): string {
  const [first = text.charAt(0)] = graphemes(text)
  return text.slice(first.length)
}
