/** The changed files as a tree of folders: which rows it has, and what is counted beside each folder. */
import type { FileChange } from '../../../src/tools/diff/change.ts'

export type TreeFolder = {
  /** Its whole path, with a slash at its end. Unsanitised, as all names. */
  path: string
  /** Its name as shown. Folders with nothing but one folder in them share a row: `src/app/`. */
  name: string
  depth: number
  /** All files in it and below. */
  files: readonly FileChange[]
  rows: readonly TreeRow[]
}

export type TreeRow =
  | { kind: 'folder'; folder: TreeFolder }
  | { kind: 'file'; change: FileChange; name: string; depth: number }

/** More folders within each other than this are shown as one. */
const DEEPEST = 40

type FolderInMaking = { path: string; files: FileChange[]; below: Map<string, FolderInMaking | FileChange> }

/** The rows at the top, in the order of the paths. */
export function treeOf(files: readonly FileChange[]): TreeRow[] {
  const root: FolderInMaking = { path: '', files: [], below: new Map() }
  for (const change of files.toSorted((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0))) {
    let branch = root
    const [folders, name] = partsOf(change.path)
    for (const folder of folders) {
      const known = branch.below.get(`${folder}/`)
      const path = `${branch.path}${folder}/`
      const next =
        known && 'below' in known ? known : { path, files: [], below: new Map<string, FolderInMaking | FileChange>() }
      branch.below.set(`${folder}/`, next)
      next.files.push(change)
      branch = next
    }
    // Two entries may have one path: of one name in this repository, say, and of one that only looks the same.
    branch.below.set(`${name}\0${change.file}`, change)
  }
  return rowsOf(root, 0)
}

/** The folders of a path, and its name. An absolute path begins with a folder of its own. */
function partsOf(path: string): [folders: string[], name: string] {
  // A nested repository is a folder.
  const parts = path.replace(/\/$/, '').split('/')
  const name = parts.pop() ?? path
  if (parts.length <= DEEPEST) return [parts, name]
  return [[...parts.slice(0, DEEPEST), parts.slice(DEEPEST).join('/')], name]
}

function rowsOf({ below }: FolderInMaking, depth: number): TreeRow[] {
  return [...below].map(([key, found]): TreeRow => {
    if (!('below' in found)) return { kind: 'file', change: found, name: key.slice(0, key.indexOf('\0')), depth }
    let [branch, name] = [found, key]
    for (let only = onlyFolder(branch); only; only = onlyFolder(branch)) {
      name += only[0]
      branch = only[1]
    }
    const { path, files } = branch
    return { kind: 'folder', folder: { path, name, depth, files, rows: rowsOf(branch, depth + 1) } }
  })
}

/** The folder in a folder that has nothing else in it. */
function onlyFolder({ below }: FolderInMaking): [name: string, branch: FolderInMaking] | null {
  const [first, ...others] = below
  return first && others.length === 0 && 'below' in first[1] ? [first[0], first[1]] : null
}

/** The rows that are visible if these folders, by their paths, are closed. */
export function openRows(rows: readonly TreeRow[], closed: ReadonlySet<string>): TreeRow[] {
  return rows.flatMap(row => {
    if (row.kind === 'file' || closed.has(row.folder.path)) return [row]
    return [row, ...openRows(row.folder.rows, closed)]
  })
}
