/** The list of earlier sessions, with the beginning and the end of the selected one: resumes, renames and deletes them. */
import type { PickerApp, PickerRequest } from '../../src/app/pickers/pickers.ts'
import type { SessionSummary } from '../../src/conversation/queries/session/session-summary.ts'
import { hasFailed } from '../../src/conversation/queries/session/session-kind.ts'
import { sessionName, sessionRows, keptTitle, type SessionRow } from '../../src/state/pickers/session-rows.ts'
import { openPicker, type SessionPicker } from '../../src/state/pickers/picker.ts'
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

import type { PickerSpec } from './picker-spec.ts'

export const sessions: PickerSpec<'sessions'> = {
  title: ({ scope }) => (scope === 'folder' ? 'sessions' : 'sessions of all folders'),
  size: ({ found }) => found.length,
  filter: (picker, filter) => ({ ...picker, filter, selected: 0, found: sessionRows(picker.sessions ?? [], filter) }),
  rows: sessionList,
  letters: () => 'move',
  open,
  take,
  widen: (app, { filter, scope }) => open(app, { filter, scope: scope === 'folder' ? 'all' : 'folder' }),
  rename,
  remove,
}

function open(app: PickerApp, { filter = '', scope = 'folder', selected = 0 }: PickerRequest): void {
  const { sessions: kept, dispatch } = app.context
  if (!kept) return
  const current = kept.current().id
  const picker = { kind: 'sessions', scope, filter, selected, sessions: null, found: [], current } as const
  dispatch({ type: 'picker_changed', picker })
  void fill(app, kept, scope)
}

async function fill(
  { context, agentSessions }: PickerApp,
  from: NonNullable<PickerApp['context']['sessions']>,
  scope: SessionPicker['scope'],
): Promise<void> {
  let shown: readonly SessionSummary[] | null = null
  const showSome = (listed: readonly SessionSummary[]): void => {
    const picker = openPicker(context.state().picker, 'sessions')
    // The list may have been closed or replaced meanwhile.
    if (picker?.scope !== scope || picker.sessions !== shown) return
    shown = listed
    context.dispatch({ type: 'picker_changed', picker: withSessions(picker, listed) })
  }
  // Own sessions are shown before those of other programs are found.
  const all = await from.list(scope, own => own.length > 0 && showSome(own))
  showSome(all)
  // The agent may take a second to answer.
  const ofAgent = await agentSessions.list(scope, all)
  if (ofAgent.length > 0) showSome([...all, ...ofAgent].toSorted((a, b) => b.at - a.at))
}

/** Updates the list; the selected row stays selected, wherever it moves. */
function withSessions(picker: SessionPicker, listed: readonly SessionSummary[]): SessionPicker {
  const found = sessionRows(listed, picker.filter)
  // The top row is selected until the user chooses one.
  const chosen = picker.selected > 0 ? picker.found[picker.selected]?.session.id : undefined
  const at = chosen === undefined ? -1 : found.findIndex(({ session }) => session.id === chosen)
  const selected = at >= 0 ? at : Math.min(picker.selected, Math.max(0, found.length - 1))
  return { ...picker, sessions: listed, found, selected }
}

const chosenIn = ({ found, selected }: SessionPicker): SessionSummary | undefined => found[selected]?.session

function take({ context, resuming, agentSessions, choicePrompt }: PickerApp, picker: SessionPicker): void {
  const session = chosenIn(picker)
  if (session) {
    context.dispatch({ type: 'picker_changed', picker: null })
    const ofAgent = agentSessions.find(session.id)
    if (ofAgent) void resuming.openOfAgent(ofAgent)
    else void resuming.resume(session.id)
  }
  choicePrompt.askNext()
}

function rename(app: PickerApp, picker: SessionPicker): void {
  const { context, choicePrompt } = app
  const session = chosenIn(picker)
  if (!session) return
  if (session.origin !== undefined) return context.hint(readOnly(session.origin))
  const again = (): void => open(app, picker)
  const keep = { label: sessionName(session), detail: 'keeps its name', run: again }
  const run = (title: string): void => {
    if (context.sessions?.rename(session.id, keptTitle(context.redact(title)))) again()
    else context.hint(IN_USE)
  }
  choicePrompt.ask({ title: 'new name', answers: [keep], typed: { detail: 'renames it', run }, otherwise: again })
}

function remove(app: PickerApp, picker: SessionPicker): void {
  const { context, choicePrompt } = app
  const session = chosenIn(picker)
  if (!session) return
  if (session.origin !== undefined) return context.hint(readOnly(session.origin))
  const again = (): void => open(app, picker)
  const keep = { label: 'Keep it', detail: '', run: again }
  const drop = (): void => {
    if (context.sessions?.remove(session.id)) again()
    else context.hint(IN_USE)
  }
  const choices = [keep, { label: 'Delete it', detail: 'this cannot be undone', run: drop }]
  choicePrompt.ask({ title: `Delete "${sessionName(session).slice(0, 40)}"?`, answers: choices, otherwise: again })
}

function readOnly(owner: string): string {
  return `Read-only: the session belongs to ${owner}.`
}

const IN_USE = 'That session is open, here or in another zotui: nothing was changed.'

/** With fewer rows than this, the list has no preview. */
const ROOM_FOR_PREVIEW = 9

export function sessionList(
  picker: SessionPicker,
  { now, hint, keyNames }: Pick<AppState, 'now' | 'hint' | 'keyNames'>,
  theme: Theme,
): RowList {
  const { sessions: listed, found, selected } = picker
  return {
    selected,
    ...rowsOf(found, row => sessionRow(row, picker, now, theme)),
    none: sanitize(
      listed === null ? `reading ${theme.signs.ellipsis}` : noneText(listed.length, picker.scope, keyNames),
    ),
    layout: (rows, columns) => ({
      ...factsLayout(rows, sessionColumns(Math.floor(columns / 5)), { theme, columns }),
      about: all => (all >= ROOM_FOR_PREVIEW ? previewLines(found[selected], theme, columns) : []),
    }),
    keys: () => (listed === null ? [] : sessionKeys(picker, listed.length, keyNames)),
    hint: listed === null ? null : hint,
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
  return { name: oneLine(sanitize(sessionName(session).trim()), newline), positions, depth, facts, note: sanitize('') }
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
