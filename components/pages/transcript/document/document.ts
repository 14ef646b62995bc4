/**
 * The whole conversation as rows, of which only visible ones are drawn. A place in it is a section, a block and a row, so
 * that it stays valid while rows above it are still unknown.
 */
import type { ChatState, Entry } from '../../../../src/conversation/state.ts'
import { isOutdated } from '../../../../src/conversation/walk.ts'
import type { ToolCall } from '../../../../src/conversation/part.ts'
import type { Styled } from '../../../../src/style/styled.ts'
import { noFolds, type DocumentPlace, type Folds } from '../state.ts'
import { entryItem, type TimelineItem } from '../../../../src/transcript/timeline.ts'
import { blockRows, forgetDrawn, isOpenAtFirst, type ViewerBlock, type BlockLook, type BlockGroup } from './block.ts'
import { KeptRows } from './kept-rows.ts'
import { OutputLoader, type ReadCall } from './output-loader.ts'
import { ViewerSection } from './section.ts'

/** Blocks of a new section that are counted at once; `prepare` counts the others. */
const COUNTED_AT_ONCE = 8

export class ViewerDocument {
  readonly #sections: ViewerSection[] = []
  /** Rows of each section; null while they are not counted. */
  readonly #heights: (number | null)[] = []
  #folds: Folds = noFolds
  #look: BlockLook
  #restored = 0
  /** The finished entries taken so far. */
  #taken: readonly Entry[] = []
  /** Sections after this one are read and counted. */
  #next = -1
  /** The place up to which the blocks of a section have been counted. */
  #counting = { section: -1, block: 0, rows: 0 }
  #kept = new KeptRows()
  #changes = 0

  readonly #loader: OutputLoader

  /** `read` loads the full output of a shortened call. */
  constructor(look: BlockLook, read: ReadCall) {
    this.#look = look
    this.#loader = new OutputLoader(read)
  }

  get sections(): readonly ViewerSection[] {
    return this.#sections
  }

  get look(): BlockLook {
    return this.#look
  }

  /** A number that changes whenever entries change or more of them is read. */
  get changes(): number {
    return this.#changes
  }

