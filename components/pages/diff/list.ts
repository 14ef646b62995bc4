/** The rows of the list: the changed files one below the other or as a tree of folders, and words between them. */
import type { ChangeList, FileChange } from '../../../src/tools/diff/change.ts'
import { oneLine, sanitize, type SafeText } from '../../../src/text/sanitize.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { counted } from '../../../src/text/counted.ts'
import type { DiffState } from './state.ts'
import { openRows, treeOf, type TreeFolder, type TreeRow } from './tree.ts'

export type DiffListRow =
  /** `index` is that among all files. `name` is what a tree shows, instead of the path. */
  | { kind: 'file'; change: FileChange; index: number; name: string; depth: number }
  /** `key` names it in the state. */
  | { kind: 'folder'; key: string; folder: TreeFolder; isOpen: boolean }
  | { kind: 'words'; text: SafeText }

/** What a list is made of: it is made again only if some of this is another one. */
export type ListSources = readonly [
  list: ChangeList,
  /** Files with comments, and without changes. */
  others: readonly FileChange[],
  isAsking: boolean,
  isTree: boolean,
  closed: ReadonlySet<string>,
  /** Columns for the words. */
  width: number,
  ellipsis: string,
]

const gap: DiffListRow = { kind: 'words', text: sanitize('') }

export function listRows(...[list, others, isAsking, isTree, closed, width, ellipsis]: ListSources): DiffListRow[] {
  const { session, before, notes } = list
  const words = (text: string): DiffListRow[] =>
    wrap(oneLine(sanitize(text)), width).map((line): DiffListRow => ({ kind: 'words', text: line }))
  const shown = [...(isAsking ? [`Checking for changes ${ellipsis}`] : []), ...notes]
  return [
    ...filesIn('', session, 0),
    ...(session.length === 0 && !isAsking ? words('No changes.') : []),
    ...(before.length > 0 ? [gap, ...words(beforeTitle(list))] : []),
    ...filesIn(BEFORE, before, session.length),
    ...(others.length > 0 ? [gap, ...words(`comments on other files: ${counted(others.length, 'file')}`)] : []),
    ...filesIn(OTHERS, others, session.length + before.length),
    ...(shown.length > 0 ? [gap, ...shown.flatMap(words)] : []),
  ]

  function filesIn(part: string, files: readonly FileChange[], from: number): DiffListRow[] {
    if (!isTree)
      return files.map((change, at) => ({ kind: 'file', change, index: from + at, name: change.path, depth: 0 }))
    const indexes = new Map(files.map((change, at) => [change, from + at]))
    const hidden = new Set([...closed].flatMap(key => (key.startsWith(part) ? [key.slice(part.length)] : [])))
    return openRows(treeOf(files), hidden).map((row: TreeRow): DiffListRow => {
      if (row.kind === 'file') {
        const { change, name, depth } = row
        return { kind: 'file', change, index: indexes.get(change) ?? from, name, depth }
      }
      return { kind: 'folder', key: part + row.folder.path, folder: row.folder, isOpen: !hidden.has(row.folder.path) }
    })
  }
}

/** Before the keys of the folders in the other parts of the list: the same folder may be in all of them. */
const BEFORE = '\0'
const OTHERS = '\0\0'

function beforeTitle({ before, unsure }: ChangeList): string {
  const since =
    unsure === 0 ? 'and not since then' : `${unsure === before.length ? 'all' : unsure} possibly again since then`
  return `changed before this session, ${since}: ${counted(before.length, 'file')}`
}

/** The row that is selected: a folder of the tree, or a file, or the closed folder that hides it. -1 if there is none. */
export function selectedRow(
  rows: readonly DiffListRow[],
  { isShown, folder }: DiffState['tree'],
  selected: FileChange | undefined,
): number {
  const chosen = !isShown || folder === null ? -1 : rows.findIndex(row => row.kind === 'folder' && row.key === folder)
  if (chosen >= 0 || !selected) return chosen
  const file = rows.findIndex(row => row.kind === 'file' && row.change === selected)
  if (file >= 0) return file
  return rows.findIndex(row => row.kind === 'folder' && !row.isOpen && row.folder.files.includes(selected))
}
