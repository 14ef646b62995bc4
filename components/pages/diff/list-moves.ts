/** What keys and the mouse do in the list of files, and in the tree of folders. */
import { scrollSteps } from '../scroll.ts'
import type { DiffListRow } from './list.ts'
import { listRowAt } from './list-rows.ts'
import type { DiffReading } from './reading.ts'
import type { FeatureAfter } from './feature.ts'
import { startOfHunk, type DiffMove, type DiffState } from './state.ts'

export const afterInList: FeatureAfter = (reading, input) => {
  const { view, shown, listRow } = reading
  if (view.help !== null) return undefined
  if (input.kind === 'move' && input.move === 'tree') return withTree(reading)
  if (shown) return undefined
  if (input.kind === 'wheel') return stepping(reading, input.by)
  if (input.kind === 'move') return afterMove(reading, input.move)
  if (input.kind !== 'click') return undefined
  const row = listRowAt(reading, input.y)
  if (row === null) return view
  return row === listRow ? showing(reading) : selecting(reading, row)
}

function afterMove(reading: DiffReading, move: DiffMove): DiffState | undefined {
  const { view, body, list, listRow } = reading
  const steps: Partial<Record<DiffMove, number>> = {
    ...scrollSteps(body),
    previous_hunk: -1,
    previous: -1,
    previous_file: -1,
    next_hunk: 1,
    next: 1,
    next_file: 1,
  }
  const by = steps[move]
  if (by !== undefined) return stepping(reading, by)
  const row = list[listRow]
  if (move === 'show') return showing(reading)
  if (move === 'into') return row?.kind === 'folder' && row.isOpen ? stepping(reading, 1) : showing(reading)
  if (move === 'list' || move === 'erase') return row ? out(reading, row) : view
  return undefined
}

/** The list as a tree, or again as a list. From a file it leads to the tree, where that file is selected. */
function withTree({ view, shown }: DiffReading): DiffState {
  const isShown = shown !== null || !view.tree.isShown
  return { ...view, file: null, anchor: null, tree: { ...view.tree, isShown, folder: null } }
}

/** Selects the row that is `by` rows further down among those that can be selected, or the last one. */
function stepping(reading: DiffReading, by: number): DiffState {
  const { list, listRow, view } = reading
  const rows = list.flatMap((row, index) => (row.kind === 'words' ? [] : [index]))
  const at = Math.max(0, rows.indexOf(listRow))
  const target = rows[Math.max(0, Math.min(rows.length - 1, at + by))]
  return target === undefined ? view : selecting(reading, target)
}

function selecting({ view, list }: DiffReading, index: number): DiffState {
  const row = list[index]
  if (row?.kind === 'folder') return { ...view, tree: { ...view.tree, folder: row.key } }
  if (row?.kind !== 'file') return view
  return {
    ...view,
    selected: { index: row.index, file: row.change.file },
    tree: { ...view.tree, folder: null },
  }
}

/** Shows the file of the selected row from its first hunk, or opens or closes its folder. */
function showing(reading: DiffReading): DiffState {
  const { view, list, listRow } = reading
  const row = list[listRow]
  if (row?.kind === 'folder') return folded(view, row, !row.isOpen)
  return row?.kind === 'file' ? { ...selecting(reading, listRow), file: row.change.file, ...startOfHunk(0) } : view
}

function folded(view: DiffState, { key }: Extract<DiffListRow, { kind: 'folder' }>, isOpen: boolean): DiffState {
  const closed = new Set(view.tree.closed)
  if (isOpen) closed.delete(key)
  else closed.add(key)
  return { ...view, tree: { ...view.tree, closed, folder: key } }
}

/** Closes an open folder; from a file or a closed one it leads to the folder around it. */
function out(reading: DiffReading, row: DiffListRow): DiffState {
  const { view, list, listRow } = reading
  if (row.kind === 'folder' && row.isOpen) return folded(view, row, false)
  const around = list.findLastIndex((other, index) => index < listRow && depthOf(other) < depthOf(row))
  return around < 0 ? view : selecting(reading, around)
}

/** A file of a list without a tree is in no folder; nor are words. */
function depthOf(row: DiffListRow): number {
  if (row.kind === 'folder') return row.folder.depth
  return row.kind === 'file' ? row.depth : 0
}
