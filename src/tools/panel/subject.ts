/** The subject of a call, shown after its name: the file, the command, the pattern, or else its arguments. */
import { counted } from '../../text/counted.ts'
import type { CallLocation } from '../../agent/turn-events.ts'
import type { ToolCall } from '../../conversation/part.ts'
import { pathFrom } from '../../conversation/calls/call-in-brief.ts'
import { oneLine, sanitize, sanitizeExact, type SafeText } from '../../text/sanitize.ts'
import { shortenPath, truncate } from '../../text/lines/shorten.ts'
import { trimOf } from '../../text/styled.ts'
import { displayWidth } from '../../text/lines/width.ts'
import { wrap } from '../../text/lines/wrap.ts'
import { drawn, empty, joinStyled, type Styled } from '../../style/styled.ts'
import { argumentsOf, numberArgument, textArgument } from '../arguments.ts'
import { paintCode } from '../code.ts'
import { fullRows, isFull } from './body-rows.ts'
import { lineCount } from '../result.ts'
import { summaryOf } from '../summary.ts'
import { toldChanges } from '../told-changes.ts'
import { yamlLine } from './yaml.ts'
import type { ToolContext } from './tool-context.ts'

export type Subject =
  | { kind: 'path'; path: SafeText; range: SafeText }
  | { kind: 'code'; code: string; language: string }
  | { kind: 'text'; text: SafeText }

/** Characters of code that a title may show. */
const LOOKED_AT = 2000
/** Beyond this many lines, a title counts them instead of joining them. */
const MOST_JOINED = 4
/** Rows of one long command, including the title's. */
const SHORT_ROWS = 3

export function newlineSign({ theme }: ToolContext): '⏎' | '\\n' {
  return theme.markdown.unicode ? '⏎' : '\\n'
}

export function subjectOf(tool: ToolCall, context: ToolContext): Subject {
  const command = tool.name === 'bash' ? textArgument(tool, 'command') : undefined
  if (command !== undefined) return { kind: 'code', code: command, language: 'bash' }
  const code = tool.name === 'codemode' ? textArgument(tool, 'code') : undefined
  if (code !== undefined) return { kind: 'code', code, language: 'javascript' }
  const path = ['read', 'write', 'edit'].includes(tool.name) ? textArgument(tool, 'path') : undefined
  if (path !== undefined)
    return { kind: 'path', path: oneLine(sanitizeExact(pathFrom(path, context.folder))), range: rangeOf(tool) }
  const pattern = tool.name === 'glob' ? textArgument(tool, 'pattern') : undefined
  if (pattern !== undefined) {
    const folder = textArgument(tool, 'path')
    return text(folder === undefined ? pattern : `${pattern}  in ${pathFrom(folder, context.folder)}`)
  }
  const name = tool.name === 'skill' ? textArgument(tool, 'name') : undefined
  if (name !== undefined) return text(name)
  const changed = toldChanges(tool).map(change => change.path)
  if (changed.length > 0) return pathsOf(changed.map(each => ({ path: pathFrom(each, context.folder) })))
  if (tool.title !== '') return text(tool.title)
  const isSilent = Object.keys(argumentsOf(tool) ?? {}).length === 0
  const located = tool.locations.map(each => ({ ...each, path: pathFrom(each.path, context.folder) }))
  if (isSilent && located.length > 0) return pathsOf(located)
  return text(context.detail === 'names' || fitsTitle(tool, context) ? argumentsLine(tool, context) : '')
}

/** The first of some files, and how many more there are. */
function pathsOf([first, ...more]: readonly CallLocation[]): Subject {
  const range = `${first?.line === undefined ? '' : `:${first.line}`}${more.length === 0 ? '' : ` +${more.length}`}`
  return { kind: 'path', path: oneLine(sanitizeExact(first?.path ?? '')), range: sanitize(range) }
}

/** Whether the arguments of an unknown tool fit into the title; otherwise they go below it. */
export function fitsTitle(tool: ToolCall, context: ToolContext): boolean {
  return displayWidth(sanitizeExact(argumentsLine(tool, context))) <= context.width / 2
}

