/** The body of a call's panel: what the user needs to see below the title. */
import { saidIn } from '../../agent/refusal.ts'
import type { CallPermission, ToolCall } from '../../conversation/part.ts'
import { pathFrom } from '../../conversation/calls/call-in-brief.ts'
import { isOpen } from '../../conversation/calls/tool-calls.ts'
import { languageOfPath } from '../../markdown/code/highlight.ts'
import { formatBytes } from '../../text/format.ts'
import { literal, oneLine, sanitize, sanitizeExact, type SafeText } from '../../text/sanitize.ts'
import { padStartTo } from '../../text/lines/width.ts'
import { diffLines } from '../diff/lines.ts'
import type { DiffLine } from '../../text/diff-line.ts'
import { compareTexts } from '../diff/diff.ts'
import { drawn, type Styled } from '../../style/styled.ts'
import { argumentsOf, argumentTail, editsOf, numberArgument, textArgument, withoutTexts } from '../arguments.ts'
import { clip, paintCode } from '../code.ts'
import { isAsked, type CallSubject } from '../describe-call.ts'
import {
  asPrinted,
  asText,
  bodyIndent,
  fullRows,
  headRows,
  isFull,
  liveRows,
  moreRow,
  paintedRows,
  row,
  tailRows,
  type BodyRows,
} from './body-rows.ts'
import { fitsTitle, newlineSign } from './subject.ts'
import { isStopText } from '../result.ts'
import { isTerminal, summaryOf, type Summary } from '../summary.ts'
import { reportedChanges, type ReportedChange } from '../reported-changes.ts'
import { yamlLines } from './yaml.ts'
import type { ToolContext } from './tool-context.ts'

/** Rows of the output of a command that succeeded, failed or still runs. */
const ROWS_OK = 3
const ROWS_FAILED = 8
const ROWS_LIVE = 5
/** Rows of a text that is still being written, of a diff, and of the arguments of an unknown tool. */
const ROWS_DRAFT = 8
const ROWS_DIFF = 24
/** Lines of a file that was written. */
const ROWS_WRITTEN = 4
const ROWS_ARGUMENTS = 5

/** `subject` is what the title says. */
export function toolBody(tool: ToolCall, subject: CallSubject, context: ToolContext, most: number): Styled[] {
  // The question shows what an asked call will do.
  if (most <= 0 || isAsked(tool)) return []
  // Its result is the user's words, which stand below it.
  if (tool.steered && tool.state === 'not_run' && !context.whole) return []
  const ran = commandRow(tool, context)
  if (ran.length > 0) {
    const rest = { ...tool, permission: { state: 'allowed', by: 'user' } } as const
    return [...ran, ...toolBody(rest, subject, context, most - ran.length)]
  }
  const summary = summaryOf(tool)
  const args = argumentRows(
    tool,
    subject,
    context,
    Math.min(most, isFull(context) ? fullRows(context) : ROWS_ARGUMENTS),
  )
  const left = Math.max(1, most - args.length)
  return [...args, ...(summary ? resultBody(tool, summary, context, left) : openBody(tool, context, left))]
}

/** The command that ran instead of the one in the title. */
function commandRow({ permission }: ToolCall, context: ToolContext): Styled[] {
  if (permission?.state !== 'allowed' || permission.command === undefined) return []
  return [
    row(oneLine(sanitizeExact(`ran ${permission.command}`), newlineSign(context)), context, context.theme.warning),
  ]
}

/** The arguments of an unknown tool, if they do not fit into its title. */
function argumentRows(tool: ToolCall, subject: CallSubject, context: ToolContext, most: number): Styled[] {
  const isInTitle = subject.kind === 'code' || subject.kind === 'files' || (subject.kind === 'text' && subject.isWhole)
  if (isInTitle || argumentsOf(tool) === null) return []
  if (fitsTitle(tool.arguments, context)) return []
  const args =
    subject.kind === 'text' && !isFull(context) ? unsaid(tool.arguments, subject.text, context) : tool.arguments
  const rows: Styled[] = []
  for (const line of yamlLines(args, newlineSign(context))) {
    if (rows.length >= most) return [...rows, row(sanitize(context.theme.signs.ellipsis), context, context.theme.dim)]
    rows.push(row(oneLine(sanitizeExact(line)), context, context.theme.dim))
  }
  return rows
}

