/**
 * The state of the viewer and the effect of its keys. One reader lasts for a run of the program; nothing here changes the
 * conversation.
 */
import type { AppState } from '../state/state.ts'
import { answerOf } from '../conversation/answer.ts'
import { previousBoundary } from '../composer/graphemes.ts'
import type { Theme } from '../style/theme.ts'
import { Document } from './document.ts'
import { Outline, type OutlineRow } from './outline.ts'
import type { ReadCall } from './output-loader.ts'
import { Search } from './search.ts'
import { fileOf, sourceOf, type BlockSource } from './source.ts'
import { compare } from './walk.ts'
import { Window } from './window.ts'
import type { ViewerMove } from '../state/viewer-screen.ts'
import type { Size } from '../text/width.ts'

/** Columns of the mark at the selected block, including its blank. */
export const MARGIN = 2

/** The overlay that receives the keys instead of the conversation. */
export type ViewerOverlay =
  | { kind: 'typing'; query: string }
  | { kind: 'turns'; filter: string; selected: number }
  | { kind: 'help'; from: number }
  | null

export class Reader {
  readonly document: Document
  readonly window: Window
  overlay: ViewerOverlay = null
  search: Search | null = null
  /** The direction in which the next match is sought, until it is found. */
  #seeking: 1 | -1 | null = null
  #body = 1
  readonly #outline = new Outline()
  /** The number of agents that had ended when the viewer was opened. */
  #endedBefore = 0

  /** `read` loads the full output of a shortened call. */
  constructor(theme: Theme, { columns }: Size, read: ReadCall) {
    this.document = new Document({ theme, width: contentWidth(columns), raw: false }, read)
    this.window = new Window(this.document)
  }

