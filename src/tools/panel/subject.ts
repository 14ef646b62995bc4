/** The subject of a call as rows, after its name. */
import { counted } from '../../text/counted.ts'
import { oneLine, sanitize, sanitizeExact, type SafeText } from '../../text/sanitize.ts'
import { shortenPath, truncate } from '../../text/lines/shorten.ts'
import { trimOf } from '../../text/styled.ts'
import { displayWidth } from '../../text/lines/width.ts'
import { wrap } from '../../text/lines/wrap.ts'
import { drawn, empty, joinStyled, type Styled } from '../../style/styled.ts'
import { paintCode } from '../code.ts'
import { fullRows, isFull } from './body-rows.ts'
import type { CallSubject } from '../describe-call.ts'
import { lineCount } from '../result.ts'
import { yamlLine } from './yaml.ts'
import type { ToolContext } from './tool-context.ts'

/** Characters of code that a title may show. */
const LOOKED_AT = 2000
/** Beyond this many lines, a title counts them instead of joining them. */
const MOST_JOINED = 4
/** Rows of one long command, including the title's. */
const SHORT_ROWS = 3

type NamedFiles = Extract<CallSubject, { kind: 'files' }>

export function newlineSign({ theme }: ToolContext): '⏎' | '\\n' {
  return theme.markdown.unicode ? '⏎' : '\\n'
}

/** Whether the arguments of an unknown tool fit into the title; otherwise they go below it. */
export function fitsTitle(args: unknown, context: ToolContext): boolean {
  return displayWidth(sanitizeExact(argumentsLine(args, context))) <= context.width / 2
}

function textOf(subject: Extract<CallSubject, { kind: 'text' | 'arguments' }>, context: ToolContext): SafeText {
  if (subject.kind === 'text') return oneLine(sanitizeExact(subject.text.slice(0, LOOKED_AT)))
  const isShown = context.detail === 'names' || fitsTitle(subject.value, context)
  return oneLine(sanitizeExact(isShown ? argumentsLine(subject.value, context).slice(0, LOOKED_AT) : ''))
}

function argumentsLine(value: unknown, context: ToolContext): string {
  return value === undefined || value === null ? '' : yamlLine(value, newlineSign(context))
}

/** The first of some files with its place, and how many more there are. */
function fileOf({ files: [first, ...more] }: NamedFiles): { path: SafeText; behind: SafeText } {
  const rest = more.length === 0 ? '' : ` +${more.length}`
  return {
    path: oneLine(sanitizeExact(first?.path ?? '')),
    behind: oneLine(sanitizeExact(`${first?.place ?? ''}${rest}`)),
  }
}

/** The columns of the whole subject. */
export function subjectWidth(subject: CallSubject, context: ToolContext): number {
  switch (subject.kind) {
    case 'files': {
      const { path, behind } = fileOf(subject)
      return displayWidth(path) + displayWidth(behind)
    }
    case 'code':
      return displayWidth(oneLine(sanitizeExact(subject.code.slice(0, LOOKED_AT))))
    case 'text':
    case 'arguments':
      return displayWidth(textOf(subject, context))
  }
}

/** The subject in rows of at most `room` columns: one in the title, and more below it for a long command. */
export function subjectRows(subject: CallSubject, room: number, context: ToolContext): Styled[] {
  switch (subject.kind) {
    case 'files':
      return [pathRow(subject, room, context)]
    case 'code':
      return codeRows(subject, room, context)
    case 'text':
    case 'arguments':
      return [drawn`${truncate(textOf(subject, context), room, context.theme.signs.ellipsis)}`]
  }
}

function pathRow(subject: NamedFiles, room: number, { theme }: ToolContext): Styled {
  const { ellipsis } = theme.signs
  const { path, behind } = fileOf(subject)
  const left = room - displayWidth(behind)
  // A place without a name is useless.
  if (left < 8) return drawn`${shortenPath(path, room, ellipsis)}`
  return drawn`${shortenPath(path, left, ellipsis)}${behind}`
}

function codeRows(
  { code, language }: Extract<CallSubject, { kind: 'code' }>,
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
