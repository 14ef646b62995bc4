import type { ToolCall } from '../conversation/part.ts'
import { shownPrompt } from '../conversation/queries/shown-prompt.ts'
import type { Turn } from '../conversation/state.ts'
import { isOpen } from '../conversation/calls/tool-calls.ts'
import { sanitize, sanitizeExact, sanitizeTerminalOutput, type SafeText } from '../text/sanitize.ts'
import { expandTabs } from '../text/lines/width.ts'
import { wrap } from '../text/lines/wrap.ts'
import { drawn, empty, type Paint, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'
import type { TimelineItem } from './timeline.ts'
import { nameOf, subjectOf, subjectText } from '../tools/describe-call.ts'
import { summaryOf } from '../tools/summary.ts'
import type { Detail } from '../tools/panel/tool-context.ts'

/** Lines of a tool's output unless all of it is shown. */
const SHORT_OUTPUT = 40

/** `width` is where lines are broken; null if the terminal wraps them. */
export type RawContext = { theme: Theme; detail: Detail; width: number | null }

/** The raw form of an item; null for zotui's own text, which has no other form. */
export function rawLines(item: TimelineItem, context: RawContext): Styled[] | null {
  const { theme } = context
  switch (item.kind) {
    case 'prompt':
      if (item.turn.unprompted) return null
      return painted(sanitize(promptSource(item.turn, context)), context, text =>
        theme.promptBand(theme.prompt(text), 0),
      )
    case 'steer':
      return painted(sanitize(promptSource({ ...item.steer, prompt: item.steer.text }, context)), context, text =>
        theme.promptBand(theme.prompt(text), 0),
      )
    case 'block':
      return painted(sanitize(item.source), context)
    case 'markup':
    case 'raw':
      return painted(sanitize(item.text), context)
    case 'tool':
      return rawTool(item.tool, context)
    case 'shell':
      return rawTool(item.shell.tool, context)
    case 'thought':
    case 'plan':
    case 'withdrawn':
    case 'notice':
    case 'turn_end':
    case 'compaction':
    case 'cleared':
    case 'agent_ended':
      return null
  }
}

/** The prompt as it was typed; in full also as it was sent. */
function promptSource(turn: Pick<Turn, 'prompt' | 'typed'>, { detail }: RawContext): string {
  const typed = shownPrompt(turn)
  return turn.typed === undefined || detail !== 'full' ? typed : `${typed}\n\n${turn.prompt}`
}

/** The source of a text that is being written. */
export function rawOpen(text: string, width: number): Styled[] {
  return wrapped(sanitize(text.replace(/\n$/, '')), width).map(line => drawn`${line}`)
}

function rawTool(tool: ToolCall, context: RawContext): Styled[] {
  const { theme, detail } = context
  const title = painted(rawTitle(tool), context, theme.dim)
  const output = summaryOf(tool)?.output.text ?? (isOpen(tool.state) ? '' : tool.progress)
  if (detail === 'names' || output === '') return title
  const lines = sanitizeTerminalOutput(output.replace(/\n$/, ''))
  const shown = detail === 'full' ? lines : lastLines(lines)
  return [...title, ...painted(sanitize(shown), context)]
}

function rawTitle(tool: ToolCall): SafeText {
  const subject = subjectOf(tool, {})
  if (subject.kind === 'code' && subject.language === 'bash') return sanitizeExact(`$ ${subject.code}`)
  return sanitizeExact(`${nameOf(tool)} ${subjectText(subject)}`.trimEnd())
}

function lastLines(text: string): string {
  const lines = text.split('\n')
  const left = lines.length - SHORT_OUTPUT
  return left <= 0 ? text : [`+${left} lines`, ...lines.slice(-SHORT_OUTPUT)].join('\n')
}

function painted(text: SafeText, { width }: RawContext, paint?: Paint): Styled[] {
  const lines = width === null ? text.split('\n').map(line => sanitize(line)) : wrapped(text, width)
  return lines.map(line => (line === '' ? empty : paint ? paint(line) : drawn`${line}`))
}

function wrapped(text: SafeText, width: number): SafeText[] {
  return wrap(expandTabs(text), Math.max(2, width))
}
