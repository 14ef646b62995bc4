/** The list of sessions: one a line, and of the chosen one how it began and ended. */
import { nameOf, type SessionRow } from '../state/session-rows.ts'
import type { SessionPicker } from '../state/picker.ts'
import { formatAge, formatCost } from '../text/format.ts'
import { oneLine, sanitize, type SafeText } from '../text/sanitize.ts'
import { truncate } from '../text/shorten.ts'
import { displayWidth, padTo } from '../text/width.ts'
import { createColumns, type Column, type Columns } from '../style/columns.ts'
import { matchPaints, positionsLeft, withMatches } from './matched.ts'
import { drawn, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'
import { keyFact, keysLine, ruleLine, windowOf } from '../style/window.ts'

export type SessionContext = {
  theme: Theme
  columns: number
  now: number
  /** What answers the last key, in place of the keys. */
  hint: string | null
}

type Session = SessionRow['session']

/** Rows of the list at most, and of what is told of the chosen one, below a rule. */
const MOST_ROWS = 10
const PREVIEW = 3
/** With less room than this there is the list alone. */
const ROOM_FOR_PREVIEW = 9

/** What stands below the title, in at most `room` lines. */
export function sessionLines(picker: SessionPicker, context: SessionContext, room: number): Styled[] {
  const { theme } = context
  const { sessions, found, selected, scope } = picker
  if (sessions === null) return [theme.dim(sanitize(`  reading ${theme.signs.ellipsis}`))]
  const preview = room >= ROOM_FOR_PREVIEW ? previewLines(found[selected], context) : []
  const { from, shown } = windowOf(found, selected, Math.max(1, Math.min(MOST_ROWS, room - 1 - preview.length)))
  const facts = factColumns(picker, context)
  const lines = shown.map((row, index) => sessionLine(row, from + index === selected, facts, context))
  if (found.length === 0) lines.push(theme.dim(sanitize(noneText(sessions.length, scope))))
  return [...lines, ...preview, sessionKeys(picker, context)]
}

function noneText(count: number, scope: SessionPicker['scope']): string {
  if (count > 0) return '  no session has this in it; Backspace widens the search'
  return scope === 'folder' ? '  no session of this folder is kept yet' : '  no session is kept yet'
}

function sessionKeys(
  { found, selected, sessions, scope }: SessionPicker,
  { theme, columns, hint }: SessionContext,
): Styled {
  if (hint !== null) return drawn`  ${truncate(oneLine(sanitize(hint)), columns - 2, theme.signs.ellipsis)}`
  const isForeign = found[selected]?.session.origin !== undefined
  const facts = [
    keyFact(`${found.length} of ${sessions?.length ?? 0}`, 5),
    keyFact('Enter selects', 0),
    keyFact(scope === 'folder' ? 'Ctrl+A all' : 'Ctrl+A this folder', 2),
    keyFact(isForeign ? 'read-only' : 'Ctrl+E renames', 3),
    keyFact(isForeign ? '' : 'Ctrl+D deletes', 4),
    keyFact('Esc cancels', 1),
  ]
  return keysLine(facts, { theme, columns })
}

function sessionLine(
  row: SessionRow,
  chosen: boolean,
  facts: Columns<SessionRow>,
  { theme, columns }: SessionContext,
): Styled {
  const { ellipsis, chosen: chosenSign, newline } = theme.signs
  const indent = Math.min(row.depth, 8) * 2
  const room = Math.max(4, columns - 7 - indent - facts.width)
  const whole = oneLine(sanitize(nameOf(row.session).trim()), newline)
  const name = truncate(whole, room, ellipsis)
  const positions = positionsLeft(row.positions, { whole, shown: name, mark: ellipsis })
  const shown = withMatches(name, positions, matchPaints(theme, chosen))
  const mark = chosen ? theme.accent(sanitize(chosenSign)) : drawn` `
  const below = sanitize(row.depth === 0 ? '' : `${' '.repeat(indent - 2)}${theme.signs.branch} `)
  const gap = sanitize(' '.repeat(Math.max(0, room - displayWidth(name))))
  return drawn`  ${mark} ${theme.dim(below)}${shown}${gap}   ${theme.dim(facts.line(row))}`
}

/** Columns that a name has in any case, as far as half of the screen goes. */
const LEAST_NAME = 30

/** What is told of each session, aligned in all of them. */
function factColumns({ found, scope, current }: SessionPicker, { now, theme, columns }: SessionContext) {
  const { ellipsis, atLeast } = theme.signs
  const most = Math.floor(columns / 5)
  const column = (rank: number, cell: (session: Session) => SafeText, isNumber = false): Column<SessionRow> => ({
    cell: ({ session }) => cell(session),
    rank,
    isNumber,
    most,
  })
  const ofWhom = ({ id, origin }: Session): string =>
    id === current ? 'this one' : origin === undefined ? '' : `of ${origin}`
  return createColumns(
    found,
    [
      column(1, session => sanitize(ofWhom(session))),
      column(2, ({ folder }) => oneLine(sanitize(scope === 'all' ? (folder.split(/[\\/]/).at(-1) ?? '') : ''))),
      column(5, ({ model }) => oneLine(sanitize(model))),
      column(4, ({ turns }) => sanitize(turns === 1 ? '1 turn ' : `${turns} turns`), true),
      column(3, session => costOf(session, atLeast), true),
      column(0, ({ at }) => formatAge(now - at)),
    ],
    { room: Math.max(0, columns - Math.min(LEAST_NAME, Math.floor(columns / 2)) - 7), ellipsis },
  )
}

function costOf({ costUsd, costIsPartial }: Session, atLeast: string): SafeText {
  return sanitize(costUsd > 0 ? `${costIsPartial ? atLeast : ''}${formatCost(costUsd)}` : '')
}

function previewLines(row: SessionRow | undefined, { theme, columns }: SessionContext): Styled[] {
  if (!row) return []
  const { title, firstPrompt, lastPrompt, lastAnswer, turns, parent } = row.session
  const isFork = parent !== null
  const told: [string, string][] = [
    ['began', title === '' && !(isFork && turns > 1) ? '' : firstPrompt],
    ['last', turns > 1 && !(isFork && title === '') ? lastPrompt : ''],
    ['answer', lastAnswer],
  ]
  const lines = told
    .filter(([, text]) => text !== '')
    .slice(0, PREVIEW)
    .map(([name, text]) => {
      const words = truncate(
        oneLine(sanitize(text), theme.signs.newline),
        Math.max(1, columns - 14),
        theme.signs.ellipsis,
      )
      return drawn`      ${theme.dim(drawn`${padTo(sanitize(name), 7)} ${words}`)}`
    })
  return lines.length === 0 ? [] : [ruleLine(theme, 4, columns), ...lines]
}
