/** The state of /diff and the effect of its keys. Nothing here changes a file. */
import type { Changes, DiffMove } from '../state/diff-screen.ts'
import type { FileChange, FileDiff } from '../tools/diff/change.ts'
import type { Theme } from '../style/theme.ts'
import { DiffRows } from './rows.ts'
import { DiffWindow } from './window.ts'
import { MARGIN } from '../viewer/reader.ts'
import type { Size } from '../text/width.ts'

/** The least width for a view side by side. */
const SPLIT_FROM = 110

export class DiffReader {
  /** The file that is shown; null in the list. */
  shown: FileChange | null = null
  /** The selected row of the list. */
  selected = 0
  /** Whether the user selected it; until then it is the first. */
  #isChosen = false
  /** The scroll position of the key list; null if it is not shown. */
  help: number | null = null
  readonly window = new DiffWindow()
  changes: Changes = { list: { session: [], before: [], unsure: 0, notes: [] }, isAsking: true, diffs: new Map() }
  /** Null if the width decides. */
  #isSplit: boolean | null = null
  #isWrapped = false
  #size: Size = { columns: 80, rows: 24 }
  #drawn: { diff: FileDiff; key: string; theme: Theme } | null = null
  /** Whether a file that is still loading opens at its last change. */
  #atEnd = false

  open(): void {
    this.shown = null
    this.selected = 0
    this.#isChosen = false
    this.help = null
    this.#drawn = null
  }

  /** Takes new changes, a theme or a size. */
  update(changes: Changes | null, theme: Theme, size: Size): void {
    const chosen = this.#isChosen ? this.chosen : null
    this.#size = size
    if (changes && changes !== this.changes) {
      this.changes = changes
      const at = chosen ? this.files.findIndex(({ file }) => file === chosen.file) : 0
      this.selected = Math.max(0, at < 0 ? Math.min(this.selected, this.files.length - 1) : at)
      if (this.shown) this.shown = this.files.find(({ file }) => file === this.shown?.file) ?? null
    }
    this.#arrange(theme)
  }

  get files(): readonly FileChange[] {
    const { session, before } = this.changes.list
    return [...session, ...before]
  }

  get chosen(): FileChange | null {
    return this.shown ?? this.files[this.selected] ?? null
  }

  /** The diff of the file that is shown; null while it is loading. */
  get diff(): FileDiff | null {
    return this.shown ? (this.changes.diffs.get(this.shown.file) ?? null) : null
  }

  get isSplit(): boolean {
    return this.#isSplit ?? this.#size.columns >= SPLIT_FROM
  }

  /** Rows between the title and the line at the bottom. */
  get body(): number {
    return Math.max(1, this.#size.rows - 2)
  }

  /** The visible line of the file. */
  line(): number | null {
    return this.shown ? this.window.line(this.body) : null
  }

  perform(move: DiffMove): void {
    if (this.help !== null) this.#inHelp(this.help, move)
    else if (move === 'help') this.help = 0
    else if (move === 'layout') this.#isSplit = !this.isSplit
    else if (move === 'wrap') this.#isWrapped = !this.#isWrapped
    else if (this.shown) this.#inFile(move)
    else this.#inList(move)
  }

  wheel(by: 1 | -1): void {
    if (this.help !== null) this.#inHelp(this.help, by > 0 ? 'down' : 'up')
    else if (this.shown) this.window.scroll(by * WHEEL_ROWS, this.body)
    else this.#choose(this.selected + by)
  }

  /** A click on a row of the list selects it; a second click shows it. */
  choose(index: number): void {
    if (index === this.selected) this.#show(this.files[index])
    else this.#choose(index)
  }

  /** Draws the rows of the shown file again if something has changed. */
  #arrange(theme: Theme): void {
    const { diff, shown } = this
    if (!diff || !shown) {
      this.#drawn = null
      return
    }
    const width = Math.max(1, this.#size.columns - MARGIN)
    const isSplit = this.#isSplit ?? (this.isSplit && hasBoth(shown))
    const key = [shown.file, width, isSplit, this.#isWrapped].join('\0')
    if (this.#drawn?.diff === diff && this.#drawn.key === key && this.#drawn.theme === theme) return
    const isOther = this.#drawn === null
    this.#drawn = { diff, key, theme }
    const look = { theme, width, isSplit, isWrapped: this.#isWrapped }
    this.window.put(new DiffRows(diff, shown.path, look), isOther)
    if (isOther && this.#atEnd) this.window.toHunk(Number.MAX_SAFE_INTEGER, this.body)
    this.#atEnd = false
  }

  /** Bounds the scroll position of the key list. */
  endHelp(last: number): void {
    if (this.help !== null) this.help = Math.min(this.help, last)
  }

  #inHelp(from: number, move: DiffMove): void {
    const steps: Partial<Record<DiffMove, number>> = { up: -1, down: 1, page_up: -this.body, page_down: this.body }
    const by = steps[move]
    this.help = by === undefined ? null : Math.max(0, from + by)
  }

  /** The number of rows of each move, in the list and in a file. */
  #steps(): Partial<Record<DiffMove, number>> {
    const page = Math.max(1, this.body - 1)
    const half = Math.ceil(page / 2)
    return { up: -1, down: 1, page_up: -page, page_down: page, half_up: -half, half_down: half }
  }

  #inList(move: DiffMove): void {
    const steps: Partial<Record<DiffMove, number>> = {
      ...this.#steps(),
      previous_hunk: -1,
      previous_file: -1,
      next_hunk: 1,
      next_file: 1,
      top: -this.files.length,
      bottom: this.files.length,
    }
    const by = steps[move]
    if (by !== undefined) this.#choose(this.selected + by)
    else if (move === 'show') this.#show(this.files[this.selected])
  }

  #choose(index: number): void {
    this.#isChosen = true
    this.selected = Math.max(0, Math.min(this.files.length - 1, index))
  }

  #show(change: FileChange | undefined, atEnd = false): void {
    if (!change) return
    this.shown = change
    this.#isChosen = true
    this.selected = this.files.indexOf(change)
    this.#drawn = null
    this.#atEnd = atEnd
  }

  #inFile(move: DiffMove): void {
    const { window, body } = this
    const steps = this.#steps()
    const by = move === 'show' ? steps.page_down : steps[move]
    if (by !== undefined) window.scroll(by, body)
    else if (move === 'top') window.toHunk(0, body)
    else if (move === 'bottom') window.toEnd(body)
    else if (move === 'leave' || move === 'list') this.shown = null
    else if (move === 'next_file') this.#step(1)
    else if (move === 'previous_file') this.#step(-1)
    else if (move === 'next_hunk' && !window.nextHunk(1, body)) this.#step(1)
    else if (move === 'previous_hunk' && !window.nextHunk(-1, body)) this.#step(-1, true)
  }

  /** Shows the next or previous file; at the ends of the list nothing happens. */
  #step(by: 1 | -1, atEnd = false): void {
    this.#show(this.files[this.selected + by], atEnd)
  }
}

const WHEEL_ROWS = 3

/** Whether both sides have content: one side of a new or deleted file is empty. */
function hasBoth({ kind }: FileChange): boolean {
  return kind === 'changed' || kind === 'renamed'
}
