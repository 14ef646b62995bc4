/** Explains failed calls of tools that the agent was started without; the agent only says "unknown tool". */
import type { EventOf } from '../../agent/event.ts'
import type { Turn } from '../../conversation/state.ts'
import type { ToolCall } from '../../conversation/part.ts'
import type { ToolLimit } from '../../state/state.ts'
import { lookup } from '../../text/lookup.ts'

const UNKNOWN = /^\s*unknown tool\b/i

/** The notice about a call that failed because its tool was left out; nothing if that was said in this turn. */
export function missingTool(
  turn: Turn,
  tool: ToolCall,
  { at, content }: EventOf<'tool_finished'>,
  limit: ToolLimit,
): EventOf<'remark_made'>[] {
  const isUnknown = content.some(block => block.type === 'text' && UNKNOWN.test(block.text))
  const text = `${lookup(OUTCOMES, tool.name) ?? `${tool.name} did not run`}: ${REASONS[limit]}`
  const wasSaid = [...turn.parts].some(part => part.kind === 'notice' && part.text === text)
  if (!isUnknown || wasSaid) return []
  return [{ type: 'remark_made', at, level: 'warn', text, hint: HINTS[limit], markdown: false }]
}

const OUTCOMES: Readonly<Partial<Record<string, string>>> = {
  bash: 'No command was run',
  powershell: 'No command was run',
  write: 'No file was written',
  edit: 'No file was changed',
}

const REASONS: Readonly<Record<ToolLimit, string>> = {
  'read-only': 'the agent may only read here, and has no tool for anything else.',
  chosen: 'the agent was started without that tool (--tools, --no-tools).',
}

const HINTS: Readonly<Record<ToolLimit, string>> = {
  'read-only': '`zotui --no-read-only --continue` resumes with all tools.',
  chosen: '`zotui --continue` without these flags resumes with all tools.',
}