function argumentsLine(tool: ToolCall, context: ToolContext): string {
  const args = argumentsOf(tool) ?? tool.arguments
  return args === undefined || args === null ? '' : yamlLine(args, newlineSign(context))
}

function text(raw: string): Subject {
  return { kind: 'text', text: oneLine(sanitizeExact(raw.slice(0, LOOKED_AT))) }
}

function rangeOf(tool: ToolCall): SafeText {
  const offset = numberArgument(tool, 'offset')
  const limit = numberArgument(tool, 'limit')
  if (tool.name !== 'read' || (offset === undefined && limit === undefined)) return sanitize('')
  const from = Math.max(1, offset ?? 1)
  const read = tool.state === 'ok' ? (summaryOf(tool)?.lines ?? 0) : 0
  // At the end of a file, fewer lines were read than asked for.
  if (read > 0) return sanitize(`:${from}-${from + read - 1}`)
  return sanitize(limit === undefined ? `:${from}-` : `:${from}-${from + limit - 1}`)
}

/** The columns of the whole subject. */
export function subjectWidth(subject: Subject): number {
  switch (subject.kind) {
    case 'path':
      return displayWidth(subject.path) + displayWidth(subject.range)
    case 'code':
      return displayWidth(oneLine(sanitizeExact(subject.code.slice(0, LOOKED_AT))))
    case 'text':
      return displayWidth(subject.text)
  }
}

/** The subject in rows of at most `room` columns: one in the title, and more below it for a long command. */
export function subjectRows(subject: Subject, room: number, context: ToolContext): Styled[] {
  switch (subject.kind) {
    case 'path':
      return [pathRow(subject, room, context)]
    case 'code':
      return codeRows(subject, room, context)
    case 'text':
      return [drawn`${truncate(subject.text, room, context.theme.signs.ellipsis)}`]
  }
}

function pathRow({ path, range }: Extract<Subject, { kind: 'path' }>, room: number, { theme }: ToolContext): Styled {
  const { ellipsis } = theme.signs
  const left = room - displayWidth(range)
  // A range without a name is useless.
  if (left < 8) return drawn`${shortenPath(path, room, ellipsis)}`
  return drawn`${shortenPath(path, left, ellipsis)}${range}`
}

function codeRows(
  { code, language }: Extract<Subject, { kind: 'code' }>,
  room: number,
  context: ToolContext,
): Styled[] {
  const full = isFull(context)
  const most = full ? fullRows(context) : context.detail === 'names' ? 1 : SHORT_ROWS
  const looked = code.slice(0, full ? 100 * LOOKED_AT : LOOKED_AT)
  const lines = paintCode(looked.trimEnd(), language, context.theme.markdown)
  const written = lines.filter(line => line.text.trim() !== '')
  const [first = empty] = written
  const hidden = Math.max(1, lineCount(code.trimEnd())) - 1
  if (hidden === 0) return folded(first, room, most, context)
  if (full) return lines.flatMap(line => wrap(line, room)).slice(0, most)
  const sign = context.theme.dim(sanitize(` ${newlineSign(context)} `))
  const joined = joinStyled(written.map(trimOf), sign)
  if (hidden < MOST_JOINED && displayWidth(joined) <= room) return [joined]
  const more = drawn`${sign}${context.theme.dim(sanitize(`+${counted(hidden, 'line')}`))}`
  const left = room - displayWidth(more)
  const { ellipsis } = context.theme.signs
  return [left < 8 ? truncate(first, room, ellipsis) : drawn`${truncate(first, left, ellipsis)}${more}`]
}

/** Wraps one long line into a few rows and cuts the rest. */
function folded(line: Styled, room: number, most: number, { theme }: ToolContext): Styled[] {
  const rows = most === 1 || room < 8 ? [line] : wrap(line, room)
  const last = joinStyled(rows.slice(most - 1, most + 1), ' ')
  return [...rows.slice(0, most - 1), ...(last === empty ? [] : [truncate(last, room, theme.signs.ellipsis)])]
}
