/** The list of the board: a row for each conversation under the heading of its kind, and what is wrong with hosts. */
import type { BoardRow } from '../../../src/fleet/board-row.ts'
import type { BoardHost } from '../../../src/fleet/board-source.ts'
import { createColumns, type Column } from '../../../src/style/columns.ts'
import { GAP } from '../../../src/style/facts-line.ts'
import { drawn, joinStyled, spread, type Paint, type Styled } from '../../../src/style/styled.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { formatAge, formatCost, formatDuration } from '../../../src/text/format.ts'
import { truncate } from '../../../src/text/lines/shorten.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { oneLine, sanitize, type SafeText } from '../../../src/text/sanitize.ts'
import { stateSign } from '../../status/conversations.ts'
import { EDGE } from '../page-rows.ts'
import { groupOf, groups, type BoardEntry } from './entries.ts'

export type FolderLabel = (folder: string) => string

/** A row of the list. Only conversations can be selected. */
type ListedLine =
  | { kind: 'heading'; text: string }
  | { kind: 'host'; text: string }
  | { kind: 'entry'; index: number; entry: BoardEntry }

export type BoardList = {
  lines: readonly ListedLine[]
  draw: (line: ListedLine, isSelected: boolean) => Styled
}

type ListLook = { now: number; theme: Theme; width: number }

/** Columns that a title keeps before facts are dropped, and its share of a wide list. */
const LEAST_TITLE = 16
const TITLE_SHARE = 0.42
/** The longest column of facts. */
const MOST = 22

export function createBoardList(label: FolderLabel) {
  return (entries: readonly BoardEntry[], hosts: readonly BoardHost[], look: ListLook): BoardList => {
    const { theme, width } = look
    const room = Math.max(1, width - EDGE - 1)
    const facts = createColumns(entries, columnsFor(look, label), {
      room: Math.max(8, room - Math.max(LEAST_TITLE, Math.floor(room * TITLE_SHARE)) - 4 - GAP.length),
      ellipsis: theme.signs.ellipsis,
    })
    const named = facts.width > 0 ? room - facts.width - GAP.length : room
    return {
      lines: [...entryLines(entries), ...hostLines(hosts)],
      draw(line, isSelected) {
        if (line.kind === 'heading') return drawn`  ${theme.dim(sanitize(line.text))}`
        if (line.kind === 'host') return drawn`  ${theme.warning(oneLine(sanitize(line.text)))}`
        const { entry } = line
        const mark = isSelected ? theme.accent(sanitize(theme.signs.chosen)) : drawn` `
        const name = nameOf(entry, Math.max(1, named), theme, isSelected)
        const beside = entry.isStale ? theme.dim(facts.line(entry)) : factsOf(entry, facts.line(entry), theme)
        return drawn`${mark} ${spread(name, beside, room)}`
      },
    }
  }
}

function entryLines(entries: readonly BoardEntry[]): ListedLine[] {
  return groups.flatMap(group => {
    const own = entries.flatMap((entry, index): ListedLine[] =>
      groupOf(entry) === group ? [{ kind: 'entry', index, entry }] : [],
    )
    const heading: ListedLine = { kind: 'heading', text: `${group} ${own.length}` }
    return own.length === 0 ? [] : [heading, own].flat()
  })
}

/** One row for each host that something is wrong with. */
function hostLines(hosts: readonly BoardHost[]): ListedLine[] {
  return hosts
    .filter(({ state, problem }) => state !== 'connected' || problem !== '')
    .map(host => ({ kind: 'host', text: hostWords(host) }))
}

export function hostWords({ name, state, problem }: BoardHost): string {
  const words = {
    connecting: 'is being connected to',
    connected: 'is connected',
    lost: 'is lost',
    failed: 'cannot be asked',
  }
  // Most problems name the machine themselves.
  if (name !== '' && problem.includes(name)) return problem
  return `${name === '' ? 'This machine' : name} ${words[state]}${problem === '' ? '.' : `: ${problem}`}`
}

/** The sign, the title, and the last line if there is room. */
function nameOf(entry: BoardEntry, room: number, theme: Theme, isSelected: boolean): Styled {
  const { row } = entry
  const ellipsis = theme.signs.ellipsis
  const title = truncate(oneLine(sanitize(row.title || 'new conversation')), Math.max(1, room - 2), ellipsis)
  const isGrey = entry.isStale
  const paint: Paint = isGrey ? theme.dim : isSelected ? theme.selected : text => drawn`${text}`
  const left = room - 2 - displayWidth(title) - GAP.length
  const last = left < 12 ? sanitize('') : truncate(oneLine(sanitize(row.lastLine)), left, ellipsis)
  return joinStyled([drawn`${rowSign(row, theme, isGrey)} ${paint(title)}`, theme.dim(last)], last === '' ? '' : GAP)
}

/** What waits for an answer has its sign, whatever else it does. */
function rowSign(row: BoardRow, theme: Theme, isGrey: boolean): Styled {
  const state = row.questions.length > 0 ? 'asks' : row.state
  const { running, warning, ok, failed, dim } = theme
  const paints: Readonly<Record<BoardRow['state'], Paint>> = {
    starting: running,
    working: running,
    waiting: dim,
    asks: warning,
    done: ok,
    failed,
    idle: dim,
    resting: dim,
  }
  const sign = stateSign(state, theme)
  return (isGrey ? dim : paints[state])(sign === '' ? sanitize(' ') : sign)
}

function factsOf({ row }: BoardEntry, line: Styled, theme: Theme): Styled {
  return row.questions.length > 0 ? line : theme.dim(line)
}

/** In a narrow window only the time is left. */
function columnsFor({ now }: ListLook, label: FolderLabel): Column<BoardEntry>[] {
  return [
    { cell: ({ row }) => line(row.agent), rank: 4, most: 12 },
    // Where all are on one machine, this column is empty.
    { cell: ({ host }) => line(host.name), rank: 1, most: MOST },
    { cell: ({ row }) => line(folderName(row, label)), rank: 5, most: MOST },
    { cell: ({ row }) => line(row.branch ?? ''), rank: 6, most: MOST },
    { cell: ({ row }) => changedCell(row), rank: 3, isNumber: true },
    { cell: ({ row }) => costCell(row), rank: 2, isNumber: true },
    { cell: entry => timeCell(entry, now), rank: 0, isNumber: true },
  ]
}

/** A worktree is shown as the project that it was made from: the branch distinguishes them. */
function folderName({ folder, worktreeOf }: BoardRow, label: FolderLabel): string {
  return (
    label(worktreeOf ?? folder)
      .split(/[\\/]/)
      .findLast(name => name !== '') ?? folder
  )
}

function line(text: string): SafeText {
  return oneLine(sanitize(text))
}

function changedCell({ changes }: BoardRow): SafeText {
  return sanitize(changes && changes.files > 0 ? `+${changes.added} -${changes.removed}` : '')
}

function costCell({ costUsd }: BoardRow): SafeText {
  return costUsd === null || costUsd === 0 ? sanitize('') : formatCost(costUsd)
}

export function timeCell({ row }: BoardEntry, now: number): SafeText {
  const { since, state } = row
  if (since === null) return sanitize('')
  const isOpen = row.questions.length > 0 || state === 'working' || state === 'asks'
  return isOpen ? formatDuration(now - since) : formatAge(now - since)
}
