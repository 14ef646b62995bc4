/** Leaves out what is long in a block, and gives it in pieces to those who ask for it. */
import { whole, type Drawing } from '../../export/fragments.ts'
import { codeLines, diffBlock, linesBlock } from '../../export/html-code.ts'
import { joined, markup, type Markup } from '../../export/markup.ts'
import { counted } from '../../text/counted.ts'
import { sanitize } from '../../text/sanitize.ts'
import { chunksOf } from './chunks.ts'

/** A piece of what was left out, and the number of the next one; null after the last. */
export type RestPiece = { html: string; next: number | null }

/** Lines that are shown of each end, and the characters that these have at most. */
const ENDS = 30
const MOST_SHOWN = 4000
/** Fewer lines are not left out. */
const FEWEST = 20
/** Characters of a piece, before it is HTML. */
const PIECE = 30_000
/** The number of a piece is that of its gap times this, and its place in it. */
const MOST_PIECES = 100_000

/** What is left out of one block. The pieces are made when somebody wants them. */
export class Cuts {
  readonly #gaps: (() => readonly (() => Markup)[])[] = []
  readonly drawing: Drawing = {
    ...whole,
    code: sample => {
      const lines = sample.text.split('\n')
      if (lines.some(line => line.length > MOST_SHOWN))
        return markup`<pre><code>${this.#text(sample.text)}</code></pre>`
      return this.#lines(codeLines(sample), lines.map(lengthOf), linesBlock)
    },
    diff: lines =>
      this.#lines(
        lines,
        lines.map(({ text }) => text.length),
        diffBlock,
      ),
    plain: text => this.drawing.code({ text: sanitize(text), language: '' }),
    said: text => this.#text(text),
    rich: text => {
      const [first, ...rest] = chunksOf(text)
      if (!first) return markup``
      return rest.length === 0 ? first() : markup`${first()}${this.gap('more', () => rest)}`
    },
  }

  get isEmpty(): boolean {
    return this.#gaps.length === 0
  }

  /** The first and the last of many, each of which is drawn whole if it is left out at first. */
  some(draws: readonly ((cuts: Cuts | null) => Markup)[], name: string): Markup {
    const all = (some: typeof draws): Markup => joined(some.map(draw => draw(this)))
    if (draws.length < ENDS + FEWEST + ENDS) return all(draws)
    const left = draws.slice(ENDS, -ENDS)
    const gap = this.gap(`${counted(left.length, name)} more`, () => left.map(draw => () => draw(null)))
    return markup`${all(draws.slice(0, ENDS))}${gap}${all(draws.slice(-ENDS))}`
  }

  /** A button in the place of what `pieces` makes. */
  gap(words: string, pieces: () => readonly (() => Markup)[]): Markup {
    const number = this.#gaps.push(pieces) - 1
    return markup`<button class="more" type="button" data-rest="${String(number * MOST_PIECES)}">${words}</button>`
  }

  /** Null if there is no such piece. */
  piece(number: number): RestPiece | null {
    const at = number % MOST_PIECES
    const pieces = this.#gaps[Math.floor(number / MOST_PIECES)]?.() ?? []
    const draw = pieces[at]
    if (!draw) return null
    return { html: draw().source, next: at + 1 < Math.min(pieces.length, MOST_PIECES) ? number + 1 : null }
  }

  /** Both ends of many lines. */
  #lines<Line>(lines: readonly Line[], lengths: readonly number[], draw: (lines: readonly Line[]) => Markup): Markup {
    const head = fitting(lengths, ENDS, MOST_SHOWN)
    const tail = lines.length - fitting(lengths.toReversed(), ENDS, MOST_SHOWN)
    if (tail - head < FEWEST) return draw(lines)
    const left = lines.slice(head, tail)
    const leftLengths = lengths.slice(head, tail)
    const gap = this.gap(`${counted(left.length, 'line')} more`, () =>
      inPieces(left, leftLengths).map(piece => () => draw(piece)),
    )
    return markup`${draw(lines.slice(0, head))}${gap}${draw(lines.slice(tail))}`
  }

  /** Both ends of a text without short lines. */
  #text(text: string): Markup {
    if (text.length <= 3 * MOST_SHOWN) return markup`${text}`
    const head = wholeCharacter(text, MOST_SHOWN)
    const tail = wholeCharacter(text, text.length - MOST_SHOWN)
    const left = text.slice(head, tail)
    const gap = this.gap(`${counted(left.length, 'character')} more`, () =>
      textPieces(left).map(piece => () => markup`<span>${piece}</span>`),
    )
    return markup`${text.slice(0, head)}${gap}${text.slice(tail)}`
  }
}

const lengthOf = (text: string): number => text.length

/** How many from the beginning are shown. */
function fitting(lengths: readonly number[], count: number, most: number): number {
  let room = most
  const end = lengths.findIndex(length => (room -= length) < 0)
  return Math.min(end < 0 ? lengths.length : end, count)
}

function inPieces<Line>(lines: readonly Line[], lengths: readonly number[]): Line[][] {
  const pieces: Line[][] = []
  let room = 0
  for (const [at, line] of lines.entries()) {
    if (room <= 0) {
      pieces.push([])
      room = PIECE
    }
    pieces.at(-1)?.push(line)
    room -= 1 + (lengths[at] ?? 0)
  }
  return pieces
}

function textPieces(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    const to = wholeCharacter(text, from + PIECE)
    pieces.push(text.slice(from, to))
    from = to
  }
  return pieces
}

/** This place, or the one after it if it is within a character. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit < 0xe000 ? at + 1 : at
}
