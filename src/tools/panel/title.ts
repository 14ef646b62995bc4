/** The title of a call: a sign, its name, its subject, and the facts after it. */
import type { ToolCall } from '../../conversation/part.ts'
import { oneLine, sanitize, sanitizeExact } from '../../text/sanitize.ts'
import { truncate, type Ellipsis } from '../../text/lines/shorten.ts'
import { displayWidth, padTo } from '../../text/lines/width.ts'
import { wrap } from '../../text/lines/wrap.ts'
import { bandLines } from '../../style/band-lines.ts'
import { GAP } from '../../style/facts-line.ts'
import { drawn, empty, indented, joinStyled, type Paint, type Styled } from '../../style/styled.ts'
import { describeCall, isAsked, nameOf, type CallDescription } from '../describe-call.ts'
import { paintedFact } from './facts.ts'
import { subjectRows, subjectWidth } from './subject.ts'
import type { ToolContext } from './tool-context.ts'

/** Short names are padded to this width, so that the subjects are aligned. */
const NAME_COLUMN = 5
/** The columns and the share of the room that the subject gets before the facts. */
const SUBJECT_ROOM = 16
const SUBJECT_SHARE = 0.6
/** Below this width, nothing is aligned. */
const NARROW = 40

export type Title = {
  /** The description of the call that the title shows. */
  of: CallDescription
  /** The title, and the rows of a long command below it. */
  lines: Styled[]
  /** Whether none of the facts fitted. */
  bare: boolean
}

/** The title of a call; `calls` is the number of nested calls that are not shown. */
export function callTitle(tool: ToolCall, context: ToolContext, depth = 0, calls = 0): Title {
  const { theme, width } = context
  const indent = Math.min(2 * depth, Math.floor(width / 4))
  const of = describeCall(tool, { ...context, calls })
  if (theme.isSpoken) return spokenTitle(tool, of, context, indent)
  const { own } = context
  const name = own ? sanitize(own) : shownName(tool, width, theme.signs.ellipsis)
  const used = indent + 2 + displayWidth(name) + (own ? 0 : 1)
  const room = Math.max(0, width - used)
  const subjectRoom = Math.min(subjectWidth(of.subject, context), Math.max(SUBJECT_ROOM, SUBJECT_SHARE * room))
  const facts = fitting(
    of.facts.map(fact => paintedFact(fact, theme)),
    room - subjectRoom,
  )
  const factsWidth = facts === empty ? 0 : displayWidth(facts) + GAP.length
  const [first = empty, ...more] = room - factsWidth < 1 ? [] : subjectRows(of.subject, room - factsWidth, context)
  const joined = (head: Styled): Styled => (facts === empty ? head : joinStyled([head, facts], GAP))
  const bare = facts === empty
  if (own) {
    const rows = [joined(drawn`${theme.dim(name)}${first}`), ...more.map(line => indented(own.length, line))]
    return { of, lines: bandLines(rows, theme, width), bare }
  }
  const head = drawn`${sanitize(' '.repeat(indent))}${signOf(tool, context)} ${theme.strong(name)}`
  const left = first === empty ? head : drawn`${head} ${first}`
  return { of, lines: [joined(left), ...more.map(line => (line === empty ? line : indented(used, line)))], bare }
}

/** The title for a screen reader, without columns: the name, the whole subject, then the facts. */
function spokenTitle(tool: ToolCall, of: CallDescription, context: ToolContext, indent: number): Title {
  const { theme, width } = context
  const name = oneLine(sanitizeExact(of.name))
  const head = drawn`${signOf(tool, context)} ${theme.strong(name)}`
  const facts = joinStyled(
    of.facts.map(fact => paintedFact(fact, theme)),
    theme.gap,
  )
  // With `names`, the title and its facts share one line.
  const behind = context.detail === 'names' && facts !== empty ? theme.gap.length + displayWidth(facts) : 0
  const room = Math.max(1, width - indent - displayWidth(head) - 1 - behind)
  const [first = empty, ...more] = subjectRows(of.subject, room, context)
  const rows = [first === empty ? head : drawn`${head} ${first}`, ...more]
  const last = rows.at(-1) ?? empty
  const together = joinStyled([last, facts], theme.gap)
  if (facts !== empty && indent + displayWidth(together) <= width) rows.splice(-1, 1, together)
  else if (facts !== empty) rows.push(...wrap(facts, Math.max(1, width - indent)))
  return { of, lines: rows.map(row => indented(indent, row)), bare: false }
}

function shownName(tool: ToolCall, width: number, ellipsis: Ellipsis): ReturnType<typeof sanitize> {
  const name = oneLine(sanitizeExact(nameOf(tool)))
  if (width < NARROW) return truncate(name, Math.max(4, Math.floor(width / 3)), ellipsis)
  const cut = truncate(name, Math.floor(width / 2), ellipsis)
  const length = displayWidth(cut)
  return padTo(cut, length <= NAME_COLUMN ? NAME_COLUMN : length + 1)
}

/** The first facts, as many as fit. */
function fitting(facts: readonly Styled[], room: number): Styled {
  for (let count = facts.length; count > 0; count -= 1) {
    const joined = joinStyled(facts.slice(0, count), GAP)
    if (displayWidth(joined) + GAP.length <= room) return joined
  }
  return empty
}

function signOf(tool: ToolCall, { theme, now }: ToolContext): Styled {
  const { signs } = theme
  if (isAsked(tool)) return theme.warning(sanitize(signs.waiting))
  if (tool.steered && tool.state === 'not_run') return theme.dim(sanitize(signs.stopped))
  const looks: Record<ToolCall['state'], [Paint, string]> = {
    composing: [theme.dim, signs.waiting],
    waiting: [theme.dim, signs.waiting],
    running: [theme.running, spinner(signs.spinner, now)],
    ok: [theme.ok, signs.done],
    failed: [theme.failed, signs.failed],
    not_run: [theme.warning, signs.stopped],
    aborted: [theme.warning, signs.stopped],
  }
  const [paint, sign] = looks[tool.state]
  return paint(sanitize(sign))
}

/** The present frame of the spinner; all spinners share one phase. */
export function spinner(frames: readonly string[], now: number): string {
  return frames[Math.floor(now / 120) % frames.length] ?? ''
}
