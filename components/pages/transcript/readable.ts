/** The conversation for people who use a screen reader: named parts and their plain text. */
import type { AppState } from '../../../src/state/state.ts'
import type { Theme } from '../../../src/style/theme.ts'
import type { ViewerBlock, BlockKind } from './document/block.ts'
import { ViewerDocument } from './document/document.ts'
import { Outline } from './document/outline.ts'
import type { ReadCall } from './document/output-loader.ts'
import { DocumentSearch } from './search.ts'
import { sourceOf, type BlockSource } from './document/source.ts'
import { noFolds } from './state.ts'

/** A named part of the conversation: a turn, a block of a turn, or a matching line. */
export type Passage = {
  section: number
  block: number
  /** The index of its part in the turn; null for the prompt, and for a whole turn or a line. */
  part: number | null
  label: string
  detail: string
}

/** The current conversation in passages. */
export type ReadableConversation = {
  /** Oldest first. */
  turns: () => Passage[]
  /** The blocks of a turn: its prompt, its texts, its code, its tool calls. */
  blocks: (turn: Passage) => Passage[]
  /** The whole text of a block, read from the session file if memory does not hold it. */
  text: (block: Passage) => string
  source: (block: Passage) => BlockSource | null
  /** The lines that contain a text, with their context; oldest first. */
  search: (query: string) => Passage[]
}

export type ReadableOptions = { state: AppState; theme: Theme; columns: number; readCall: ReadCall }

const KINDS: Readonly<Record<BlockKind, string>> = {
  prompt: 'prompt',
  prose: 'text',
  code: 'code',
  tool: 'tool',
  shell: 'your command',
  note: 'remark',
}

/** Characters of a label: a screen reader reads it again at each step through a list. */
const LABEL = 80

export function createReadable({ state, theme, columns, readCall }: ReadableOptions): ReadableConversation {
  const document = new ViewerDocument({ theme, width: columns, raw: state.raw }, readCall)
  document.setFolds({ ...noFolds, isAllOpen: true })
  document.follow(state.chat, state.restored.times, state.now)
  return { turns, blocks, text, source, search }

  function turns(): Passage[] {
    const prompts = new Outline().rows(document, '').filter(({ depth }) => depth === 0)
    return prompts.map(({ place: { section, block }, number, text: name, facts }) => ({
      section,
      block,
      part: null,
      label: shortened(`turn ${number}  ${name}`),
      detail: facts.filter(fact => fact !== '').join('   '),
    }))
  }

  function blocks({ section }: Passage): Passage[] {
    const passages: Passage[] = []
    for (let index = 0; index < document.blocksIn(section); index += 1) {
      const block = document.blockAt({ section, block: index })
      const lines = block && !block.continues ? linesOf(block) : []
      const [first] = lines
      if (!block || first === undefined) continue
      const { kind, part } = block.group
      const count = lines.length === 1 ? '' : `, ${lines.length} lines`
      passages.push({ section, block: index, part, label: shortened(first), detail: `${KINDS[kind]}${count}` })
    }
    return passages
  }

  function text({ section, block: from }: Passage): string {
    const first = document.blockAt({ section, block: from })
    const parts: string[] = []
    for (let index = from; ; index += 1) {
      const block = document.blockAt({ section, block: index })
      if (!block || !first || block.group.key !== first.group.key) break
      document.lookAt(section, block)
      document.readBack()
      parts.push(document.text(block))
    }
    return parts.join('\n').replace(/^\n+/, '').trimEnd()
  }

  function source({ section, block }: Passage): ReturnType<ReadableConversation['source']> {
    const entry = document.sections[section]?.entry
    const found = document.blockAt({ section, block })
    return entry && found ? sourceOf(entry, found.group, tool => document.whole(tool)) : null
  }

  function search(query: string): Passage[] {
    const found = new DocumentSearch(query, 0)
    while (found.step(document));
    const names = new Map(turns().map(({ section, label }) => [section, label]))
    return found.places().map(({ section, block, row }) => {
      const at = document.blockAt({ section, block })
      const line = at ? (document.text(at).split('\n')[row] ?? '') : ''
      return { section, block, part: null, label: shortened(line), detail: names.get(section) ?? '' }
    })
  }

  function linesOf(block: ViewerBlock): string[] {
    return document
      .text(block)
      .split('\n')
      .filter(line => line.trim() !== '')
  }
}

function shortened(line: string): string {
  const words = line.trim().replaceAll(/\s{2,}/g, ' ')
  return words.length <= LABEL ? words : `${words.slice(0, LABEL).trimEnd()} and more`
}
