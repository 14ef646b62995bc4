/** The changes made by single edits and writes of the agent, read from the calls themselves. */
import type { ToolCall } from '../conversation/part.ts'
import { textArgument } from '../tools/arguments.ts'
import { summaryOf } from '../tools/summary.ts'
import type { FileDiff, Hunk } from '../tools/diff/change.ts'
import type { DiffLine } from '../text/diff-line.ts'

/** The diff of these calls, in their order; `when` is put before each hunk's title. */
export function diffOfCalls(calls: readonly ToolCall[], when = ''): FileDiff {
  const notes: string[] = []
  const hunks = calls.flatMap((call, index) => {
    const number = calls.length === 1 ? '' : ` ${index + 1} of ${calls.length}`
    return hunksOf(call).map((lines): Hunk => ({ title: `${when}${call.name}${number}`, lines }))
  })
  if (calls.some(({ name, diffs }) => name === 'write' && diffs.length === 0)) {
    notes.push('The content before it was written is unknown: all lines are shown as added.')
  }
  if (calls.length > 1)
    notes.push('Edits are shown in the order they were made: lines may have changed more than once.')
  if (calls.some(({ omitted }) => omitted !== null)) notes.push('Only the beginning of very long edits is shown.')
  return { hunks, notes }
}

function hunksOf(call: ToolCall): readonly (readonly DiffLine[])[] {
  const diff = summaryOf(call)?.diff
  if (diff) return diff.hunks
  const content = call.name === 'write' ? (textArgument(call, 'content') ?? '') : ''
  if (content === '') return []
  const lines = content.replace(/\n$/, '').split('\n')
  return [
    lines.map((line, index) => ({
      sign: '+',
      text: line.endsWith('\r') ? line.slice(0, -1) : line,
      before: null,
      after: index + 1,
    })),
  ]
}
