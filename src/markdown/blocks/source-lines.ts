/** A growing text's own lines, to be taken in the order of the blocks that were made of them. */
import { detached } from '../../text/detached.ts'
import { lineEnd } from './blocks.ts'

const everyLineEnd = new RegExp(lineEnd.source, 'g')

export class SourceLines {
  #text = ''
  #taken = 0

  /** Adds what came. */
  add(piece: string): void {
    this.#text += piece
  }

  /** The lines that have not been taken up to line `to`, counted from 0, which is not among them any more. */
  take(to: number): string {
    const lines: string[] = []
    let start = 0
    everyLineEnd.lastIndex = 0
    while (this.#taken < to) {
      const end = everyLineEnd.exec(this.#text)
      lines.push(this.#text.slice(start, end?.index))
      start = end ? everyLineEnd.lastIndex : this.#text.length
      this.#taken += 1
      if (!end) break
    }
    this.#text = this.#text.slice(start)
    return detached(lines.join('\n'))
  }

  /** All that has not been taken. */
  get rest(): string {
    return this.#text
  }
}