/** The arguments without those that the title says: a path, a command. */
function unsaid(args: unknown, title: string, { folder }: ToolContext): unknown {
  return withoutTexts(args, text => text !== '' && ` ${title} `.includes(` ${pathFrom(text, folder)} `))
}

function openBody(tool: ToolCall, context: ToolContext, most: number): Styled[] {
  // An aborted call has no result, only what it had printed until then.
  if (!isOpen(tool.state) && (tool.state !== 'aborted' || tool.progress === '')) return []
  const { theme } = context
  if (tool.progress !== '') {
    return [...droppedRow(tool, context), ...liveRows(tool.progress, asPrinted, rowsOf(context, most, ROWS_LIVE))]
  }
  if (tool.diffs.length > 0) return reportedRows(tool, context, Math.min(most, ROWS_DRAFT))
  if (tool.name === 'write') {
    return draftRows(tool, 'content', languageOfPath(textArgument(tool, 'path') ?? ''), context, most)
  }
  if (tool.name === 'codemode' && tool.state === 'composing') {
    const lines = draftRows(tool, 'code', 'javascript', context, most)
    // A single line is shown in the title.
    return lines.length > 1 ? lines : []
  }
  if (tool.name === 'edit') return draftedEdit(tool, context, Math.min(most, ROWS_DRAFT))
  return tool.arguments === null ? [row(sanitize('the model wrote invalid arguments'), context, theme.dim)] : []
}

/** Says how much an aborted call printed before the part that is kept. */
function droppedRow({ state, progressDropped }: ToolCall, context: ToolContext): Styled[] {
  if (isOpen(state) || progressDropped === 0) return []
  return [row(literal`${formatBytes(progressDropped)} of earlier output omitted`, context, context.theme.dim)]
}

/** The last lines of a text that the model is writing, highlighted. */
function draftRows(tool: ToolCall, key: string, language: string, context: ToolContext, most: number): Styled[] {
  const rows = Math.min(most, ROWS_DRAFT)
  // Lines longer than the terminal are cut, so a few thousand characters are always enough.
  const tail = argumentTail(tool, key, 4000)
  if (tail === undefined) return []
  const lines = tail.trimEnd().split('\n').slice(-rows)
  if (lines.join('') === '') return []
  const shown = lines.map(line => clip(line, context.width)).join('\n')
  const painted = paintCode(shown, language, context.theme.markdown)
  return paintedRows(painted, { most: rows, context, paint: asItIs, wrapped: false })
}

/** The changes of an edit that has not run yet, without line numbers. */
function draftedEdit(tool: ToolCall, context: ToolContext, most: number): Styled[] {
  // More edits than rows would not be visible.
  const rows = editsOf(tool)
    .slice(-most)
    .flatMap(({ oldText, newText }) => {
      // Nothing is shown as removed before the new text begins.
      const begun = newText !== '' || tool.arguments !== undefined
      return compareTexts(oldText, begun ? newText : oldText)
    })
  return diffRows([rows.slice(-most)], textArgument(tool, 'path') ?? '', tool, context, most)
}

