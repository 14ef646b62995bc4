import { graphemes, graphemeWidth } from '../width.ts'

const moves = /[\r\b\t]/

/**
 * The visible result of a line that overwrites itself: a carriage return goes to its beginning, a backspace one
 * column back, a tab to the next stop, and the following text replaces the old one. The line holds no newline.
 */
export function overwrite(line: string): string {
  const row = new OverwrittenRow()
  let at = 0
  while (at < line.length) {
    const rest = line[at] ?? ''
    if (moves.test(rest)) {
      row.move(rest)
      at++
      continue
    }
    const end = nextMove(line, at)
    for (const grapheme of graphemes(line.slice(at, end))) row.write(grapheme)
    at = end
  }
  return row.text()
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
  #column = 0

  move(control: string): void {
    if (control === '\r') this.#column = 0
    else if (control === '\b') this.#column = Math.max(0, this.#column - 1)
    else this.#column += tabStop - (this.#column % tabStop)
  }

  write(grapheme: string): void {
    const width = graphemeWidth(grapheme)
    if (width === 0) {
      this.#combine(grapheme)
      return
    }
    while (this.#cells.length < this.#column) this.#cells.push(' ')
    for (let offset = 0; offset < width; offset++) this.#clear(this.#column + offset)
    this.#cells[this.#column] = grapheme
    for (let offset = 1; offset < width; offset++) this.#cells[this.#column + offset] = ''
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

  text(): string {
    return this.#cells.join('')
  }
}
