import type { AgentEvent } from '../../agent/event.ts'
import type { ToolRequest } from '../../agent/permission.ts'
import { changedLines } from '../../local-tools/line-diff.ts'
import type { FileState, ToolOutcome } from '../../local-tools/tool.ts'

/** Reports whether a write that was carried out made its file; nothing for any other call. */
export function writtenFile(
  { tool, callId }: Pick<ToolRequest, 'tool' | 'callId'>,
  { state, diff }: { state: FileState | null; diff: string },
  { isError }: Pick<ToolOutcome, 'isError'>,
  at: number,
): AgentEvent[] {
  if (tool !== 'write' || callId === null || state === null || isError) return []
  if (state.mark === null) return [{ type: 'file_created', at, id: callId }]
  return [{ type: 'file_replaced', at, id: callId, ...changedLines(diff) }]
}
