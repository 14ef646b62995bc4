/** Which files the agent's own edits and writes changed, by what the calls say: what commands changed is not in them. */
import type { Part, ToolCall } from '../conversation/state.ts'
import { textArgument } from './arguments.ts'
import { lineCount } from './result.ts'
import { summaryOf } from './summary.ts'

export type ChangedByCalls = {
  /** As the calls name it. */
  path: string
  calls: readonly ToolCall[]
  added: number
  removed: number
  /** Whether the lines may be fewer: some were changed twice, or a file was written over. */
  isEstimate: boolean
}

/** In the order in which they were first changed. Also what the agent took back has changed a file. */
export function changedByCalls(parts: Iterable<Part>): ChangedByCalls[] {
  const files = new Map<string, ToolCall[]>()
  for (const part of parts) {
    if (part.kind !== 'tool' || part.state !== 'ok' || (part.name !== 'edit' && part.name !== 'write')) continue
    const path = textArgument(part, 'path')
    if (path === undefined || path === '') continue
    const name = path.replace(/^(?:\.\/+)+(?=.)/, '')
    const calls = files.get(name)
    if (calls) calls.push(part)
    else files.set(name, [part])
  }
  return [...files].map(([path, calls]) => {
    const { added, removed, isEstimate } = countCalls(calls)
    return { path, calls, added, removed, isEstimate }
  })
}

/** Lines that calls on one file added and removed. */
export function countCalls(calls: readonly ToolCall[]): Pick<ChangedByCalls, 'added' | 'removed' | 'isEstimate'> {
  let [added, removed] = [0, 0]
  for (const call of calls) {
    const diff = summaryOf(call)?.diff
    if (diff) {
      added += diff.added
      removed += diff.removed
    } else if (call.name === 'write') added += writtenLines(call)
  }
  return { added, removed, isEstimate: !isExact(calls) }
}

/**
 * Whether the lines of each call count once: none is taken away that an earlier one added, or comes back that one took away.
 * A file that was written may have been there before.
 */
function isExact(calls: readonly ToolCall[]): boolean {
  const [added, removed] = [new Set<string>(), new Set<string>()]
  for (const call of calls) {
    const diff = summaryOf(call)?.diff
    if (!diff || (call.leftOut !== null && calls.length > 1)) return false
    const rows = diff.hunks.flat()
    if (rows.some(({ sign, text }) => (sign === '-' && added.has(text)) || (sign === '+' && removed.has(text))))
      return false
    for (const { sign, text } of rows) if (sign !== ' ') (sign === '+' ? added : removed).add(text)
  }
  return true
}

function writtenLines(call: ToolCall): number {
  return lineCount(textArgument(call, 'content') ?? '') + (call.leftOut?.arguments.lines ?? 0)
}
