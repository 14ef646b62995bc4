/** What stands below a tool call's title. */
import type { ToolCall } from '../chat/state.ts'
import { linesOf, sanitizeTerminalOutput, sanitize, type SafeText } from '../text/sanitize.ts'
import { truncate } from '../text/shorten.ts'
import { expandTabs } from '../text/width.ts'
import { partialString } from './partial-json.ts'
import { indented, type Styled } from './styled.ts'
import type { Theme } from './theme.ts'
import type { ToolContext } from './tool.ts'
import { parseBashResult, resultText } from './tool-result.ts'

const INDENT = 4
/** Rows of output that stay of a command that went well, and of one that did not. */
const TAIL_OK = 3
const TAIL_FAILED = 8
const DIFF_ROWS = 24

export function toolBody(tool: ToolCall, context: ToolContext): Styled[] {
  if (tool.result) return resultBody(tool, resultText(tool.result), context)
  if (tool.progress !== '') return tail(sanitizeTerminalOutput(lastPart(tool.progress)), 5, 0, context)
  if (tool.name === 'write' && (tool.state === 'composing' || tool.state === 'waiting' || tool.state === 'running')) {
    const content = partialString(tool.argumentsText, 'content') ?? ''
    return tail(sanitize(content), 8, 0, context)
  }
  return []
}

function resultBody(tool: ToolCall, text: string, context: ToolContext): Styled[] {
  const failed = tool.state === 'failed'
  if (tool.name === 'bash') {
    const bash = parseBashResult(text)
    const shown = sanitizeTerminalOutput(bash ? bash.output : text)
    return tail(shown, failed ? TAIL_FAILED : TAIL_OK, bash ? 0 : 1, context)
  }
  if (failed || tool.state === 'aborted') return head(sanitize(text), TAIL_FAILED, context, context.theme.failed)
  if (tool.name === 'edit') return diff(text, context)
  if (tool.name === 'read' || tool.name === 'write' || tool.name === 'skill') return []
  return head(sanitizeTerminalOutput(text), TAIL_OK, context)
}

/** The last lines, and how many are not shown. */
function tail(text: SafeText, rows: number, least: number, context: ToolContext): Styled[] {
  const lines = trimmed(text)
  const room = Math.max(least, Math.min(rows, context.maxBody))
  const hidden = lines.length - room
  const shown = hidden > 0 ? lines.slice(-room) : lines
  const more = hidden > 0 ? [moreLine(hidden, context.theme)] : []
  return [...shown.map(line => row(line, context)), ...more]
}

function head(text: SafeText, rows: number, context: ToolContext, paint = context.theme.dim): Styled[] {
  const lines = trimmed(text)
  const shown = lines.slice(0, Math.min(rows, context.maxBody))
  const hidden = lines.length - shown.length
  const more = hidden > 0 ? [moreLine(hidden, context.theme)] : []
  return [...shown.map(line => row(line, context, paint)), ...more]
}

/** zot's own diff rows: a space, `-` or `+`, then the line; `...` for gaps (zot-rpc.md 2.22). */
function diff(text: string, context: ToolContext): Styled[] {
  const { theme } = context
  const rows = text.replace(/\r$/gm, '').replace(/\n+$/, '').split('\n')
  const useful = rows.filter(
    (line, index) => line !== '...' || (index > 0 && index < rows.length - 1 && rows[index - 1] !== '...'),
  )
  const shown = useful.slice(0, Math.min(DIFF_ROWS, context.maxBody))
  const lines = shown.map(line => {
    const paint = line.startsWith('+') ? theme.added : line.startsWith('-') ? theme.removed : theme.dim
    return row(sanitize(line), context, paint)
  })
  return useful.length > shown.length ? [...lines, moreLine(useful.length - shown.length, theme)] : lines
}

function row(line: SafeText, { width, theme }: ToolContext, paint = theme.dim): Styled {
  return indented(INDENT, paint(truncate(line, Math.max(1, width - INDENT))))
}

function moreLine(hidden: number, theme: Theme): Styled {
  return indented(INDENT, theme.dim(sanitize(`+${hidden} line${hidden === 1 ? '' : 's'}`)))
}

function trimmed(text: SafeText): SafeText[] {
  const lines = linesOf(text)
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop()
  return lines.map(line => expandTabs(line, 8))
}

/** Enough of a long text for its last lines; the rest would only be looked at to be thrown away. */
function lastPart(text: string): string {
  return text.length > 16_384 ? text.slice(-16_384) : text
}
