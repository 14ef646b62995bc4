import { graphemes, graphemeWidth } from '../lines/width.ts'

const moves = /[\r\b\t]/

/** A part of a line, with a number that stays with its characters. */
export type Tagged = { text: string; tag: number }

/**
 * The visible result of a line that overwrites itself: a carriage return goes to its beginning, a backspace one
 * column back, a tab to the next stop, and the following text replaces the old one. The line holds no newline.
 */
export function overwrite(line: string): string {
  return joinedParts(overwriteParts([{ text: line, tag: 0 }]))
}

/** The same for a line in parts; adjacent cells with the same tag are joined. */
export function overwriteParts(parts: readonly Tagged[]): Tagged[] {
  const row = new OverwrittenRow()
  for (const { text, tag } of parts) {
    let at = 0
    while (at < text.length) {
      const rest = text[at] ?? ''
      if (moves.test(rest)) {
        row.move(rest)
        at++
        continue
      }
      const end = nextMove(text, at)
      for (const grapheme of graphemes(text.slice(at, end))) row.write(grapheme, tag)
      at = end
    }
  }
  return row.parts()
}

export function joinedParts(parts: readonly { text: string }[]): string {
  return parts.map(({ text }) => text).join('')
}

function nextMove(line: string, from: number): number {
  let at = from
  while (at < line.length && !moves.test(line[at] ?? '')) at++
  return at
}

const tabStop = 8

/** The cells of one screen line; the second cell of a wide character is empty. */
class OverwrittenRow {
  readonly #cells: string[] = []
  readonly #tags: number[] = []
  #column = 0

  move(control: string): void {
    if (control === '\r') this.#column = 0
    else if (control === '\b') this.#column = Math.max(0, this.#column - 1)
    else this.#column += tabStop - (this.#column % tabStop)
  }

  write(grapheme: string, tag: number): void {
    const width = graphemeWidth(grapheme)
    if (width === 0) {
      this.#combine(grapheme)
      return
    }
    while (this.#cells.length < this.#column) this.#tags[this.#cells.push(' ') - 1] = tag
    for (let offset = 0; offset < width; offset++) this.#clear(this.#column + offset)
    this.#cells[this.#column] = grapheme
    for (let offset = 1; offset < width; offset++) this.#cells[this.#column + offset] = ''
    for (let offset = 0; offset < width; offset++) this.#tags[this.#column + offset] = tag
    this.#column += width
  }

  // A mark without a base joins the cell before it; at the beginning of a line there is none, and terminals drop it.
  #combine(mark: string): void {
    let base = this.#column - 1
    while (base > 0 && this.#cells[base] === '') base--
    const cell = this.#cells[base]
    if (cell !== undefined) this.#cells[base] = cell + mark
  }

  // Writing over one half of a wide character blanks the other half.
  #clear(column: number): void {
    if (this.#cells[column] === '') {
      let lead = column
      while (lead > 0 && this.#cells[lead] === '') this.#cells[lead--] = ' '
      this.#cells[lead] = ' '
    }
    for (let next = column + 1; this.#cells[next] === ''; next++) this.#cells[next] = ' '
    if (column < this.#cells.length) this.#cells[column] = ' '
  }

  parts(): Tagged[] {
    const parts: Tagged[] = []
    for (const [at, text] of this.#cells.entries()) {
      const tag = this.#tags[at] ?? 0
      const last = parts.at(-1)
      if (last?.tag === tag) last.text += text
      else parts.push({ text, tag })
    }
    return parts
  }
}
