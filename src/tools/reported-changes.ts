/** The file changes that the agent reports for a call, for calls whose result is not a diff. */
import type { CallDiff } from '../agent/turn-events.ts'
import { changeStarts, type ReportedCall } from '../conversation/queries/edit-result.ts'
import type { ToolCall } from '../conversation/part.ts'
import { diffOfTexts, type Diff } from './diff/diff.ts'

export type ReportedChange = {
  path: string
  diff: Diff
  /** Whether the file had no content before. */
  isNew: boolean
}

const known = new WeakMap<
  readonly CallDiff[],
  { lines: ReportedCall['hunkLines']; changes: readonly ReportedChange[] }
>()

/** The changed files in the order in which they were first reported. */
export function reportedChanges(call: ReportedCall): readonly ReportedChange[] {
  const { diffs, hunkLines } = call
  if (diffs.length === 0) return []
  const before = known.get(diffs)
  if (before?.lines === hunkLines) return before.changes
  const starts = changeStarts(call)
  const paths = [...new Set(diffs.map(({ path }) => path))]
  const changes = paths.map((path): ReportedChange => {
    const ofFile = [...diffs.entries()].filter(([, diff]) => diff.path === path)
    const parts = ofFile.map(([index, diff]) => ({
      before: diff.before ?? '',
      after: diff.after,
      start: starts[index] ?? null,
    }))
    return { path, diff: diffOfTexts(parts), isNew: parts.every(part => part.before === '') }
  })
  known.set(diffs, { lines: hunkLines, changes })
  return changes
}

/** The changes of all files as one. */
export function joinedDiff(changes: readonly ReportedChange[]): Diff | null {
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

/** The call split by file; a call with one file is returned as it is. */
export function callsByFile(tool: ToolCall): { path: string; call: ToolCall }[] {
  const changes = reportedChanges(tool)
  if (changes.length === 1) return changes.map(({ path }) => ({ path, call: tool }))
  const before = split.get(tool)
  if (before) return before
  const starts = changeStarts(tool)
  const calls = changes.map(({ path }) => {
    const isOf = (index: number): boolean => tool.diffs[index]?.path === path
    const diffs = tool.diffs.filter((_, index) => isOf(index))
    return { path, call: { ...tool, diffs, hunkLines: starts.filter((_, index) => isOf(index)) } }
  })
  split.set(tool, calls)
  return calls
}

const split = new WeakMap<ToolCall, { path: string; call: ToolCall }[]>()
