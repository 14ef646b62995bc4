/** Takes changes of one file into another version of it, such as those of a worktree into the user's own file. */
import type { FileDiff } from '../../tools/diff/change.ts'
import { contentOf } from '../file-content.ts'
import { compareContents } from '../patch.ts'
import { byteHunk, ended, joinLines, mixed, replacedLines, splitLines, type LineSet } from './byte-hunks.ts'
import { HunkRefusal } from './git-index.ts'
import { takenOn } from './staged.ts'

export type TakenHunks = {
  /** The content of the file with the changes. */
  bytes: Buffer
  /** The changed lines that were not in it yet. */
  taken: readonly LineSet[]
}

/**
 * `own` is the file that gets the changes, `other` the one that has them; null stands for no file. `diff` is that of the other one, and
 * `chosen` are the indexes of its changed lines by their hunks. @throws HunkRefusal where the own file has other lines in their place.
 */
export function takeHunks(
  own: Buffer | null,
  other: Buffer | null,
  { diff, chosen, path }: { diff: FileDiff; chosen: ReadonlyMap<number, LineSet>; path: string },
): TakenHunks {
  const { exact } = diff
  if (!exact) throw new HunkRefusal('The lines of this file are not known exactly.')
  const [before, after] = [own ?? Buffer.alloc(0), other ?? Buffer.alloc(0)]
  const [mine, theirs] = [contentOf(before), contentOf(after)]
  if (mine.kind !== 'text' || theirs.kind !== 'text') throw new HunkRefusal('A binary file is not taken in parts.')
  const differences = replacedLines(compareContents(mine, theirs).hunks)
  const lines = splitLines(before)
  const sides = [...chosen].map(([at, of]) => {
    const hunk = diff.hunks[at] && byteHunk(diff.hunks[at], exact.encoding)
    const side = hunk ? takenOn(hunk, { lines, differences }) : null
    if (!hunk || !side) throw new HunkRefusal(conflictWords(path))
    return { hunk, of, there: side.taken, range: side.range }
  })
  const taken: LineSet[] = []
  for (const { hunk, of, there, range } of sides.toSorted((a, b) => b.range.from - a.range.from)) {
    const fresh = new Set([...of].filter(index => !there.has(index)))
    if (fresh.size === 0) continue
    lines.splice(range.from, range.to - range.from, ...mixed(hunk, new Set([...there, ...fresh])))
    taken.push(fresh)
  }
  if (taken.length === 0) throw new HunkRefusal(`Your ${path} has this already.`)
  return { bytes: joinLines(ended(lines)), taken }
}

const conflictWords = (path: string): string =>
  `Your ${path} has other lines in this place: nothing was taken. Take the whole worktree, whose merge shows the conflict.`
