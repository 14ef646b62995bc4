/** The units that the viewer moves by: a prompt, a stretch of text, a block of code, a tool call. */
import type { Notice } from '../../../../src/conversation/part.ts'
import { counted } from '../../../../src/text/counted.ts'
import { hasGap, renderItem } from '../../../../src/transcript/entries.ts'
import { empty, indented, type Styled } from '../../../../src/style/styled.ts'
import type { Theme } from '../../../../src/style/theme.ts'
import type { TimelineItem } from '../../../../src/transcript/timeline.ts'
import { sanitize } from '../../../../src/text/sanitize.ts'

export type BlockKind = 'prompt' | 'prose' | 'code' | 'tool' | 'shell' | 'note'

/** The unit that a block belongs to. A long unit is split into several blocks, so that only visible ones are drawn. */
export type BlockGroup = {
  /** Stable for the whole conversation. */
  key: string
  kind: BlockKind
  /** The index of its part in the turn; null if it is not a part. */
  part: number | null
  /** The number of code blocks before it in its text. */
  codesBefore: number
  /** Lines of code, or pieces of text. */
  size: number
}

export type ViewerBlock = {
  group: BlockGroup
  /** Whether it continues the previous block, which was split. */
  continues: boolean
  gap: boolean
  items: TimelineItem[]
  /** Draws a growing block, instead of `items`. */
  live: ((look: BlockLook) => readonly Styled[]) | null
  /** The rows as last drawn; null if it must be drawn again. */
  rows: readonly Styled[] | null
  /** The number of rows, which is kept longer than the rows. */
  height: number | null
  /** The plain text of the open block, a line for each row; null until it is searched. */
  text: string | null
  /** The state of loading omitted output; null if it was not requested, or is loaded. */
  rest: 'reading' | 'missing' | null
}

/** Invalidates the drawn rows. */
export function forgetDrawn(block: ViewerBlock): void {
  block.rows = null
  block.height = null
}

/** `raw` shows the source instead of rendered Markdown. */
export type BlockLook = { theme: Theme; width: number; raw: boolean }

const undrawn = { rows: null, height: null, text: null, rest: null }

/** Items in a block; a longer stretch continues in the next one. */
const MOST_ITEMS = 100

/** Collects items into blocks. `key` is the key of their section. */
export class BlockBuilder {
  readonly blocks: ViewerBlock[] = []
  #last: TimelineItem | null = null
  #codes = 0
  /** In a fork, the last block before it. */
  #before: ViewerBlock | undefined
  readonly #key: string

  constructor(key: string, before: TimelineItem | null) {
    this.#key = key
    this.#last = before
  }

  /** `part` is the item's place among the parts of its turn. */
  add(item: TimelineItem, part: number | null): void {
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

  /** Removes the preview that `notice` cancels. */
  removePreview({ details }: Notice): void {
    const at = this.blocks.findLastIndex(
      ({ items: [item] }) => item?.kind === 'notice' && isPreviewOf(item.notice, details),
    )
    if (at >= 0) this.blocks.splice(at, 1)
  }

  #append(block: ViewerBlock, item: TimelineItem): void {
    block.items.push(item)
    forgetDrawn(block)
    block.text = null
  }

  #group(kind: BlockKind, part: number | null): BlockGroup {
    const codesBefore = kind === 'prose' || kind === 'code' ? this.#codes : 0
    if (kind === 'code') this.#codes += 1
    return { key: `${this.#key}/${part ?? ''}/${kind}${codesBefore}`, kind, part, codesBefore, size: 0 }
  }

  /** A copy for temporary blocks. */
  fork(): BlockBuilder {
    const fork = new BlockBuilder(this.#key, this.#last)
    fork.#codes = this.#codes
    fork.#before = this.blocks.at(-1)
    return fork
  }

  /** A block for something that still grows, or that follows it; `live` draws what is not an item yet. */
  grows(item: TimelineItem, part: number, live: ViewerBlock['live']): ViewerBlock {
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

const KINDS: Readonly<Record<TimelineItem['kind'], BlockKind>> = {
  markup: 'prose',
  block: 'prose',
  prompt: 'prompt',
  steer: 'prompt',
  tool: 'tool',
  thought: 'tool',
  shell: 'shell',
  plan: 'note',
  withdrawn: 'note',
  notice: 'note',
  turn_end: 'note',
  compaction: 'note',
  cleared: 'note',
  agent_ended: 'note',
  raw: 'note',
}

function isPreviewOf({ isPreview, text }: Notice, details: string | undefined): boolean {
  return isPreview === true && text === details
}

function kindOf(item: TimelineItem): BlockKind {
  return item.kind === 'block' && item.block.kind === 'code' ? 'code' : KINDS[item.kind]
}

/** Whether blocks of this kind are open until the user closes them. */
export function isOpenAtFirst({ kind }: BlockGroup): boolean {
  return kind !== 'tool'
}

/** The rows of a block, including the blank one before it. */
export function blockRows(block: ViewerBlock, look: BlockLook, open: boolean): readonly Styled[] {
  const { group, continues } = block
  const shut = !open && isOpenAtFirst(group)
  if (shut && continues) return []
  const rows = block.live?.(look) ?? block.items.flatMap(item => itemRows(item, look, open ? block.rest : null, open))
  const whole = block.gap && rows[0] !== empty ? [empty, ...rows] : rows
  return shut ? shutRows(whole, block, look) : whole
}

function itemRows(
  item: TimelineItem,
  { theme, width, raw }: BlockLook,
  rest: ViewerBlock['rest'],
  whole: boolean,
): Styled[] {
  return renderItem(item, {
    theme,
    markdown: theme.markdown,
    width,
    whole,
    raw: raw ? 'width' : null,
    rest: rest ?? undefined,
  })
}

/** The first nonblank row, and how many more there are. */
function shutRows(
  rows: readonly Styled[],
  { group: { kind, size }, items }: ViewerBlock,
  { theme }: BlockLook,
): Styled[] {
  const first = rows.findIndex(row => row.text.trim() !== '')
  const isCut = size > items.length
  const left = kind === 'code' || isCut ? size - 1 : rows.length - first - 1
  if (first < 0 || left <= 0) return [...rows]
  const more = theme.dim(sanitize(`+${counted(left, 'line')}`))
  return [...rows.slice(0, first + 1), indented(2, more)]
}
