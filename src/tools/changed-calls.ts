/** The files changed by the agent's own edits and writes, read from the calls; changes by commands are not included. */
import type { DiffLine } from '../text/diff-line.ts'
import type { Part, ToolCall } from '../conversation/part.ts'
import { textArgument } from './arguments.ts'
import { lineCount } from './result.ts'
import { summaryOf } from './summary.ts'
import { callsByFile } from './reported-changes.ts'

export type ChangedByCalls = {
  /** The path as the calls name it. */
  path: string
  calls: readonly ToolCall[]
  added: number
  removed: number
  /** Whether the counts may be too high: lines were changed twice, or a file was overwritten. */
  isEstimate: boolean
}

/** The changed files, in the order of their first change. Withdrawn calls count, since they changed the file too. */
export function changedByCalls(parts: Iterable<Part>): ChangedByCalls[] {
  const files = new Map<string, ToolCall[]>()
  for (const part of parts) {
    if (part.kind !== 'tool' || part.state !== 'ok') continue
    for (const { path, call } of changesOf(part)) {
      const name = path.replace(/^(?:\.\/+)+(?=.)/, '')
      const calls = files.get(name)
      if (calls) calls.push(call)
      else files.set(name, [call])
    }
  }
  return [...files].map(([path, calls]) => {
    const { added, removed, isEstimate } = countCalls(calls)
    return { path, calls, added, removed, isEstimate }
  })
}

/** The call on each file that it changed. */
function changesOf(call: ToolCall): { path: string; call: ToolCall }[] {
  if (call.diffs.length > 0) return callsByFile(call)
  const path = call.name === 'edit' || call.name === 'write' ? textArgument(call, 'path') : undefined
  return path === undefined || path === '' ? [] : [{ path, call }]
}

/** The lines that calls on one file added and removed. */
export function countCalls(calls: readonly ToolCall[]): Pick<ChangedByCalls, 'added' | 'removed' | 'isEstimate'> {
  let [added, removed] = [0, 0]
  for (const call of calls) {
    const diff = summaryOf(call)?.diff
    if (diff) {
      added += diff.added
      removed += diff.removed
    } else if (call.replaced) {
      added += call.replaced.added
      removed += call.replaced.removed
    } else if (call.name === 'write') added += writtenLines(call)
  }
  return { added, removed, isEstimate: !isExact(calls) }
}

/** Whether adding up the calls is exact: no call removes a line that an earlier one added, or adds one that it removed. */
function isExact(calls: readonly ToolCall[]): boolean {
  if (calls.length === 1 && calls[0]?.replaced) return true
  const [added, removed] = [new Set<string>(), new Set<string>()]
  for (const call of calls) {
    const rows = rowsOf(call, call === calls[0])
    if (!rows || (call.omitted !== null && calls.length > 1)) return false
    if (rows.some(({ sign, text }) => (sign === '-' && added.has(text)) || (sign === '+' && removed.has(text))))
      return false
    for (const { sign, text } of rows) if (sign !== ' ') (sign === '+' ? added : removed).add(text)
  }
  return true
}

/** The lines that a call changed; null if unknown, since a written file may have existed before. */
function rowsOf(call: ToolCall, isFirst: boolean): readonly Pick<DiffLine, 'sign' | 'text'>[] | null {
  if (!call.created) return summaryOf(call)?.diff?.hunks.flat() ?? null
  const lines = (textArgument(call, 'content') ?? '').split('\n')
  return isFirst ? lines.map(text => ({ sign: '+', text })) : null
}

function writtenLines(call: ToolCall): number {
  return lineCount(textArgument(call, 'content') ?? '') + (call.omitted?.arguments.lines ?? 0)
}
