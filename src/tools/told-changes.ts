/** What a call changes in files as the agent itself tells it, for calls whose result is no diff. */
import type { CallDiff } from '../agent/turn-events.ts'
import type { ToolCall } from '../conversation/state.ts'
import { diffOfTexts, type Diff } from './diff/diff.ts'

export type ToldChange = {
  path: string
  diff: Diff
  /** Whether the file had no content before. */
  isNew: boolean
}

const known = new WeakMap<readonly CallDiff[], readonly ToldChange[]>()

/** The changed files in the order in which they were told first. */
export function toldChanges({ diffs, locations }: Pick<ToolCall, 'diffs' | 'locations'>): readonly ToldChange[] {
  if (diffs.length === 0) return []
  const before = known.get(diffs)
  if (before) return before
  const paths = [...new Set(diffs.map(({ path }) => path))]
  const changes = paths.map((path): ToldChange => {
    const ofFile = diffs.filter(diff => diff.path === path)
    const lines = locations.flatMap(place => (place.path === path && place.line !== undefined ? [place.line] : []))
    // An agent that tells a place for each part tells them in the same order.
    const isPlaced = lines.length === ofFile.length
    const parts = ofFile.map((diff, index) => ({
      before: diff.before ?? '',
      after: diff.after,
      start: (isPlaced ? lines[index] : undefined) ?? (diff.before ? null : 1),
    }))
    return { path, diff: diffOfTexts(parts), isNew: ofFile.every(diff => (diff.before ?? '') === '') }
  })
  known.set(diffs, changes)
  return changes
}

/** The changes of all files as one. */
export function joinedDiff(changes: readonly ToldChange[]): Diff | null {
  const [first, ...more] = changes.map(({ diff }) => diff)
  if (!first) return null
  return more.reduce(
    (sum, diff) => ({
      hunks: [...sum.hunks, ...diff.hunks],
      added: sum.added + diff.added,
      removed: sum.removed + diff.removed,
    }),
    first,
  )
}

/** The call as far as it concerns each file; a call that tells one file or none is itself. */
export function callsByFile(tool: ToolCall): { path: string; call: ToolCall }[] {
  const changes = toldChanges(tool)
  if (changes.length === 1) return changes.map(({ path }) => ({ path, call: tool }))
  const before = split.get(tool)
  if (before) return before
  const calls = changes.map(({ path }) => ({
    path,
    call: { ...tool, diffs: tool.diffs.filter(diff => diff.path === path) },
  }))
  split.set(tool, calls)
  return calls
}

const split = new WeakMap<ToolCall, { path: string; call: ToolCall }[]>()
