/** What single edits and writes of the agent changed, from what the calls themselves say. */
import type { ToolCall } from '../conversation/state.ts'
import { textArgument } from '../tools/arguments.ts'
import { summaryOf } from '../tools/summary.ts'
import type { DiffLine, FileDiff, Hunk } from '../tools/diff/change.ts'

/** In the order in which they were made; `when` stands before what each is. */
export function diffOfCalls(calls: readonly ToolCall[], when = ''): FileDiff {
  const notes: string[] = []
  const hunks = calls.flatMap((call, index) => {
    const number = calls.length === 1 ? '' : ` ${index + 1} of ${calls.length}`
    return hunksOf(call).map((lines): Hunk => ({ title: `${when}${call.name}${number}`, lines }))
  })
  if (calls.some(({ name }) => name === 'write')) {
    notes.push('What stood in it before it was written is not known: all of it is shown as added.')
  }
  if (calls.length > 1)
    notes.push('One edit after the other, as they were made: lines may have changed more than once.')
  if (calls.some(({ leftOut }) => leftOut !== null)) notes.push('Of very long ones only the beginning is shown.')
  return { hunks, notes }
}

function hunksOf(call: ToolCall): DiffLine[][] {
  const diff = summaryOf(call)?.diff
  if (diff) {
    return diff.hunks.map(rows =>
      rows.map(({ sign, text, number }) => ({
        sign,
        text,
        before: sign === '-' ? number : null,
        after: sign === '-' ? null : number,
      })),
    )
  }
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