  /** Begins at the end of the conversation. */
  open(state: AppState, theme: Theme, size: Size): void {
    this.overlay = null
    this.#seeking = null
    this.#endedBefore = endings(state)
    this.update(state, theme, size)
    this.window.begin(this.#body)
  }

  /** Takes a new state, theme or size. */
  update({ chat, restored, now, raw }: AppState, theme: Theme, { columns, rows }: Size): void {
    this.#body = Math.max(1, rows - 1)
    const isOther = this.document.setLook({ theme, width: contentWidth(columns), raw })
    this.document.follow(chat, restored.times, now)
    // The matches were in other rows.
    if (isOther && this.search) this.search = new Search(this.search.query, this.window.top.section)
  }

  /** Rows above the line at the bottom. */
  get body(): number {
    return this.#body
  }

  /** Whether an agent has ended since the viewer was opened. */
  hasEnded(state: AppState): boolean {
    return endings(state) > this.#endedBefore
  }

  /** Whether the next match is still being sought. */
  get isSeeking(): boolean {
    return this.#seeking !== null
  }

  /** Does a small part of the background work; false if there is nothing to do. */
  work(): boolean {
    if (this.#seeking && this.search) this.#seek(this.search, this.#seeking)
    const isSearching = this.search?.step(this.document) ?? false
    return isSearching || this.document.prepare()
  }

  get outline(): readonly OutlineRow[] {
    const { overlay } = this
    return this.#outline.rows(this.document, overlay?.kind === 'turns' ? overlay.filter : '')
  }

  perform(move: ViewerMove): void {
    const { overlay } = this
    if (overlay?.kind === 'help') this.#inHelp(overlay, move)
    else if (overlay?.kind === 'turns') this.#inTurns(overlay, move)
    else if (overlay?.kind === 'typing') this.#inTyping(overlay, move)
    else this.#read(move)
  }

  /** Takes typed text if an overlay has a text field; otherwise returns false. */
  type(text: string): boolean {
    const { overlay } = this
    if (overlay?.kind === 'typing') this.#ask(overlay.query + text)
    else if (overlay?.kind === 'turns') this.overlay = { ...overlay, filter: overlay.filter + text, selected: 0 }
    else return false
    return true
  }

  wheel(by: 1 | -1): void {
    if (this.overlay?.kind === 'turns' || this.overlay?.kind === 'help') this.perform(by > 0 ? 'down' : 'up')
    else if (!this.overlay) this.window.scroll(by * WHEEL_ROWS)
  }

  /** A click on a row selects its block; a second click opens or closes it. */
  click(row: number): void {
    const { overlay } = this
    if (overlay?.kind === 'turns') return this.#clickTurn(overlay, row)
    if (overlay || row >= this.#body) return
    if (this.window.chooseSeen(row) === false) this.#toggle()
  }

  /** The first visible row of the list of turns. */
  firstTurn(selected: number): number {
    const room = this.#body - 1
    return Math.max(0, Math.min(selected - Math.floor(room / 2), this.outline.length - room))
  }

  /** The source of the selected block. */
  source(): BlockSource | null {
    const chosen = this.#chosen()
    return chosen && sourceOf(chosen.entry, chosen.block.group, tool => this.document.whole(tool))
  }

  /** The agent's whole answer in the selected turn. */
  answer(): BlockSource | null {
    const entry = this.#chosen()?.entry
    const text = entry?.kind === 'turn' ? answerOf(entry) : ''
    return text === '' ? null : { text, what: 'the answer', extension: 'md' }
  }

  /** The file that the selected block is about. */
  file(): { path: string; line: number | null } | null {
    const chosen = this.#chosen()
    return chosen && fileOf(chosen.entry, chosen.block.group)
  }

  #chosen() {
    const block = this.window.chosenBlock
    const entry = this.document.sections[this.window.chosen.section]?.entry
    return block && entry ? { block, entry } : null
  }

  #read(move: ViewerMove): void {
    const { window } = this
    switch (move) {
      case 'up':
      case 'down':
        return window.scroll(move === 'up' ? -1 : 1)
      case 'page_up':
      case 'page_down':
        return window.scroll((move === 'page_up' ? -1 : 1) * Math.max(1, this.#body - 1))
      case 'half_up':
      case 'half_down':
        return window.scroll((move === 'half_up' ? -1 : 1) * Math.max(1, Math.floor(this.#body / 2)))
      case 'top':
        return window.toStart()
      case 'bottom':
        return window.toEnd()
      case 'next_block':
      case 'previous_block':
        return window.chooseNext(move === 'next_block' ? 1 : -1)
      case 'next_prompt':
      case 'previous_prompt':
        return window.toPrompt(move === 'next_prompt' ? 1 : -1)
      case 'toggle':
        return this.#toggle()
      case 'toggle_all':
        this.document.toggleAll()
        return this.window.stay()
      case 'next_match':
      case 'previous_match':
        return this.#next(move === 'next_match' ? 1 : -1)
      case 'search':
        this.overlay = { kind: 'typing', query: '' }
        return
      case 'turns':
        return this.#openTurns()
      case 'help':
        this.overlay = { kind: 'help', from: 0 }
        return
      case 'leave':
        this.search = null
        return
      case 'erase':
    }
  }

  #toggle(): void {
    const block = this.window.chosenBlock
    if (!block) return
    this.document.setOpen(this.window.chosen.section, block.group, !this.document.isOpen(block.group))
    this.window.stay()
  }

  /** Bounds the scroll position of the key list. */
  endHelp(last: number): void {
    if (this.overlay?.kind === 'help') this.overlay = { kind: 'help', from: Math.min(this.overlay.from, last) }
  }

  #inHelp({ from }: { from: number }, move: ViewerMove): void {
    const page = Math.max(1, this.#body - 1)
    const steps: Partial<Record<ViewerMove, number>> = {
      up: -1,
      down: 1,
      page_up: -page,
      page_down: page,
      half_up: -Math.ceil(page / 2),
      half_down: Math.ceil(page / 2),
      top: -from,
      bottom: Number.MAX_SAFE_INTEGER - from,
    }
    const by = steps[move]
    this.overlay = by === undefined ? null : { kind: 'help', from: Math.max(0, from + by) }
  }

  #inTyping({ query }: { query: string }, move: ViewerMove): void {
    if (move === 'erase' && query !== '') return this.#ask(query.slice(0, previousBoundary(query, query.length)))
    if (move !== 'toggle' && move !== 'leave' && move !== 'erase') return
    this.overlay = null
    if (move === 'toggle' && query !== '') this.#next(1, true)
    else this.search = null
  }

  #ask(query: string): void {
    this.overlay = { kind: 'typing', query }
    this.#seeking = null
    this.search = query === '' ? null : new Search(query, this.window.top.section)
  }

  #next(by: 1 | -1, isFirst = false): void {
    if (!this.search) return
    this.search.renew(this.document)
    this.#seeking = by
    this.#seek(this.search, by, isFirst)
  }

  /** Shows the next match as soon as no nearer one can turn up. */
  #seek(search: Search, by: 1 | -1, isFirst = false): void {
    const from = search.shown ?? { ...this.window.top, row: this.window.top.row - (isFirst ? 1 : 0) }
    const found = search.next(from, by)
    const isNear = found !== null && compare(found, from) > 0 === by > 0 && search.isSure(from.section, found.section)
    if (!isNear && !search.isDone(this.document)) return
    this.#seeking = null
    const block = found && this.document.blockAt(found)
    if (!found || !block) return
    if (!this.document.isOpen(block.group)) this.document.setOpen(found.section, block.group, true)
    search.shown = found
    this.window.show(found, Math.floor(this.#body / 3))
  }

  #openTurns(): void {
    const { chosen } = this.window
    this.overlay = { kind: 'turns', filter: '', selected: 0 }
    const here = this.outline.findLastIndex(({ place }) => compare(place, chosen) <= 0)
    this.overlay = { kind: 'turns', filter: '', selected: Math.max(0, here) }
  }

  #inTurns(overlay: Extract<ViewerOverlay, { kind: 'turns' }>, move: ViewerMove): void {
    const { filter, selected } = overlay
    const count = this.outline.length
    const steps: Partial<Record<ViewerMove, number>> = {
      up: -1,
      down: 1,
      page_up: -this.#body,
      page_down: this.#body,
      top: -count,
      bottom: count,
    }
    const by = steps[move]
    if (by !== undefined) {
      this.overlay = { ...overlay, selected: Math.max(0, Math.min(count - 1, selected + by)) }
    } else if (move === 'erase' && filter !== '') {
      this.overlay = { ...overlay, filter: filter.slice(0, previousBoundary(filter, filter.length)), selected: 0 }
    } else if (move === 'toggle') this.#goTo(this.outline[selected])
    else if (move === 'leave') this.overlay = null
  }

  #clickTurn(overlay: Extract<ViewerOverlay, { kind: 'turns' }>, row: number): void {
    const selected = this.firstTurn(overlay.selected) + row - 1
    if (row < 1 || selected >= this.outline.length) return
    if (selected === overlay.selected) this.#goTo(this.outline[selected])
    else this.overlay = { ...overlay, selected }
  }

  #goTo(row: OutlineRow | undefined): void {
    const block = row && this.document.blockAt(row.place)
    if (!row || !block) return
    this.overlay = null
    if (!this.document.isOpen(block.group)) this.document.setOpen(row.place.section, block.group, true)
    this.window.show({ ...row.place, row: this.document.rowOf(block, row.piece) }, 0)
  }
}

const WHEEL_ROWS = 3

function contentWidth(columns: number): number {
  return Math.max(1, columns - MARGIN)
}

function endings({ chat }: AppState): number {
  return chat.entries.filter(entry => entry.kind === 'agent_ended').length
}
