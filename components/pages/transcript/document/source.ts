/** The exact source of a block, for the clipboard and for editors. */
import { unpromptedWords } from '../../../../src/conversation/queries/shown-prompt.ts'
import type { Entry, Turn } from '../../../../src/conversation/state.ts'
import type { ToolCall } from '../../../../src/conversation/part.ts'
import { codeBlocksOf } from '../../../../src/markdown/blocks/code-blocks.ts'
import { lineEnd } from '../../../../src/markdown/blocks/blocks.ts'
import { argumentsOf, numberArgument, textArgument } from '../../../../src/tools/arguments.ts'
import { parseBashResult, resultText } from '../../../../src/tools/result.ts'
import type { BlockGroup } from './block.ts'

/** `what` completes "Copied ...". */
export type BlockSource = { text: string; what: string; extension: string }

/** Restores a shortened call in full. */
type MakeWhole = (tool: ToolCall) => ToolCall

/** The source of a block of this entry; null for a block without one, such as the end of a turn. */
export function sourceOf(entry: Entry, group: BlockGroup, whole: MakeWhole): BlockSource | null {
  switch (entry.kind) {
    case 'turn':
      return sourceInTurn(entry, group, whole)
    case 'compaction':
      return { text: entry.summary, what: 'the summary', extension: 'md' }
    case 'notice':
      return { text: entry.text, what: 'the notice', extension: 'md' }
    case 'shell':
      return toolSource(whole(entry.tool))
    case 'agent_ended':
      return { text: entry.reason, what: 'the reason', extension: 'txt' }
    case 'cleared':
      return null
  }
}

function sourceInTurn(
  turn: Turn,
  { kind, part: index, codesBefore }: BlockGroup,
  whole: MakeWhole,
): BlockSource | null {
  const part = index === null ? undefined : turn.parts.get(index)
  if (part?.kind === 'steer') return { text: part.text, what: 'what you said', extension: 'md' }
  if (kind === 'prompt')
    return turn.unprompted
      ? { text: unpromptedWords(turn.unprompted), what: 'the cause', extension: 'txt' }
      : { text: turn.prompt, what: 'the prompt', extension: 'md' }
  if (!part) return turn.error === null ? null : { text: turn.error, what: 'the error', extension: 'txt' }
  if (part.kind === 'tool') return toolSource(whole(part))
  if (part.kind === 'shell') return toolSource(whole(part.tool))
  if (part.kind === 'notice') return { text: part.text, what: 'the notice', extension: 'md' }
  if (part.kind === 'thought') return { text: part.text, what: 'the thought', extension: 'md' }
  const codes = codeBlocksOf(part.text)
  const code = codes[codesBefore]
  if (kind === 'code' && code) return { text: code.text, what: 'the code', extension: code.language || 'txt' }
  const lines = part.text.split(lineEnd).slice(codes[codesBefore - 1]?.to ?? 0, code?.from)
  return { text: lines.join('\n').trim(), what: 'the text', extension: 'md' }
}

/** The result of a call, or its arguments before there is one. */
function toolSource(tool: ToolCall): BlockSource {
  const { result, progress } = tool
  const output = result === null ? progress : resultText(result)
  if (output === '')
    return { text: JSON.stringify(argumentsOf(tool), null, 2), what: 'the arguments', extension: 'json' }
  const command = textArgument(tool, 'command')
  const parsed = tool.name === 'bash' && command !== undefined ? parseBashResult(output, command) : null
  const what = `the output of ${tool.name}${tool.omitted ? ', as far as this session has it' : ''}`
  return { text: parsed?.output ?? output, what, extension: 'txt' }
}

/** The file that a call is about, as the call names it, and the line, counted from 1. */
export function fileOf(entry: Entry, { part: index }: BlockGroup): { path: string; line: number | null } | null {
  const part = entry.kind === 'turn' && index !== null ? entry.parts.get(index) : undefined
  const path = part?.kind === 'tool' ? textArgument(part, 'path') : undefined
  if (part?.kind !== 'tool' || path === undefined) return null
  const line = part.hunkLines.find(each => each !== null) ?? numberArgument(part, 'offset') ?? null
  return { path, line }
}
