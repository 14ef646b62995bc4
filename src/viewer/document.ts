/**
 * The whole conversation as rows, of which only those are drawn that somebody looks at; the rest is counted bit by bit. A
 * place in it is said by section, block and row, so that it stays where it is while rows above it are still unknown.
 */
import type { ChatState, Entry } from '../chat/state.ts'
import type { Styled } from '../view/styled.ts'
import { entryItem, isOutdated, type Item } from '../view/timeline.ts'
import { blockRows, isOpenAtFirst, type Block, type BlockLook, type Group } from './block.ts'
import { Section } from './section.ts'

/** All counted from 0. */
export type Place = { section: number; block: number; row: number }

export class Document {
  readonly #sections: Section[] = []
  /** Rows of each section; null while they are not counted. */
  readonly #heights: (number | null)[] = []
  /** The groups that were opened or closed. */
  readonly #opened = new Map<string, boolean>()
  #allOpen = false
  #look: BlockLook
  #restored = 0
  /** Entries that are over and have been taken. */
  #taken = 0
  /** Sections behind this one are read and counted. */
  #next = -1

  constructor(look: BlockLook) {
    this.#look = look
  }

  get sections(): readonly Section[] {
    return this.#sections
  }

  get look(): BlockLook {
    return this.#look
  }

  /** Draws with this look from now on. */
  wear(look: BlockLook): void {
    if (look.theme === this.#look.theme && look.width === this.#look.width) return
    this.#look = look
    this.#redraw()
  }

  #redraw(): void {
    for (const section of this.#sections) for (const block of section.blocks) block.rows = null
    this.#heights.fill(null)
    this.#next = this.#sections.length - 1
  }

  /**
   * Takes what has been said by now. `restored` tells one conversation from the next, `now` is in milliseconds since the
   * Unix epoch.
   */
  follow(chat: ChatState, restored: number, now: number): void {
    if (restored !== this.#restored || chat.entries.length < this.#taken) this.#forget(restored)
    const live = [chat.open, chat.shell].filter(entry => entry !== null)
    const all: readonly Entry[] = live.length === 0 ? chat.entries : [...chat.entries, ...live]
    this.#sections.length = Math.min(this.#sections.length, all.length)
    this.#heights.length = this.#sections.length
    // What is over changes only where something of it is let go.
    for (let index = 0; index < all.length; index += 1) this.#take(all, index, now)
    this.#taken = chat.entries.length
    this.#next = Math.min(this.#next, all.length - 1)
  }

  /** The blocks of a section, as far as they have been read. */
  blocks(section: number): readonly Block[] {
    const known = this.#sections[section]
    if (known && !known.isRead && known.blocks.length === 0) known.read(0)
    return known?.blocks ?? []
  }

  blockAt({ section, block }: Pick<Place, 'section' | 'block'>): Block | undefined {
    return this.blocks(section)[block]
  }

  rows(block: Block): readonly Styled[] {
    block.rows ??= blockRows(block, this.#look, this.isOpen(block.group))
    return block.rows
  }

  /** What stands there when it is open. */
  openRows(block: Block): readonly Styled[] {
    return this.isOpen(block.group) ? this.rows(block) : blockRows(block, this.#look, true)
  }

  /** The row of a block at which its piece of that number begins. */
  rowOf(block: Block, piece: number): number {
    return blockRows({ ...block, items: block.items.slice(0, piece) }, this.#look, true).length
  }

  isOpen(group: Group): boolean {
    return this.#opened.get(group.key) ?? (this.#allOpen || isOpenAtFirst(group))
  }

  /** Opens all, or leaves all as it is at first. */
  toggleAll(): void {
    this.#allOpen = !this.#allOpen
    this.#opened.clear()
    this.#redraw()
  }

  /** Opens or closes a block, in all its parts. */
  setOpen(section: number, { key }: Group, open: boolean): void {
    this.#opened.set(key, open)
    for (const block of this.blocks(section)) if (block.group.key === key) block.rows = null
    this.#heights[section] = null
    this.#next = Math.max(this.#next, section)
  }

  /** Does a small part of what is left to do, the end first. False where nothing is: then all rows are counted. */
  prepare(): boolean {
    for (; this.#next >= 0; this.#next -= 1) {
      const index = this.#next
      const section = this.#sections[index]
      if (section && !section.isRead) {
        section.read(0)
        this.#heights[index] = null
        return true
      }
      if (section && this.#heights[index] === null && this.#count(index, section)) return true
    }
    return false
  }

  /** Rows before a place, and all; null while they are not counted. */
  count(place: Place): { before: number; all: number } | null {
    let [before, all] = [0, 0]
    for (const [index, height] of this.#heights.entries()) {
      if (height === null) return null
      if (index < place.section) before += height
      all += height
    }
    const blocks = this.blocks(place.section).slice(0, place.block)
    return { before: blocks.reduce((sum, block) => sum + this.rows(block).length, before) + place.row, all }
  }

  #forget(restored: number): void {
    this.#restored = restored
    this.#sections.length = 0
    this.#heights.length = 0
    this.#taken = 0
    this.#next = -1
  }

  #take(all: readonly Entry[], index: number, now: number): void {
    const entry = all[index]
    const known = this.#sections[index]
    if (!entry || known?.entry === entry) return
    const before = known?.entry.kind === 'turn' && known.entry.endedAt === null ? known.entry : null
    const goesOn = entry.kind === 'turn' && before?.startedAt === entry.startedAt
    const section = goesOn && known ? known : new Section(entry, String(index), pieceBefore(all, index))
    section.update(entry)
    this.#sections[index] = section
    const last = all[index - 1]
    if (last && isOutdated(last, entry)) {
      this.#sections[index - 1]?.hide()
      this.#heights[index - 1] = 0
    }
    this.#heights[index] = null
    this.#next = Math.max(this.#next, index)
    // What came last is looked at first.
    if (index >= all.length - 2) section.read(now)
  }

  /** Draws a block that nobody has looked at, if there is one. */
  #count(index: number, { blocks }: Section): boolean {
    const unknown = blocks.find(block => block.rows === null)
    if (unknown) this.rows(unknown)
    else this.#heights[index] = blocks.reduce((sum, block) => sum + this.rows(block).length, 0)
    return unknown !== undefined
  }
}

/** What is drawn last of the entry before. */
function pieceBefore(all: readonly Entry[], index: number): Item | null {
  const entry = all[index - 1]
  if (!entry) return null
  return entry.kind === 'turn' ? { kind: 'turn_end', turn: entry } : entryItem(entry)
}