/** The reported changes, file by file; the path of a single file is in the title already. */
function reportedRows(tool: ToolCall, context: ToolContext, most: number): Styled[] {
  // In short detail, a new file has only its first lines once it is written.
  const isOver = !isOpen(tool.state) && !isFull(context)
  const changes = reportedChanges(tool)
  const rows: Styled[] = []
  for (const [index, { path, diff, isNew }] of changes.entries()) {
    const left = most - rows.length
    if (left < (index === 0 ? 1 : 2)) return [...rows, ...moreRow(hiddenRows(changes.slice(index)), context)]
    const head =
      changes.length > 1
        ? [row(oneLine(sanitizeExact(pathFrom(path, context.folder))), context, context.theme.dim)]
        : []
    const room = Math.max(1, left - head.length)
    const shown = isNew && isOver ? Math.min(room, writtenRoom(diff.hunks.flat().length)) : room
    rows.push(...head, ...diffRows(diff.hunks, path, tool, context, shown))
  }
  return rows
}

function hiddenRows(changes: readonly ReportedChange[]): number {
  return changes.reduce((sum, { diff }) => sum + diff.hunks.flat().length, 0)
}

function resultBody(tool: ToolCall, summary: Summary, context: ToolContext, most: number): Styled[] {
  const { theme } = context
  const images = summary.images.map(image => row(sanitize(image), context, theme.dim))
  const text = summary.output.text
  if (summary.bash) return bashBody(tool, summary, context, most)
  // The title says that it was stopped.
  if (tool.state === 'aborted' && isStopText(text)) return openBody(tool, context, most)
  if (tool.permission?.state === 'refused' && !isFull(context)) return refusedBody(tool.permission, context, most)
  if (tool.state !== 'ok') {
    const paint = tool.state === 'failed' ? theme.failed : theme.dim
    const rows = { ...rowsOf(context, most, ROWS_FAILED), paint, words: true, wrapped: true }
    const read = tool.name === 'bash' ? asPrinted : asText
    return [...headRows(text, read, rows), ...omittedRow(tool, context), ...images]
  }
  if (tool.diffs.length > 0)
    return [
      ...reportedRows(tool, context, isFull(context) ? most : Math.min(most, ROWS_DIFF)),
      ...omittedRow(tool, context),
    ]
  if (summary.diff) {
    const path = textArgument(tool, 'path') ?? ''
    return [...diffRows(summary.diff.hunks, path, tool, context, most), ...omittedRow(tool, context)]
  }
  if (summary.files === 0) return []
  const code = codeOf(tool, text)
  if (code && tool.name === 'write' && !isFull(context)) return writtenRows(code, context, most)
  const quiet = ['read', 'edit', 'skill'].includes(tool.name)
  if (quiet && !isFull(context)) return images
  if (code) return [...codeRows(code, context, most), ...omittedRow(tool, context), ...images]
  const read = isTerminal(tool) ? asPrinted : asText
  return [...headRows(text, read, rowsOf(context, most, ROWS_OK)), ...cutRows(tool, summary, context), ...images]
}

/** The words of whoever refused it, unless the title gives the reason. */
function refusedBody({ because, words }: RefusedCall, context: ToolContext, most: number): Styled[] {
  const rows = { ...rowsOf(context, most, ROWS_FAILED), words: true, wrapped: true }
  return headRows(because === '' ? saidIn(words) : '', asText, rows)
}

function bashBody(tool: ToolCall, summary: Summary, context: ToolContext, most: number): Styled[] {
  const rows = rowsOf(context, most, tool.state === 'ok' ? ROWS_OK : ROWS_FAILED)
  return [...tailRows(summary.output.text, asPrinted, rows), ...cutRows(tool, summary, context)]
}

/** Says that zot cut an output, which file has all of it, and how much of it is no longer in memory. */
function cutRows(tool: ToolCall, { output, bash }: Summary, context: ToolContext): Styled[] {
  const file = bash?.fullOutput ?? null
  const omitted = omittedRow(tool, context)
  if (output.limit === null && file === null) return omitted
  const cut = output.limit === null ? '' : `truncated at ${limitText(output.limit)}`
  const where = file === null ? '' : `full output: ${file}`
  const words = oneLine(sanitizeExact([cut, where].filter(part => part !== '').join(', ')))
  return [...paintedRows([drawn`${words}`], { most: 8, context, paint: context.theme.dim, wrapped: true }), ...omitted]
}

