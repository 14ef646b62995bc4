/** The outline of a conversation: a line for each prompt, for the words to its running turn, and for each heading of the answers. */
import { shownPrompt, turnHeading } from '../../../../src/conversation/queries/shown-prompt.ts'
import type { Turn } from '../../../../src/conversation/state.ts'
import { hasWords, wordsIn } from '../../../../src/composer/filter.ts'
import { formatDuration } from '../../../../src/text/format.ts'
import type { ViewerBlock } from './block.ts'
import type { DocumentPlace } from '../state.ts'
import type { ViewerDocument } from './document.ts'

export type OutlineRow = {
  place: DocumentPlace
  /** The number of items before it in its block. */
  piece: number
  /** 0 is the beginning of a turn, 1 the highest headings. */
  depth: number
  /** For a prompt, the number of its turn; null for a heading. */
  number: number | null
  text: string
  /** The number of calls and the duration of the turn; empty if there is nothing to say. */
  facts: readonly [tools: string, took: string]
}

/** The deepest level of headings that are listed. */
const DEEPEST = 3
const NONE = ['', ''] as const
const STEERS = ['steers', ''] as const

/** The rows of one turn, and the state they were made from. */
type Known = { turn: Turn; number: number; pieces: number; rows: readonly OutlineRow[] }

/** Caches the rows turn by turn: only changed turns are read again. */
export class Outline {
  readonly #known = new Map<number, Known>()
  #all: readonly OutlineRow[] = []
  #changes = -1
  #found: { filter: string; among: readonly OutlineRow[]; rows: readonly OutlineRow[] } | null = null

  /** The rows that contain all words of `filter`, among the turns read so far. */
  rows(document: ViewerDocument, filter: string): readonly OutlineRow[] {
    if (this.#changes !== document.changes) this.#all = this.#made(document)
    this.#changes = document.changes
    if (this.#found?.filter !== filter || this.#found.among !== this.#all) {
      const words = wordsIn(filter)
      const rows = this.#all.filter(({ number, text }) => hasWords(`${number ?? ''} ${text}`, words))
      this.#found = { filter, among: this.#all, rows }
    }
    return this.#found.rows
  }

  #made(document: ViewerDocument): OutlineRow[] {
    let number = 0
    return document.sections.flatMap(({ entry, blocks }, section) => {
      if (entry.kind !== 'turn') return []
      number += 1
      const known = this.#known.get(section)
      const pieces = blocks.reduce((sum, { items }) => sum + items.length, 0)
      if (known?.turn === entry && known.number === number && known.pieces === pieces) return known.rows
      const rows = rowsOf(entry, blocks, section, number)
      this.#known.set(section, { turn: entry, number, pieces, rows })
      return rows
    })
  }
}

function firstLine(text: string): string {
  return /\S.*/.exec(text)?.[0] ?? ''
}

function rowsOf(turn: Turn, blocks: readonly ViewerBlock[], section: number, number: number): OutlineRow[] {
  const tools = [...turn.parts].filter(part => part.kind === 'tool' && !part.withdrawn).length
  const took = turn.endedAt === null ? '' : formatDuration(turn.endedAt - turn.startedAt)
  const counted = tools === 0 ? '' : `${tools} tool${tools === 1 ? '' : 's'}`
  const text = firstLine(turnHeading(turn))
  const headings = blocks.flatMap(({ items }, block) =>
    items.flatMap((item, piece): OutlineRow[] => {
      const place = { section, block, row: 0 }
      if (item.kind === 'steer')
        return [
          {
            place,
            piece,
            depth: 1,
            number: null,
            text: firstLine(shownPrompt({ ...item.steer, prompt: item.steer.text })),
            facts: STEERS,
          },
        ]
      if (item.kind !== 'block' || item.block.kind !== 'heading' || item.block.level > DEEPEST) return []
      const { level, source } = item.block
      return [{ place, piece, depth: level, number: null, text: source, facts: NONE }]
    }),
  )
  return [
    { place: { section, block: 0, row: 0 }, piece: 0, depth: 0, number, text, facts: [counted, took] },
    ...headings,
  ]
}
