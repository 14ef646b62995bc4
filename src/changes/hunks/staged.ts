/** Which changes of a file the index has, and the index with more or fewer of them. */
import type { FileChange, FileDiff, StagedPart } from '../../tools/diff/change.ts'
import {
  byteHunk,
  changedLines,
  ended,
  joinLines,
  mixed,
  newLength,
  rangeIn,
  replacedLines,
  splitLines,
  takenIn,
  type ByteHunk,
  type LineSet,
  type ReplacedLines,
} from './byte-hunks.ts'
import { HunkRefusal, type GitIndex, type IndexEntry, type IndexState } from './git-index.ts'

/** The changes of one hunk that the index has, and the last commit; null where its lines are others there. */
type HunkSides = { hunk: ByteHunk; index: LineSet; head: LineSet | null; range: { from: number; to: number } }

export type FileInGit = {
  path: string
  state: Exclude<IndexState, { kind: 'unmerged' }>
  head: IndexEntry | null
  /** The lines of the index. */
  lines: readonly string[]
  /** Of each hunk; null if the index has other lines in its place. */
  hunks: readonly (HunkSides | null)[]
}

/** Reads what the index and the last commit have of a file. @throws HunkRefusal */
export async function readInGit(index: GitIndex, change: FileChange, diff: FileDiff): Promise<FileInGit> {
  const path = index.pathOf(change.file)
  const [state, head] = [await index.stateOf(path), await index.headEntry(path)]
  if (state.kind === 'unmerged') throw new HunkRefusal(UNMERGED)
  const exact = diff.exact
  const entry = state.kind === 'entry' ? state.entry : null
  const isGone = change.kind === 'deleted'
  if (entry === null && head !== null && !isGone)
    throw new HunkRefusal('git no longer tracks this file: stage the whole file in the list.')
  const hunks = diff.hunks.map(hunk => (exact && hunk.title === '' ? byteHunk(hunk, exact.encoding) : null))
  const own = await sideOf(index, { path, entry, change }, hunks)
  const isSame = head !== null && entry?.oid === head.oid && entry.mode === head.mode
  const last = isSame ? own : await sideOf(index, { path, entry: head, change, isHead: true }, hunks)
  const sides = hunks.map((hunk): HunkSides | null => {
    const mine = hunk && takenOn(hunk, own)
    const before = hunk && takenOn(hunk, last)
    return hunk && mine ? { hunk, index: mine.taken, head: before?.taken ?? null, range: mine.range } : null
  })
  return { path, state, head, lines: own.lines, hunks: sides }
}

export const UNMERGED = 'This file has conflicts: resolve them first.'

/** The lines of one state of the file, and how they differ from the present ones. */
type Side = { lines: readonly string[]; differences: readonly ReplacedLines[] }

type SideOf = { path: string; entry: IndexEntry | null; change: FileChange; isHead?: boolean }

async function sideOf(
  { repository, content }: GitIndex,
  { path, entry, change, isHead = false }: SideOf,
  hunks: readonly (ByteHunk | null)[],
): Promise<Side> {
  if (entry === null) {
    const [only] = hunks
    // The whole file is new there.
    const isWhole = hunks.length === 1 && only && change.kind !== 'deleted'
    return { lines: [], differences: isWhole ? [{ at: 0, length: newLength(only), wasLength: 0 }] : [] }
  }
  if (!entry.mode.startsWith('100')) throw new HunkRefusal('git has no file there, but a link or a submodule.')
  const head = isHead ? await repository.head() : null
  if (head?.ok === false) throw new HunkRefusal('git does not say which commit this is.')
  const answer = head ? await repository.diff(head.value, [path]) : await repository.diffFromIndex([path])
  if (!answer.ok) throw new HunkRefusal('git does not say how the file differs from its index.')
  return { lines: splitLines(await content(entry)), differences: replacedLines(answer.value.hunks) }
}

/** Which changes of a hunk a state of the file has, and where; null if it has other lines there. */
export function takenOn(
  hunk: ByteHunk,
  { lines, differences }: Side,
): { taken: LineSet; range: { from: number; to: number } } | null {
  const range = rangeIn(hunk, differences)
  if (range === null) return null
  const taken = takenIn(hunk, lines.slice(range.from, range.to), range.to === lines.length)
  return taken && { taken, range }
}

/** For each hunk; `none` also where it is not known. */
export function stagedParts({ hunks }: FileInGit): StagedPart[] {
  return hunks.map(sides => {
    if (!sides) return 'none'
    const changed = changedLines(sides.hunk)
    const staged = changed.filter(index => sides.index.has(index) !== (sides.head?.has(index) ?? false))
    if (staged.length === 0) return 'none'
    return changed.every(index => sides.index.has(index)) ? 'all' : 'some'
  })
}

/** The content of the index with changed lines of some hunks added, or as they are in the last commit. @throws HunkRefusal */
export function withStaged(file: FileInGit, chosen: ReadonlyMap<number, LineSet>, how: 'stage' | 'unstage'): Buffer {
  const lines = [...file.lines]
  let isChanged = false
  const sides = [...chosen].map(([at, of]) => ({ sides: file.hunks[at] ?? null, of }))
  for (const { sides: one, of } of sides.toSorted((a, b) => (b.sides?.range.from ?? 0) - (a.sides?.range.from ?? 0))) {
    if (!one) throw new HunkRefusal('The index has other lines in this place: stage the whole file in the list.')
    if (how === 'unstage' && one.head === null)
      throw new HunkRefusal('The last commit has other lines in this place: unstage the whole file in the list.')
    const taken = new Set(one.index)
    for (const index of of) {
      const isWanted = how === 'stage' || one.head?.has(index) === true
      if (isWanted === taken.has(index)) continue
      isChanged = true
      if (isWanted) taken.add(index)
      else taken.delete(index)
    }
    lines.splice(one.range.from, one.range.to - one.range.from, ...mixed(one.hunk, taken))
  }
  if (!isChanged)
    throw new HunkRefusal(how === 'stage' ? 'It is staged already, or committed.' : 'Nothing of it is staged.')
  return joinLines(ended(lines))
}
