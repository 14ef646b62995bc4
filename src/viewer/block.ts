/** The pieces that the viewer moves by: a prompt, a stretch of text, a block of code, a tool call. */
import { hasGap, renderItem } from '../transcript/entries.ts'
import { empty, indented, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'
import type { Item } from '../transcript/timeline.ts'
import { sanitize } from '../text/sanitize.ts'

export type BlockKind = 'prompt' | 'prose' | 'code' | 'tool' | 'shell' | 'note'

/** What several blocks can be one of: a long one is cut, so that no more than what is seen has to be drawn. */
export type Group = {
  /** The same for as long as the conversation lasts. */
  key: string
  kind: BlockKind
  /** Its place among the parts of its turn; null for what is no part. */
  part: number | null
  /** How many blocks of code stand before it in its text. */
  codesBefore: number
  /** Lines of code, or pieces of text. */
  size: number
}

export type ViewerBlock = {
  group: Group
  /** Whether it goes on where the block before it was cut. */
  continues: boolean
  gap: boolean
  items: Item[]
  /** Of what still grows: draws it, in place of `items`. */
  live: ((look: BlockLook) => Styled[]) | null
  /** As it was drawn last; null where it has to be drawn anew. */
  rows: readonly Styled[] | null
  /** How many rows that are, which is known for longer than they are kept. */
  height: number | null
  /** What stands in it when it is open, without looks, its rows in lines of their own; null while nobody searched it. */
  text: string | null
  /** What becomes of what of its call is not in memory: null where nobody asked for it, or it is there now. */
  rest: 'reading' | 'missing' | null
}

/** What was drawn of it is not so any more. */
export function forgetDrawn(block: ViewerBlock): void {
  block.rows = null
  block.height = null
}

/** `raw`: as it was written. */
export type BlockLook = { theme: Theme; width: number; raw: boolean }

const undrawn = { rows: null, height: null, text: null, rest: null }

/** Items of a block; a longer stretch goes on in the next one. */
const MOST_ITEMS = 100

/** Puts pieces into blocks, one after the other. `key` names what they are of. */
export class Gathering {
  readonly blocks: ViewerBlock[] = []
  #last: Item | null = null
  #codes = 0
  /** Of a fork: what stands before it. */
  #before: ViewerBlock | undefined
  readonly #key: string

  constructor(key: string, before: Item | null) {
    this.#key = key
    this.#last = before
  }

  /** `part` is the item's place among the parts of its turn. */
  add(item: Item, part: number | null): void {
    const before = this.blocks.at(-1)
    if (item.kind === 'markup' && before) return this.#append(before, item)
    const kind = kindOf(item)
    if (item.kind === 'block' && item.first) this.#codes = 0
    const goesOn = item.kind === 'block' && !item.first && before?.group.kind === kind && item.code === null
    if (before && goesOn && before.items.length < MOST_ITEMS) {
      this.#append(before, item)
      before.group.size += 1
    } else {
      const group = goesOn && before ? before.group : this.#group(kind, part)
      group.size += 1
      const gap = !goesOn && hasGap(this.#last, item)
      this.blocks.push({ group, continues: goesOn, gap, items: [item], live: null, ...undrawn })
    }
    this.#last = item
  }

  #append(block: ViewerBlock, item: Item): void {
    block.items.push(item)
    forgetDrawn(block)
    block.text = null
  }

  #group(kind: BlockKind, part: number | null): Group {
    const codesBefore = kind === 'prose' || kind === 'code' ? this.#codes : 0
    if (kind === 'code') this.#codes += 1
    return { key: `${this.#key}/${part ?? ''}/${kind}${codesBefore}`, kind, part, codesBefore, size: 0 }
  }

  /** One that goes on by itself. */
  fork(): Gathering {
    const fork = new Gathering(this.#key, this.#last)
    fork.#codes = this.#codes
    fork.#before = this.blocks.at(-1)
    return fork
  }

  /** A block for what still grows, or for what stands behind that; `live` draws what no item does yet. */
  grows(item: Item, part: number, live: ViewerBlock['live']): ViewerBlock {
    const before = this.#before?.group
    const kind = kindOf(item)
    const isNewCode = item.kind === 'block' && item.block.kind === 'code' && item.block.above !== null
    const continues = item.kind === 'block' && !item.first && before?.kind === kind && !isNewCode
    const gap = !continues && hasGap(this.#last, item)
    const group = continues && before ? before : this.#group(kind, part)
    this.#last = item
    this.#before = undefined
    return { group, continues, gap, items: live ? [] : [item], live, ...undrawn }
  }
}

function kindOf(item: Item): BlockKind {
  switch (item.kind) {
    case 'markup':
      return 'prose'
    case 'block':
      return item.block.kind === 'code' ? 'code' : 'prose'
    case 'prompt':
    case 'tool':
    case 'shell':
      return item.kind
    case 'withdrawn':
    case 'notice':
    case 'turn_end':
    case 'compaction':
    case 'cleared':
    case 'agent_ended':
    case 'raw':
      return 'note'
  }
}

/** Whether there is more of it than is shown unless it was asked for. */
export function isOpenAtFirst({ kind }: Group): boolean {
  return kind !== 'tool'
}

/** The rows of a block, the blank one before it included. */
export function blockRows(block: ViewerBlock, look: BlockLook, open: boolean): Styled[] {
  const { group, continues } = block
  const shut = !open && isOpenAtFirst(group)
  if (shut && continues) return []
  const rows = block.live?.(look) ?? block.items.flatMap(item => itemRows(item, look, open ? block.rest : null, open))
  const whole = block.gap && rows[0] !== empty ? [empty, ...rows] : rows
  return shut ? shutRows(whole, block, look) : whole
}

function itemRows(item: Item, { theme, width, raw }: BlockLook, rest: ViewerBlock['rest'], whole: boolean): Styled[] {
  return renderItem(item, {
    theme,
    markdown: theme.markdown,
    width,
    whole,
    raw: raw ? 'width' : null,
    rest: rest ?? undefined,
  })
}

/** The first row with something on it, and how much more there is. */
function shutRows(
  rows: readonly Styled[],
  { group: { kind, size }, items }: ViewerBlock,
  { theme }: BlockLook,
): Styled[] {
  const first = rows.findIndex(row => row.trim() !== '')
  const isCut = size > items.length
  const left = kind === 'code' || isCut ? size - 1 : rows.length - first - 1
  if (first < 0 || left <= 0) return [...rows]
  const more = theme.dim(sanitize(`+${left} line${left === 1 ? '' : 's'}`))
  return [...rows.slice(0, first + 1), indented(2, more)]
}
