/** The list of sessions, with the beginning and the end of the selected one. */
import { hasFailed } from '../../src/conversation/queries/session/session-kind.ts'
import { nameOf, type SessionRow } from '../../src/state/pickers/session-rows.ts'
import type { SessionPicker } from '../../src/state/pickers/picker.ts'
import type { AppState } from '../../src/state/state.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { formatAge, formatCost } from '../../src/text/format.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import type { Column } from '../../src/style/columns.ts'
import type { Fact } from '../../src/style/facts-line.ts'
import type { Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { countOf, keyFact } from '../../src/style/list-window.ts'
import { aboutLines, factsLayout, rowsOf, widening, type RowList, type ListRow } from './list.ts'

/** With fewer rows than this, the list has no preview. */
const ROOM_FOR_PREVIEW = 9

export function sessionList(
  picker: SessionPicker,
  { now, hint, keyNames }: Pick<AppState, 'now' | 'hint' | 'keyNames'>,
  theme: Theme,
): RowList {
  const { sessions, found, selected } = picker
  return {
    selected,
    ...rowsOf(found, row => sessionRow(row, picker, now, theme)),
    none: sanitize(
      sessions === null ? `reading ${theme.signs.ellipsis}` : noneText(sessions.length, picker.scope, keyNames),
    ),
    layout: (rows, columns) => ({
      ...factsLayout(rows, sessionColumns(Math.floor(columns / 5)), { theme, columns }),
      about: all => (all >= ROOM_FOR_PREVIEW ? previewLines(found[selected], theme, columns) : []),
    }),
    keys: () => (sessions === null ? [] : sessionKeys(picker, sessions.length, keyNames)),
    hint: sessions === null ? null : hint,
  }
}

function noneText(count: number, scope: SessionPicker['scope'], names: KeyNames): string {
  if (count > 0) return `no matching sessions${widening(names)}`
  return scope === 'folder' ? 'no sessions in this folder yet' : 'no sessions yet'
}

function sessionKeys({ found, selected, scope }: SessionPicker, count: number, names: KeyNames): Fact[] {
  const key = (hint: string, rank: number): Fact => keyFact(keyed(names, hint), rank)
  const isForeign = found[selected]?.session.origin !== undefined
  return [
    keyFact(countOf(found.length, count, 'session'), 5),
    key('{picker.take} selects', 0),
    key(`{picker.widen ctrl+a} ${scope === 'folder' ? 'all' : 'this folder'}`, 2),
    key(isForeign ? 'read-only' : '{picker.rename} renames', 3),
    key(isForeign ? '' : '{picker.remove} deletes', 4),
    key('{picker.close} cancels', 1),
  ]
}

/** The facts of a session: owner, folder, model, turns, cost and age. */
const sessionColumns = (most: number): Omit<Column<ListRow>, 'cell'>[] => [
  { rank: 1, most },
  { rank: 2, most },
  { rank: 5, most },
  { rank: 4, most, isNumber: true },
  { rank: 3, most, isNumber: true },
  { rank: 0, most },
]

function sessionRow(
  row: SessionRow,
  { scope, current }: SessionPicker,
  now: number,
  { signs: { newline, atLeast } }: Theme,
): ListRow {
  const { session, positions, depth } = row
  const { id, origin, folder, model, turns, costUsd, costIsPartial, at } = session
  const whose = id === current ? 'this one' : origin === undefined ? leftOutBecause(session) : `of ${origin}`
  const facts = [
    sanitize(whose),
    oneLine(sanitize(scope === 'all' ? (folder.split(/[\\/]/).at(-1) ?? '') : '')),
    oneLine(sanitize(model)),
    sanitize(turns === 1 ? '1 turn ' : turns === 0 && origin !== undefined ? '' : `${turns} turns`),
    sanitize(costWords(costUsd, costIsPartial ? atLeast : '')),
    at === 0 ? sanitize('') : formatAge(now - at),
  ]
  return { name: oneLine(sanitize(nameOf(session).trim()), newline), positions, depth, facts, note: sanitize('') }
}

/** Why `--continue` passes it over; '' if it does not. */
function leftOutBecause(session: SessionRow['session']): string {
  if (hasFailed(session)) return session.turns === 0 ? '' : 'failed'
  return session.shownAt === undefined && session.kind !== undefined ? KINDS[session.kind] : ''
}

const KINDS = { print: 'of -p', background: 'background', spawned: 'spawned' } as const

function costWords(costUsd: number | null, atLeast: string): string {
  if (costUsd === null) return 'cost unknown'
  return costUsd > 0 ? `${atLeast}${formatCost(costUsd)}` : ''
}

function previewLines(row: SessionRow | undefined, theme: Theme, columns: number): Styled[] {
  if (!row) return []
  const { title, firstPrompt, lastPrompt, lastAnswer, turns, parent } = row.session
  const isFork = parent !== null
  const texts: [string, string][] = [
    ['began', title === '' && !(isFork && turns > 1) ? '' : firstPrompt],
    ['last', turns > 1 && !(isFork && title === '') ? lastPrompt : ''],
    ['answer', lastAnswer],
  ]
  return aboutLines(texts, 14, { theme, columns })
}
