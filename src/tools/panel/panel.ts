import { counted } from '../../text/counted.ts'
import type { ToolCall } from '../../conversation/part.ts'
import { isOpen } from '../../conversation/calls/tool-calls.ts'
import { sanitize } from '../../text/sanitize.ts'
import { fitted, indented, joinStyled, type Styled } from '../../style/styled.ts'
import { toolBody } from './body.ts'
import { vitalFacts } from './facts.ts'
import { asPrinted, fullRows, headRows, isFull, liveRows, paintedRows } from './body-rows.ts'
import { summaryOf } from '../summary.ts'
import { callTitle } from './title.ts'
import { boundTree, mostImportant, treeOf, type Branch } from './tree.ts'
import type { ToolContext } from './tool-context.ts'

/** Rows of the facts that have no room in the title: a hook can give a long reason. */
const MOST_VITAL = 4

/** Nested calls shown below a finished call. */
const MOST_CALLS = 12

/** Nested calls examined for each one shown: their tree is built for every frame. */
const LOOKED_AT = 20

/** The panel of a call, with its nested calls below it. No line is wider than `width`. */
export function renderTool(tool: ToolCall, nested: readonly ToolCall[], context: ToolContext): Styled[] {
  const lines = context.detail === 'names' ? namesOnly(tool, nested, context) : panel(tool, nested, context)
  return fitted(lines, context.width, context.theme.signs.ellipsis)
}

function namesOnly(tool: ToolCall, nested: readonly ToolCall[], context: ToolContext): Styled[] {
  return callTitle(tool, context, 0, nested.length).lines.slice(0, 1)
}

function panel(tool: ToolCall, nested: readonly ToolCall[], context: ToolContext): Styled[] {
  const open = isOpen(tool.state)
  const room = isFull(context) && !open ? fullRows(context) : context.maxBody
  const title = callTitle(tool, context)
  const [first, ...more] = title.lines.slice(0, 1 + Math.max(0, room - 1))
  const vital = title.bare ? vitalFacts(title.of, tool, context.theme) : []
  const head = [...(first === undefined ? [] : [first]), ...more]
  if (vital.length > 0) {
    const rows = { most: MOST_VITAL, context, paint: context.theme.dim, words: true, wrapped: true }
    head.push(...paintedRows([joinStyled(vital, context.theme.gap)], rows))
  }
  const left = Math.max(1, room - head.length + 1)
  const most = open ? Math.max(1, left - 1) : isFull(context) ? fullRows(context) : MOST_CALLS
  const looked = mostImportant(nested, LOOKED_AT * most)
  const calls = callLines(treeOf(tool, looked, nested), most, nested.length - looked.length, context)
  // Nested calls show their own output; the parent's would repeat it.
  const busy = nested.some(call => isOpen(call.state))
  const body = busy ? [] : toolBody(tool, title.of.subject, context, open ? left - calls.length : room)
  return [...head, ...calls, ...body]
}

/** The lines of the nested calls; `unseen` is the number of those outside the tree. */
function callLines(branches: readonly Branch[], most: number, unseen: number, context: ToolContext): Styled[] {
  const bound = boundTree(branches, most)
  const { shown } = bound
  const hidden = bound.hidden + unseen
  let left = most - shown.length - (hidden > 0 ? 1 : 0)
  const lines = shown.flatMap(({ tool, depth }) => {
    const below = left > 0 ? callBody(tool, depth, context) : []
    left -= below.length
    const [title] = callTitle(tool, { ...context, detail: 'names' }, depth).lines
    return title === undefined ? below : below.toSpliced(0, 0, title)
  })
  if (hidden === 0) return lines
  const more = sanitize(`+${counted(hidden, 'call')}`)
  return [indented(2, context.theme.dim(more)), ...lines]
}

/** One line of a nested call: the last line that it printed, or its error. */
function callBody(tool: ToolCall, depth: number, context: ToolContext): Styled[] {
  const indent = Math.min(2 * depth, Math.floor(context.width / 4))
  const inner = { ...context, width: Math.max(1, context.width - indent), detail: 'short' as const }
  const rows = { most: 1, context: inner, paint: context.theme.dim }
  const summary = summaryOf(tool)
  if (summary && tool.state === 'failed') {
    const line =
      summary.output.text
        .trim()
        .split('\n')
        .at(summary.bash ? -1 : 0) ?? ''
    return headRows(line, asPrinted, { ...rows, paint: context.theme.failed }).map(text => indented(indent, text))
  }
  if (tool.state !== 'running' || tool.progress === '') return []
  return liveRows(tool.progress, asPrinted, rows).map(text => indented(indent, text))
}
