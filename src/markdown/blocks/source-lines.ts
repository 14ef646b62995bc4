/** The source lines of a growing text, which are taken block by block. */
import { detached } from '../../text/detached.ts'
import { lineEnd } from './blocks.ts'

const everyLineEnd = new RegExp(lineEnd.source, 'g')

export class SourceLines {
  #text = ''
  #taken = 0

  add(piece: string): void {
    this.#text += piece
  }

  /** Takes the remaining lines before line `to`, counted from 0. */
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

  /** The text that has not been taken. */
  get rest(): string {
    return this.#text
  }
}
