/**
 * The tree of a session: its forks and rewinds, its side questions, and the conversations that were begun from it, each with its prompt
 * and outcome. Shows one in the viewer, or goes on from it.
 */
import type { PickerApp } from '../../src/app/pickers/pickers.ts'
import { hasFailed } from '../../src/conversation/queries/session/session-kind.ts'
import type { SessionSummary } from '../../src/conversation/queries/session/session-summary.ts'
import { openPicker, type TreePicker } from '../../src/state/pickers/picker.ts'
import { sessionName } from '../../src/state/pickers/session-rows.ts'
import { treeRows, type SessionOrigin, type FamilyRow } from '../../src/state/pickers/tree-rows.ts'
import type { AppState } from '../../src/state/state.ts'
import { keyFact } from '../../src/style/list-window.ts'
import type { Theme } from '../../src/style/theme.ts'
import { counted } from '../../src/text/counted.ts'
import { formatAge } from '../../src/text/format.ts'
import { keyed } from '../../src/text/key-hints.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { agedLayout, rowsOf, type ListRow, type RowList } from './list.ts'
import type { PickerSpec } from './picker-spec.ts'

export const tree: PickerSpec<'tree'> = {
  title: () => 'tree of this session',
  size: ({ rows }) => rows?.length ?? 0,
  filter: picker => picker,
  rows: treeList,
  isIncomplete: ({ rows }) => rows === null,
  letters: () => 'act',
  open: app => void open(app),
  take: ({ pages }, picker) => show(pages, chosenIn(picker)),
  press: (app, picker, letter) => (letter === 'g' ? continueFrom(app, chosenIn(picker)) : undefined),
}

const chosenIn = ({ rows, selected }: TreePicker): FamilyRow | undefined => rows?.[selected]

async function open({ context }: PickerApp): Promise<void> {
  const { sessions, dispatch, hint, state } = context
  if (!sessions) return
  const { id, parent, isStored } = sessions.current()
  // A fork has no file before its first prompt: the tree of its parent is shown.
  const start = isStored() ? id : parent?.id
  if (start === undefined) return hint('This session has no prompt yet.')
  sessions.flush()
  dispatch({ type: 'picker_changed', picker: { kind: 'tree', filter: '', selected: 0, rows: null, current: id } })
  const rows = treeRows(await sessions.list('all'), start)
  const shown = openPicker(state().picker, 'tree')
  if (!shown || shown.rows !== null) return
  const selected = Math.max(
    0,
    rows.findIndex(row => row.kind === 'session' && row.session.id === start),
  )
  dispatch({ type: 'picker_changed', picker: { ...shown, rows, selected } })
}

function show(pages: PickerApp['pages'], row: FamilyRow | undefined): void {
  if (!row) return
  if (row.kind === 'session') return pages.open('transcript', { session: row.session.id, place: null, words: '' })
  pages.open('transcript', { session: row.of.id, place: { at: row.side.at, call: null }, words: '' })
}

/** Resumes a session; a side question comes into the composer, to be asked again. */
function continueFrom({ context, resuming, composing, choicePrompt }: PickerApp, row: FamilyRow | undefined): void {
  if (!row) return
  context.dispatch({ type: 'picker_changed', picker: null })
  if (row.kind === 'session') void resuming.resume(row.session.id)
  else composing.replaceDraft(`/btw ${row.side.question}`)
  choicePrompt.askNext()
}

export function treeList(
  { rows, selected, current }: TreePicker,
  { now, hint, keyNames }: Pick<AppState, 'now' | 'hint' | 'keyNames'>,
  theme: Theme,
): RowList {
  const all = rows ?? []
  return {
    selected,
    ...rowsOf(all, row => listRow(row, current, now, theme)),
    none: sanitize(rows === null ? `reading ${theme.signs.ellipsis}` : 'this session is not saved yet'),
    layout: (shown, columns) => agedLayout(shown, textsAbout(all[selected]), { theme, columns }),
    keys: () => [
      keyFact(keyed(keyNames, '{picker.take} shows'), 0),
      keyFact(all[selected]?.kind === 'side' ? 'g asks again' : 'g goes on from there', 2),
      keyFact(keyed(keyNames, '{picker.close} closes'), 1),
    ],
    hint: rows === null ? null : hint,
  }
}

function listRow(row: FamilyRow, current: string, now: number, theme: Theme): ListRow {
  const base = { positions: [], depth: row.depth, note: sanitize('') }
  const { newline } = theme.signs
  if (row.kind === 'side') {
    const { question, outcome, at } = row.side
    const facts = [sanitize('side question'), sanitize(OUTCOMES[outcome]), formatAge(now - at)]
    return { ...base, name: oneLine(sanitize(question.trim()), newline), facts }
  }
  const { session, from } = row
  const way = session.id === current ? 'this one' : wayOf(from)
  const facts = [sanitize(way), sanitize(outcomeOf(session)), formatAge(now - session.at)]
  return { ...base, name: oneLine(sanitize(sessionName(session).trim()), newline), facts }
}

const OUTCOMES = { done: 'answered', stopped: 'stopped', failed: 'failed' } as const

function wayOf(from: SessionOrigin): string {
  if (from.way === 'root') return 'the beginning'
  if (from.way === 'spawned') return 'spawned'
  if (from.turn === null) return 'fork'
  return from.way === 'rewind' ? `rewound to turn ${from.turn + 1}` : `fork after turn ${from.turn}`
}

function outcomeOf(session: SessionSummary): string {
  if (session.isFailing || hasFailed(session)) return session.turns === 0 ? 'no turn' : 'failed'
  return counted(session.turns, 'turn')
}

function textsAbout(row: FamilyRow | undefined): [string, string][] {
  if (!row) return []
  return row.kind === 'side'
    ? [
        ['asked', row.side.question],
        ['answer', row.side.answer],
      ]
    : [
        ['prompt', row.session.lastPrompt],
        ['answer', row.session.lastAnswer],
      ]
}
