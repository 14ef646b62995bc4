/** The list of the marked places of all sessions: opens them in the viewer, renames and removes them. */
import type { PickerApp, PickerRequest } from '../../src/app/pickers/pickers.ts'
import { marksWith, type MarkRow } from '../../src/state/pickers/mark-rows.ts'
import { openPicker, type MarkPicker } from '../../src/state/pickers/picker.ts'
import { sessionName } from '../../src/state/pickers/session-rows.ts'
import type { AppState } from '../../src/state/state.ts'
import { countOf, keyFact } from '../../src/style/list-window.ts'
import type { Theme } from '../../src/style/theme.ts'
import { formatAge } from '../../src/text/format.ts'
import { keyed } from '../../src/text/key-hints.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { wordPositions } from '../../src/composer/filter.ts'
import { agedLayout, nameOf, rowsOf, type ListRow, type RowList } from './list.ts'
import type { PickerSpec } from './picker-spec.ts'

export const marks: PickerSpec<'marks'> = {
  title: () => 'marks',
  size: ({ found }) => found.length,
  filter: (picker, filter) => ({ ...picker, filter, selected: 0, found: marksWith(filter, picker.marks) }),
  rows: markList,
  letters: () => 'search',
  open: (app, request) => void open(app, request),
  take({ pages }, { found, selected }) {
    const row = found[selected]
    if (!row) return
    const { place } = row.mark
    pages.open('transcript', { session: place.session, place, words: '' })
  },
  rename,
  remove,
}

async function open({ context }: PickerApp, { filter = '', selected = 0 }: PickerRequest): Promise<void> {
  const { marks: kept, sessions, dispatch, hint, state } = context
  if (!kept || !sessions) return
  const all = kept.all()
  if (all.length === 0) return hint(context.keyed('There are no marks yet: {viewer.mark} in the viewer marks a place.'))
  const rows: readonly MarkRow[] = all.map(mark => ({ mark, session: undefined }))
  const picker = { kind: 'marks', filter, selected, marks: rows, found: marksWith(filter, rows) } as const
  dispatch({ type: 'picker_changed', picker })
  // The names of the sessions come later.
  const byId = new Map((await sessions.list('all')).map(session => [session.id, session]))
  const shown = openPicker(state().picker, 'marks')
  if (shown?.marks !== rows) return
  const named = rows.map(({ mark }) => ({ mark, session: byId.get(mark.place.session) }))
  dispatch({ type: 'picker_changed', picker: { ...shown, marks: named, found: marksWith(shown.filter, named) } })
}

function rename(app: PickerApp, picker: MarkPicker): void {
  const { context, choicePrompt } = app
  const mark = picker.found[picker.selected]?.mark
  if (!mark) return
  const again = (): void => void open(app, picker)
  const keep = { label: mark.word === '' ? 'no words' : mark.word, detail: 'keeps its words', run: again }
  const run = (word: string): void => {
    if (context.marks?.rename(mark, context.redact(word))) again()
    else context.hint(UNSAVED)
  }
  choicePrompt.ask({
    title: 'words for the mark',
    answers: [keep],
    typed: { detail: 'marks it so', run },
    otherwise: again,
  })
}

function remove(app: PickerApp, picker: MarkPicker): void {
  const { context } = app
  const mark = picker.found[picker.selected]?.mark
  if (!mark) return
  if (!context.marks?.remove(mark)) return context.hint(UNSAVED)
  const left = picker.marks.filter(row => row.mark.id !== mark.id)
  const found = marksWith(picker.filter, left)
  const selected = Math.max(0, Math.min(picker.selected, found.length - 1))
  context.dispatch({
    type: 'picker_changed',
    picker: left.length === 0 ? null : { ...picker, marks: left, found, selected },
  })
  context.hint('Removed the mark.')
}

const UNSAVED = 'The mark cannot be saved: it stays as it was.'

export function markList(
  { marks: all, found, selected, filter }: MarkPicker,
  { now, hint, keyNames }: Pick<AppState, 'now' | 'hint' | 'keyNames'>,
  theme: Theme,
): RowList {
  return {
    selected,
    ...rowsOf(found, row => markRow(row, filter, now, theme)),
    none: sanitize('no matching marks'),
    layout: (rows, columns) => agedLayout(rows, textsAbout(found[selected]), { theme, columns }),
    keys: () => [
      keyFact(countOf(found.length, all.length, 'mark'), 4),
      keyFact(keyed(keyNames, '{picker.take} opens'), 0),
      keyFact(keyed(keyNames, '{picker.rename} renames'), 2),
      keyFact(keyed(keyNames, '{picker.remove} removes'), 3),
      keyFact(keyed(keyNames, '{picker.close} closes'), 1),
    ],
    hint,
  }
}

function markRow({ mark, session }: MarkRow, filter: string, now: number, { signs }: Theme): ListRow {
  const words = mark.word === '' ? mark.line : mark.word
  const facts = [
    oneLine(sanitize(session ? sessionName(session).trim() : ''), signs.newline),
    oneLine(sanitize(session?.folder.split(/[\\/]/).at(-1) ?? '')),
    formatAge(now - mark.madeAt),
  ]
  return { ...nameOf(words, wordPositions(words, filter), signs.newline), depth: 0, facts, note: sanitize('') }
}

function textsAbout(row: MarkRow | undefined): [string, string][] {
  if (!row) return []
  const { mark, session } = row
  return [
    ['there', mark.line],
    ['session', session ? sessionName(session).trim() : ''],
    ['folder', session?.folder ?? ''],
  ]
}
