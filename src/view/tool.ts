/** A tool call as a panel: a title line, and below it what the person needs to see of what it does. */
import { z } from 'zod'
import type { ToolCall } from '../chat/state.ts'
import { formatDuration } from '../text/format.ts'
import { oneLine, sanitize, sanitizeExact, type SafeText } from '../text/sanitize.ts'
import { shortenPath, truncate } from '../text/shorten.ts'
import { displayWidth, padTo } from '../text/width.ts'
import { partialString } from './partial-json.ts'
import { drawn, empty, joinStyled, spread, type Paint, type Styled } from './styled.ts'
import type { Theme } from './theme.ts'
import { toolBody } from './tool-body.ts'
import { parseBashResult, resultText } from './tool-result.ts'

export type ToolContext = {
  theme: Theme
  width: number
  /** Milliseconds since the Unix epoch, for the elapsed time of what runs. */
  now: number
  /** Rows that the body may take. */
  maxBody: number
}

const NAME_COLUMN = 5

/** The panel of a call, with the calls that it made below it. */
export function renderTool(tool: ToolCall, nested: readonly ToolCall[], context: ToolContext): Styled[] {
  const lines = [title(tool, context, 0), ...toolBody(tool, context)]
  for (const call of nested) {
    const depth = call.id.split('/').length - tool.id.split('/').length
    lines.push(title(call, context, depth))
  }
  return lines
}

export function title(tool: ToolCall, context: ToolContext, depth: number): Styled {
  const { theme, width } = context
  const indent = sanitize('  '.repeat(depth))
  const name = padTo(oneLine(sanitizeExact(tool.name || 'tool')), NAME_COLUMN)
  const facts = factsOf(tool, context)
  const used = displayWidth(indent) + 2 + displayWidth(name) + 1
  const factsWidth = displayWidth(facts) + 2
  const room = width - used
  // A subject that can hardly be read is worth more than facts that stand again in the body.
  const withFacts = room - factsWidth >= 16
  const subject = subjectOf(tool, Math.max(0, withFacts ? room - factsWidth : room))
  const left = drawn`${indent}${signOf(tool, context)} ${theme.strong(name)} ${subject}`
  return withFacts ? spread(left, facts, width) : left
}

function signOf(tool: ToolCall, { theme, now }: ToolContext): Styled {
  const { signs } = theme
  const paint: Record<ToolCall['state'], [Paint, string]> = {
    composing: [theme.dim, signs.waiting],
    waiting: [theme.dim, signs.waiting],
    running: [theme.running, spinner(signs.spinner, now)],
    ok: [theme.ok, signs.done],
    failed: [theme.failed, signs.failed],
    not_run: [theme.warning, signs.stopped],
    aborted: [theme.warning, signs.stopped],
  }
  const [color, sign] = paint[tool.state]
  return color(sanitize(sign))
}

/** All that spins shares one phase. */
export function spinner(frames: readonly string[], now: number): string {
  return frames[Math.floor(now / 120) % frames.length] ?? ''
}

function factsOf(tool: ToolCall, { theme, now }: ToolContext): Styled {
  const facts: Styled[] = []
  if (tool.state === 'composing') facts.push(drawn`composing`)
  if (tool.state === 'waiting') facts.push(drawn`waiting`)
  if (tool.state === 'not_run') facts.push(theme.warning(sanitize('not run')))
  if (tool.state === 'aborted') facts.push(theme.warning(sanitize('aborted')))
  facts.push(...resultFacts(tool, theme))
  const time = elapsed(tool, now)
  if (time !== null) facts.push(theme.dim(time))
  return joinStyled(facts, '   ')
}

function resultFacts(tool: ToolCall, theme: Theme): Styled[] {
  if (!tool.result || tool.state === 'aborted') return []
  const text = resultText(tool.result)
  if (tool.name === 'bash') {
    const bash = parseBashResult(text)
    return bash && bash.exitCode !== 0 ? [theme.failed(sanitize(`exit ${bash.exitCode}`))] : []
  }
  if (tool.state === 'failed') return []
  if (tool.name === 'read' || tool.name === 'write') return [theme.dim(count(lineCount(text), 'line'))]
  if (tool.name === 'edit') {
    const rows = text.split('\n')
    const added = rows.filter(row => row.startsWith('+')).length
    const removed = rows.filter(row => row.startsWith('-')).length
    return [joinStyled([theme.added(sanitize(`+${added}`)), theme.removed(sanitize(`-${removed}`))], ' ')]
  }
  return []
}

function elapsed(tool: ToolCall, now: number): SafeText | null {
  if (tool.startedAt === null) return null
  const bash = tool.result && tool.name === 'bash' ? parseBashResult(resultText(tool.result)) : null
  if (bash) return sanitize(bash.duration)
  const time = (tool.endedAt ?? now) - tool.startedAt
  return tool.endedAt !== null && time < 100 ? null : sanitize(formatDuration(time))
}

export function count(number: number, noun: string): SafeText {
  return sanitize(`${number} ${noun}${number === 1 ? '' : 's'}`)
}

function lineCount(text: string): number {
  if (text === '') return 0
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

const known = z.looseObject({
  path: z.string().optional(),
  command: z.string().optional(),
  pattern: z.string().optional(),
  name: z.string().optional(),
  offset: z.number().optional(),
  limit: z.number().optional(),
})

/** What the call is about: the file, the command, the pattern; else its arguments on one line. */
function subjectOf(tool: ToolCall, room: number): Styled {
  const parsed = known.safeParse(tool.arguments)
  const args = parsed.success ? parsed.data : {}
  const draft = (key: string): string | undefined => partialString(tool.argumentsText, key)
  const path = args.path ?? draft('path')
  const command = args.command ?? draft('command')
  if (tool.name === 'bash' && command !== undefined) return drawn`${truncate(oneLine(sanitizeExact(command), '⏎'), room)}`
  if (path !== undefined && ['read', 'write', 'edit'].includes(tool.name)) {
    const range = rangeOf(args.offset, args.limit)
    return drawn`${shortenPath(oneLine(sanitizeExact(path)), Math.max(1, room - displayWidth(range)))}${range}`
  }
  if (tool.name === 'glob') return drawn`${truncate(oneLine(sanitizeExact(args.pattern ?? draft('pattern') ?? '')), room)}`
  if (tool.name === 'skill') return drawn`${truncate(oneLine(sanitizeExact(args.name ?? draft('name') ?? '')), room)}`
  if (tool.arguments === null) return drawn`the model wrote invalid arguments`
  if (tool.arguments === undefined) return empty
  return drawn`${truncate(oneLine(sanitizeExact(compactArguments(tool.arguments))), room)}`
}

function rangeOf(offset: number | undefined, limit: number | undefined): SafeText {
  if (offset === undefined && limit === undefined) return sanitize('')
  const from = offset ?? 1
  return sanitize(limit === undefined ? `:${from}-` : `:${from}-${from + limit - 1}`)
}

function compactArguments(args: unknown): string {
  if (typeof args !== 'object' || args === null) return JSON.stringify(args)
  return Object.entries(args)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('  ')
}
