/** What a conversation is made of, in a line each: its prompts, and the headings of the answers. */
import { wordsIn } from '../composer/completion.ts'
import { formatDuration } from '../text/format.ts'
import type { Document, Place } from './document.ts'

export type OutlineRow = {
  place: Place
  /** Pieces of its block that stand before it. */
  piece: number
  /** 0 is a prompt, 1 the highest headings. */
  depth: number
  text: string
  facts: string
}

const DEEPEST = 3

/** Of the turns that have been read by now. */
export function outlineOf(document: Document): OutlineRow[] {
  let number = 0
  return document.sections.flatMap(({ entry, blocks }, section) => {
    if (entry.kind !== 'turn') return []
    number += 1
    const tools = [...entry.parts].filter(part => part.kind === 'tool' && !part.withdrawn).length
    const took = entry.endedAt === null ? '' : formatDuration(entry.endedAt - entry.startedAt)
    const counted = tools === 0 ? '' : `${tools} tool${tools === 1 ? '' : 's'}`
    const facts = [counted, took].filter(fact => fact !== '').join('   ')
    const text = `${number}  ${/\S.*/.exec(entry.prompt)?.[0] ?? ''}`
    const prompt = { place: { section, block: 0, row: 0 }, piece: 0, depth: 0, text, facts }
    const headings = blocks.flatMap(({ items }, block) =>
      items.flatMap((item, piece) => {
        if (item.kind !== 'block' || item.block.kind !== 'heading' || item.block.level > DEEPEST) return []
        const { level, source } = item.block
        return [{ place: { section, block, row: 0 }, piece, depth: level, text: source, facts: '' }]
      }),
    )
    return [prompt, ...headings]
  })
}

/** Those with all the words of `filter` in them. */
export function outlineWith(rows: readonly OutlineRow[], filter: string): readonly OutlineRow[] {
  const words = wordsIn(filter)
  return rows.filter(({ text }) => words.every(word => text.toLowerCase().includes(word)))
}
