/** Facts about a finished call, computed once, since its result never changes. */
import { withoutLimitsNote } from '../text/sandbox-note.ts'
import { isContainer } from '../text/json.ts'
import type { ToolCall } from '../conversation/part.ts'
import { countMarks } from '../text/controls/marks.ts'
import { hiddenMarks, hiddenMarksInOutput } from '../text/sanitize.ts'
import { readDiff, type Diff } from './diff/diff.ts'
import { argumentsOf, textArgument } from './arguments.ts'
import { joinedDiff, reportedChanges } from './reported-changes.ts'
import {
  imageText,
  lineCount,
  parseBashResult,
  resultText,
  withoutCutMark,
  type BashResult,
  type CutText,
} from './result.ts'

/** Characters read of the end of a text that is drawn again for each frame. */
export const LOOKED_AT_LIVE = 4 * 1024

export type Summary = {
  /** The tool's output without zot's additions. */
  output: CutText
  bash: BashResult | null
  diff: Diff | null
  /** Lines of the output. */
  lines: number
  /** The number of files that a glob found; null for other tools. */
  files: number | null
  images: readonly string[]
  /** The number of hidden marks in the arguments and the output, which are made visible. */
  marks: number
}

const known = new WeakMap<ToolCall, Summary>()

/** Null while there is no result. */
export function summaryOf(tool: ToolCall): Summary | null {
  if (!tool.result) return null
  const before = known.get(tool)
  if (before) return before
  const summary = summarize(tool)
  known.set(tool, summary)
  return summary
}

function summarize(tool: ToolCall): Summary {
  const content = tool.result ?? []
  const text = resultText(content.filter(block => block.type === 'text'))
  const bash = tool.name === 'bash' ? parseBashResult(text, textArgument(tool, 'command')) : null
  const whole = bash?.output ?? text
  const output = withoutCutMark(tool.heldIn === undefined ? whole : withoutLimitsNote(whole))
  const lines = lineCount(output.text) + (tool.omitted?.result.lines ?? 0)
  return {
    output,
    bash,
    diff: tool.state === 'ok' ? diffOf(tool, text) : null,
    lines,
    files: tool.name === 'glob' && tool.state === 'ok' ? filesIn(output.text, lines) : null,
    images: content.flatMap(block => (block.type === 'image' ? [imageText(block)] : [])),
    marks: marksOf(tool, output.text),
  }
}

function diffOf(tool: ToolCall, text: string): Diff | null {
  const { hunkLines, omitted } = tool
  const diff = joinedDiff(reportedChanges(tool)) ?? (tool.name === 'edit' ? readDiff(text, hunkLines) : null)
  if (!diff || !omitted) return diff
  const { added, removed } = omitted.result
  return { hunks: diff.hunks, added: diff.added + added, removed: diff.removed + removed }
}

function filesIn(text: string, lines: number): number {
  return text.startsWith('No files matched') ? 0 : lines
}

function marksOf(tool: ToolCall, output: string): number {
  const marks = isTerminal(tool) ? hiddenMarksInOutput(output) : hiddenMarks(output)
  // The results of these two repeat their arguments.
  const repeats = tool.diffs.length === 0 && tool.state === 'ok' && ['write', 'edit'].includes(tool.name)
  return marks + (repeats ? marksIn(textArgument(tool, 'path') ?? '') : marksInCall(tool))
}

/** The arguments repeat a reported diff or do not have it, so that the larger count is the right one. */
function marksInCall(tool: ToolCall): number {
  const marks = tool.diffs.reduce((sum, { path, after }) => sum + marksIn(path) + marksIn(after), 0)
  return Math.max(marks, marksInArguments(tool))
}

/** Whether a tool's output is meant for a terminal, with colours and lines that overwrite themselves. */
export function isTerminal(tool: ToolCall): boolean {
  return !['read', 'write', 'edit', 'skill', 'glob'].includes(tool.name)
}

/** The number of hidden marks in the visible part of an open call. */
export function marksWhileOpen(tool: ToolCall): number {
  const { progress, argumentsText } = tool
  // In partial JSON, marks may be escaped or literal.
  const written = tool.arguments === undefined ? marksIn(argumentsText.slice(-LOOKED_AT_LIVE)) : marksInCall(tool)
  return written + hiddenMarksInOutput(progress.slice(-LOOKED_AT_LIVE))
}

const counted = new WeakMap<object, number>()

function marksInArguments(tool: ToolCall): number {
  const args = argumentsOf(tool)
  if (!args) return 0
  const before = counted.get(args)
  if (before !== undefined) return before
  const marks = marksInValue(args)
  counted.set(args, marks)
  return marks
}

function marksInValue(value: unknown): number {
  if (typeof value === 'string') return marksIn(value)
  if (!isContainer(value)) return 0
  return Object.values(value).reduce<number>((sum, member) => sum + marksInValue(member), 0)
}

function marksIn(text: string): number {
  return countMarks(text.replaceAll('\r\n', '\n').toWellFormed())
}
