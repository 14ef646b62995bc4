/** The facts at the end of a call's title, most important first: on a narrow screen the last ones are dropped. */
import { byteLength } from '../../text/lines/measure.ts'
import type { ToolCall, ToolState } from '../../conversation/part.ts'
import { isOpen } from '../../conversation/calls/tool-calls.ts'
import { formatBytes, formatDuration } from '../../text/format.ts'
import { oneLine, sanitize, sanitizeExact, type SafeText } from '../../text/sanitize.ts'
import { joinStyled, type Styled } from '../../style/styled.ts'
import type { Theme } from '../../style/theme.ts'
import { argumentsOf, numberArgument, textArgument } from '../arguments.ts'
import { permissionWords } from '../permission.ts'
import { lineCount, parseDuration } from '../result.ts'
import { marksWhileOpen, summaryOf, type Summary } from '../summary.ts'
import type { ToolContext } from './tool-context.ts'

/** Milliseconds; shorter times are not shown. */
const NOTABLE_WAIT = 1000
const NOTABLE_RUN = 100
const NOTABLE_DRAFT = 1000

/** The facts of a call; `calls` is the number of nested calls that are not shown. */
export function factsOf(tool: ToolCall, { theme, now }: ToolContext, calls = 0): Styled[] {
  const summary = summaryOf(tool)
  const marks = markFact(tool, theme)
  const changes = changeFact(summary, theme)
  const time = elapsed(tool, summary, now)
  return [
    ...(marks === null ? [] : [marks]),
    ...stateFacts(tool, summary, theme),
    ...(changes === null ? [] : [changes]),
    ...countFacts(tool, summary).map(fact => theme.dim(fact)),
    ...(calls === 0 ? [] : [theme.dim(count(calls, 'call'))]),
    ...(time === null ? [] : [theme.dim(time)]),
  ]
}

/** The facts that must be shown even if the title has no room for them. */
export function vitalFacts(tool: ToolCall, { theme }: ToolContext): Styled[] {
  const marks = markFact(tool, theme)
  // A failed call has its own sign, and its output shows the reason.
  const told = tool.state === 'not_run' || tool.state === 'aborted' || (tool.state === 'failed' && tool.name === 'bash')
  return [...(marks === null ? [] : [marks]), ...(told ? stateFacts(tool, summaryOf(tool), theme) : [])]
}

/** A warning about hidden marks in the call; null if there are none. */
function markFact(tool: ToolCall, theme: Theme): Styled | null {
  const marks = summaryOf(tool)?.marks ?? marksWhileOpen(tool)
  return marks === 0 ? null : theme.warning(count(marks, 'hidden mark'))
}

const STATES: Readonly<Partial<Record<ToolState, readonly [paint: 'dim' | 'warning', words: string]>>> = {
  composing: ['dim', 'composing'],
  waiting: ['dim', 'next'],
  not_run: ['warning', 'not run'],
  aborted: ['warning', 'stopped'],
}

function stateFacts(tool: ToolCall, summary: Summary | null, theme: Theme): Styled[] {
  // The working line says that it waits, and since when.
  if (isAsked(tool)) return []
  const words = tool.permission ? permissionWords(tool.permission) : ''
  const told = words === '' ? [] : [theme.warning(oneLine(sanitizeExact(words)))]
  return words === '' || tool.permission?.state === 'allowed' ? [...told, ...ownFacts(tool, summary, theme)] : told
}

function ownFacts(tool: ToolCall, summary: Summary | null, theme: Theme): Styled[] {
  if (tool.state === 'failed') return [theme.failed(sanitize(failure(tool, summary)))]
  const [paint, words] = STATES[tool.state] ?? []
  return paint && words ? [theme[paint](sanitize(words))] : []
}

function failure(tool: ToolCall, summary: Summary | null): string {
  const bash = summary?.bash
  if (!bash) return tool.arguments === null ? 'invalid arguments' : 'failed'
  if (bash.exitCode !== -1) return `exit ${bash.exitCode}`
  // zot reports a timeout and a kill in the same way.
  const limit = numberArgument(tool, 'timeout')
  return limit !== undefined && (parseDuration(bash.duration) ?? 0) >= limit * 1000 ? 'timed out' : 'killed'
}

function changeFact(summary: Summary | null, theme: Theme): Styled | null {
  if (!summary?.diff) return null
  const { added, removed } = summary.diff
  return joinStyled([theme.added(sanitize(`+${added}`)), theme.removed(sanitize(`-${removed}`))], ' ')
}

function countFacts(tool: ToolCall, summary: Summary | null): SafeText[] {
  if (tool.state === 'composing') return draftFacts(tool)
  if (!summary || tool.state !== 'ok' || tool.diffs.length > 0) return []
  // Some agents tell no output: that is not an empty one.
  const isUntold = tool.result?.length === 0 && !tool.omitted
  if (isUntold && (tool.name !== 'write' || textArgument(tool, 'content') === undefined)) return []
  switch (tool.name) {
    case 'read':
      return summary.images.length > 0 ? [] : [...cutFact(summary), count(summary.lines, 'line')]
    case 'write': {
      const content = textArgument(tool, 'content') ?? summary.output.text
      const { lines = 0, bytes = 0 } = tool.omitted?.arguments ?? {}
      return [count(lineCount(content) + lines, 'line'), formatBytes(byteLength(content) + bytes)]
    }
    case 'glob':
      return [summary.files === 0 ? sanitize('no files') : count(summary.files ?? 0, 'file')]
    case 'skill':
      return [count(summary.lines, 'line')]
    default:
      return []
  }
}

/** The size of a long draft. */
function draftFacts(tool: ToolCall): SafeText[] {
  const length = argumentsOf(tool) ? 0 : tool.argumentsText.length
  return length < NOTABLE_DRAFT ? [] : [formatBytes(length)]
}

/** Says that the file was truncated. */
function cutFact({ output }: Summary): SafeText[] {
  return output.limit === null ? [] : [sanitize('truncated')]
}

/** `51200 bytes` as 51.2 kB. */
export function limitText(limit: string): SafeText {
  const bytes = /^(\d+) bytes$/.exec(limit)
  return bytes ? formatBytes(Number(bytes[1])) : sanitize(limit)
}

function elapsed(tool: ToolCall, summary: Summary | null, now: number): SafeText | null {
  // The time until the answer does not count.
  if (isAsked(tool)) return null
  const told = summary?.bash ? parseDuration(summary.bash.duration) : null
  if (told !== null) return told < NOTABLE_RUN ? null : formatDuration(told)
  if (tool.startedAt === null) {
    const waited = tool.endedAt === null ? now - tool.draftedAt : 0
    return waited < NOTABLE_WAIT ? null : formatDuration(waited)
  }
  const time = (tool.endedAt ?? now) - tool.startedAt
  return tool.endedAt !== null && time < NOTABLE_RUN ? null : formatDuration(time)
}

/** Whether the call waits for the user's answer. */
export function isAsked({ permission, state }: ToolCall): boolean {
  return permission?.state === 'asked' && isOpen(state)
}

export function count(number: number, noun: string): SafeText {
  return sanitize(`${number} ${noun}${number === 1 ? '' : 's'}`)
}
