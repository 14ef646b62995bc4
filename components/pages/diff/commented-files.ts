/** Files with comments that are not among the changes, such as one whose changes were reverted: they are listed, so that no comment is hidden. */
import type { ReviewComment } from '../../../src/review/comment.ts'
import type { ChangeList, FileChange, FileDiff } from '../../../src/tools/diff/change.ts'

type Commented = {
  list: ChangeList
  comments: readonly ReviewComment[]
  /** A comment that is being written may not be kept anywhere else yet. */
  field: { comment: ReviewComment } | null
  folder: string
}

type CommentedFiles = { list: ChangeList; folder: string; path: string | undefined; files: readonly FileChange[] }

const made = new WeakMap<readonly ReviewComment[], CommentedFiles>()

/** In the order of their paths. Made once for what they are made of. */
export function commentedFiles({ list, comments, field, folder }: Commented): readonly FileChange[] {
  const path = field?.comment.path
  const known = made.get(comments)
  if (known?.list === list && known.folder === folder && known.path === path) return known.files
  const listed = new Set([...list.session, ...list.before].map(change => change.path))
  const paths = new Set([...comments.map(comment => comment.path), ...(path === undefined ? [] : [path])])
  const files = [...paths]
    .filter(each => !listed.has(each))
    .toSorted()
    .map(each => commentedFile(each, folder))
  made.set(comments, { list, folder, path, files })
  return files
}

function commentedFile(path: string, folder: string): FileChange {
  return {
    file: /^(?:[/\\]|[A-Za-z]:)/.test(path) ? path : `${folder}/${path}`,
    path,
    from: null,
    kind: 'commented',
    form: 'text',
    added: null,
    removed: null,
    isEstimate: false,
    calls: 0,
  }
}

export function hasChanges({ kind }: FileChange): boolean {
  return kind !== 'commented'
}

type Diffs = {
  diffOf: (change: FileChange) => Promise<FileDiff>
  diffsOf?: (changes: readonly FileChange[]) => Promise<readonly FileDiff[]>
}

const unchanged: FileDiff = { hunks: [], notes: [] }

/** The diffs of what was collected, and of files without changes. */
export function withUnchanged<Collected extends Diffs>(collected: Collected): Collected {
  const { diffsOf } = collected
  return {
    ...collected,
    diffOf: async change => (hasChanges(change) ? await collected.diffOf(change) : unchanged),
    ...(diffsOf && {
      async diffsOf(changes: readonly FileChange[]) {
        const left = [...((await collected.diffsOf?.(changes.filter(hasChanges))) ?? [])]
        return changes.map(change => (hasChanges(change) ? left.shift() : undefined) ?? unchanged)
      },
    }),
  }
}
