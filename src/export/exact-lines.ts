/** A text on which an answer depends, in lines: nothing of it is hidden, or pushes what follows out of sight. */
import { isObject } from '../text/json.ts'
import { sanitizeExact } from '../text/sanitize.ts'

/** `isGap`: words of ours, in the place of many blanks or empty lines. */
export type ExactPiece = { text: string; isGap: boolean }

/** The most empty lines that are shown as they are, and blanks that are not. */
const MOST_EMPTY = 2
const LONG_BLANK = /([\p{Zs}\t]{80,})/u

export function exactLines(text: string): readonly (readonly ExactPiece[])[] {
  const lines: (readonly ExactPiece[])[] = []
  let empty: string[] = []
  const close = (): void => {
    const count = empty.length
    if (count > MOST_EMPTY) lines.push([{ text: `(${String(count)} empty lines)`, isGap: true }])
    else lines.push(...empty.map(line => [{ text: line, isGap: false }]))
    empty = []
  }
  for (const line of sanitizeExact(text).split('\n')) {
    if (line.trim() === '') empty.push(line)
    else {
      close()
      lines.push(exactPieces(line))
    }
  }
  close()
  return lines
}

/** One line. The text is sanitised. */
export function exactPieces(line: string): readonly ExactPiece[] {
  return line
    .split(LONG_BLANK)
    .map((part, index) =>
      index % 2 === 0 ? { text: part, isGap: false } : { text: `(${String(part.length)} blanks)`, isGap: true },
    )
}

/** A text that a question asks about, or the JSON of anything else. */
export const askedText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? String(value))

/** Arguments by their names; null for what has no names. */
export function namedArguments(value: unknown): readonly (readonly [name: string, text: string])[] | null {
  return isObject(value) ? Object.entries(value).map(([name, each]) => [name, askedText(each)]) : null
}