  /** Draws with this look from now on; false if nothing changes. */
  setLook(look: BlockLook): boolean {
    const { theme, width, raw } = this.#look
    if (look.theme === theme && look.width === width && look.raw === raw) return false
    this.#look = look
    this.#kept.forgetText()
    this.#forgetDrawn(block => {
      block.text = null
      return true
    })
    return true
  }

  /**
   * Takes the conversation's new state. `restored` differs for each conversation, `now` is in milliseconds since the
   * Unix epoch.
   */
  follow({ entries, open, shell }: ChatState, restored: number, now: number): void {
    if (restored !== this.#restored || entries.length < this.#taken.length) this.#forget(restored)
    const live = [open, shell].filter(entry => entry !== null)
    const count = entries.length + live.length
    const entryAt = (index: number): Entry | undefined => entries[index] ?? live[index - entries.length]
    this.#sections.length = Math.min(this.#sections.length, count)
    this.#heights.length = this.#sections.length
    // Finished entries change only when they are trimmed, which makes a new list.
    const from = entries === this.#taken ? entries.length : 0
    for (let index = from; index < count; index += 1) this.#take(entryAt, index, count, now)
    this.#taken = entries
    this.#next = Math.min(this.#next, count - 1)
  }

  /** A block, reading its section as far as needed; undefined if there is none. */
  blockAt({ section, block }: Pick<DocumentPlace, 'section' | 'block'>): ViewerBlock | undefined {
    return this.#readUpTo(section, block)[block]
  }

  /** The number of blocks in a section, which is read completely for that. */
  blocksIn(section: number): number {
    return this.#readUpTo(section, Number.POSITIVE_INFINITY).length
  }

  #readUpTo(index: number, block: number): readonly ViewerBlock[] {
    for (;;) {
      const section = this.#sections[index]
      if (!section || section.isRead || section.blocks.length > block) return section?.blocks ?? []
      this.#read(index, section)
    }
  }

  rows(block: ViewerBlock): readonly Styled[] {
    if (block.rows) return block.rows
    const isOpen = this.isOpen(block.group)
    const rows = blockRows(block, this.#look, isOpen)
    block.rows = rows
    block.height = rows.length
    // A growing block is a new one the next time.
    if (!block.live) this.#kept.keep(block)
    if (isOpen) this.#kept.textOf(block, rows)
    return rows
  }

  height(block: ViewerBlock): number {
    return block.height ?? this.rows(block).length
  }

  /** The plain text of the block when open, a line for each row. */
  text(block: ViewerBlock): string {
    if (block.text !== null) return block.text
    const isDrawn = block.rows !== null && this.isOpen(block.group)
    return this.#kept.textOf(block, isDrawn ? this.rows(block) : blockRows(block, this.#look, true))
  }

  /** The row of a block at which its item number `piece` begins. */
  rowOf(block: ViewerBlock, piece: number): number {
    return blockRows({ ...block, items: block.items.slice(0, piece) }, this.#look, true).length
  }

  isOpen(group: BlockGroup): boolean {
    return isOpenIn(this.#folds, group)
  }

  /** Opens and closes groups. */
  setFolds(folds: Folds): void {
    const before = this.#folds
    if (folds === before) return
    this.#folds = folds
    this.#forgetDrawn(block => {
      const isOpen = this.isOpen(block.group)
      if (isOpen === isOpenIn(before, block.group)) return false
      if (!isOpen) this.#loader.forget(block)
      block.text = null
      return true
    })
  }

  /** Starts to load the omitted output of a visible block if it is open. */
  lookAt(section: number, block: ViewerBlock): void {
    if (this.isOpen(block.group) && this.#loader.begin(section, block)) this.#redraw(section, block)
  }

  /** Loads everything that `lookAt` requested. */
  readBack(): void {
    while (this.#readOn());
  }

  /** A call with its full arguments and result, as far as they are stored. */
  whole(tool: ToolCall): ToolCall {
    return this.#loader.readNow(tool)
  }

  /** Does a small part of the remaining work, from the end. False if none is left: all rows are counted. */
  prepare(): boolean {
    if (this.#readOn()) return true
    for (; this.#next >= 0; this.#next -= 1) {
      const index = this.#next
      const section = this.#sections[index]
      if (section && !section.isRead) {
        this.#read(index, section)
        return true
      }
      if (section && this.#heights[index] === null) {
        this.#countNext(index, section)
        return true
      }
    }
    return false
  }

  /** The rows before a place, and all rows; null while they are not counted. */
  count({ section, block, row }: DocumentPlace): { before: number; all: number } | null {
    let before = row
    let all = 0
    for (let index = 0; index < this.#heights.length; index += 1) {
      const height = this.#heights[index] ?? null
      if (height === null) return null
      if (index < section) before += height
      all += height
    }
    const blocks = this.#sections[section]?.blocks ?? []
    for (let index = 0; index < block; index += 1) before += blocks[index]?.height ?? 0
    return { before, all }
  }

  #forget(restored: number): void {
    this.#restored = restored
    this.#sections.length = 0
    this.#heights.length = 0
    this.#kept = new KeptRows()
    this.#taken = []
    this.#next = -1
  }

  #take(entryAt: (index: number) => Entry | undefined, index: number, count: number, now: number): void {
    const entry = entryAt(index)
    const known = this.#sections[index]
    if (!entry || known?.entry === entry) return
    const before = known?.entry.kind === 'turn' && known.entry.endedAt === null ? known.entry : null
    const goesOn = entry.kind === 'turn' && before?.startedAt === entry.startedAt
    const last = entryAt(index - 1)
    const section = goesOn && known ? known : new ViewerSection(entry, String(index), last ? lastItem(last) : null)
    section.update(entry)
    this.#sections[index] = section
    if (last && isOutdated(last, entry)) {
      this.#sections[index - 1]?.hide()
      this.#heights[index - 1] = 0
    }
    this.#recount(index)
    this.#changes += 1
    // The newest sections are shown first.
    if (index < count - 2) return
    section.read(now)
    for (let counted = 0; section.isRead && counted < COUNTED_AT_ONCE; counted += 1) {
      if (!this.#countNext(index, section)) break
    }
  }

  #read(index: number, section: ViewerSection): void {
    section.read(0)
    this.#recount(index)
    this.#changes += 1
  }

  #readOn(): boolean {
    const changed = this.#loader.step()
    for (const { section, block } of changed ?? []) this.#redraw(section, block)
    return changed !== null
  }

  #redraw(section: number, block: ViewerBlock): void {
    forgetDrawn(block)
    block.text = null
    this.#recount(section)
  }

  #recount(index: number): void {
    this.#heights[index] = null
    this.#next = Math.max(this.#next, index)
    if (this.#counting.section === index) this.#counting.section = -1
  }

  /** Counts the rows up to the next block that was not drawn yet; false once all are counted. */
  #countNext(index: number, { blocks }: ViewerSection): boolean {
    if (this.#counting.section !== index) this.#counting = { section: index, block: 0, rows: 0 }
    const counting = this.#counting
    for (let block = blocks[counting.block]; block; block = blocks[counting.block]) {
      const isNew = block.height === null
      counting.rows += this.height(block)
      counting.block += 1
      if (isNew) return true
    }
    this.#heights[index] = counting.rows
    counting.section = -1
    return false
  }

  /** Invalidates the blocks for which `isOther` is true. */
  #forgetDrawn(isOther: (block: ViewerBlock) => boolean): void {
    for (const [index, { blocks }] of this.#sections.entries()) {
      let isSame = true
      for (const block of blocks) {
        if (!isOther(block)) continue
        forgetDrawn(block)
        isSame = false
      }
      if (!isSame) this.#recount(index)
    }
  }
}

function isOpenIn({ isAllOpen, changed }: Folds, group: BlockGroup): boolean {
  return changed.get(group.key) ?? (isAllOpen || isOpenAtFirst(group))
}

/** The last item of an entry. */
function lastItem(entry: Entry): TimelineItem | null {
  return entry.kind === 'turn' ? { kind: 'turn_end', turn: entry } : entryItem(entry)
}