/** Says how much of a call's arguments and result is no longer in memory. */
function omittedRow({ omitted }: ToolCall, context: ToolContext): Styled[] {
  if (omitted === null) return []
  const size = formatBytes(omitted.arguments.bytes + omitted.result.bytes)
  if (context.rest === 'missing') {
    return [row(literal`${size} omitted and not in this session's file`, context, context.theme.warning)]
  }
  const where = context.rest === 'reading' ? sanitize('loading') : sanitize('see the viewer or /export')
  return [row(literal`${size} omitted, ${where}`, context, context.theme.dim)]
}

/** `51200 bytes` as 51.2 kB. */
function limitText(limit: string): SafeText {
  const bytes = /^(\d+) bytes$/.exec(limit)
  return bytes ? formatBytes(Number(bytes[1])) : sanitize(limit)
}

function diffRows(
  hunks: readonly (readonly DiffLine[])[],
  path: string,
  tool: ToolCall,
  context: ToolContext,
  most: number,
): Styled[] {
  const { theme, width } = context
  const { lines, hidden } = diffLines(hunks, {
    theme,
    width,
    indent: bodyIndent(width),
    language: languageOfPath(path),
    rows: Math.min(most, isFull(context) ? fullRows(context) : ROWS_DIFF),
    wrapped: isFull(context),
    open: isOpen(tool.state),
  })
  return [...lines, ...moreRow(hidden, context)]
}

type RefusedCall = Extract<CallPermission, { state: 'refused' }>

type Code = { text: string; language: string; from: number }

/** The file content in a call's result or arguments. */
function codeOf(tool: ToolCall, text: string): Code | null {
  if (text === '' || (tool.name !== 'read' && tool.name !== 'write')) return null
  const from = tool.name === 'read' ? (numberArgument(tool, 'offset') ?? 1) : 1
  const content = tool.name === 'write' ? (textArgument(tool, 'content') ?? text) : text
  return { text: content, language: languageOfPath(textArgument(tool, 'path') ?? ''), from: Math.max(1, from) }
}

/** The first lines of a file that was written. */
function writtenRows(code: Code, context: ToolContext, most: number): Styled[] {
  return codeRows(
    code,
    context,
    Math.max(1, Math.min(most - 1, writtenRoom(code.text.replace(/\n$/, '').split('\n').length))),
  )
}

/** The rows for a file of so many lines: one more takes no more room than saying that there is one. */
function writtenRoom(lines: number): number {
  return lines <= ROWS_WRITTEN + 1 ? ROWS_WRITTEN + 1 : ROWS_WRITTEN
}

/** The first lines of a file, with line numbers. */
function codeRows({ text, language, from }: Code, context: ToolContext, most: number): Styled[] {
  const { theme } = context
  const lines = text.replace(/\n$/, '').split('\n')
  const shown = lines.slice(0, Math.min(most, fullRows(context)))
  const painted = paintCode(shown.map(line => clip(line, context.width)).join('\n'), language, theme.markdown)
  const digits = String(from + shown.length - 1).length
  const numbered = painted.map((line, index): Styled => {
    const number = padStartTo(sanitize(String(from + index)), digits)
    return line.text.trim() === '' ? theme.dim(number) : drawn`${theme.dim(number)}  ${line}`
  })
  const rows: BodyRows = { most: fullRows(context), context, paint: asItIs, wrapped: false }
  return [...paintedRows(numbered, rows), ...moreRow(lines.length - shown.length, context)]
}

function rowsOf(context: ToolContext, most: number, short: number): BodyRows {
  const { asked, theme } = context
  const rows = isFull(context) ? fullRows(context) : (asked?.end ?? short)
  return { most: Math.min(most, rows), context, paint: theme.dim, ...(asked && { all: asked.all, wrapped: true }) }
}

function asItIs(text: SafeText | Styled): Styled {
  return drawn`${text}`
}
