/** Hints name the keys that are bound, whatever `keys.json` binds. */
import { describe, expect, test } from 'vitest'
import { createEditor } from '../../../src/composer/editor.ts'
import { startedShell } from '../../../src/conversation/shell.ts'
import { createDiffReader } from '../../../components/pages/diff/reading.ts'
import { diffRows } from '../../../components/pages/diff/rows.ts'
import { initialDiff, type DiffState } from '../../../components/pages/diff/state.ts'
import { allBindings, fullKeymap } from '../../../components/pages/keymap.ts'
import { announcementLines } from '../../../components/screen/announcements.ts'
import { linesOfLive } from '../../../components/regions.ts'
import { createScreen } from '../../../components/screen/screen.ts'
import { headerLines } from '../../../components/header/rows.ts'
import { createKeymap } from '../../../src/state/keymap.ts'
import type { ChoicePicker, HistoryPicker, ModelPicker, SessionPicker } from '../../../src/state/pickers/picker.ts'
import { promptEntry } from '../../../src/state/composer/queue-entry.ts'
import type { AppState } from '../../../src/state/state.ts'
import { keyed, type KeyNames } from '../../../src/text/key-hints.ts'
import { displayWidth, type Size } from '../../../src/text/lines/width.ts'
import { createHelpReader, helpRows } from '../../../components/pages/help/rows.ts'
import { rowsOfPage, type PageRows } from '../../../components/pages/page-rows.ts'
import { createTranscriptReader } from '../../../components/pages/transcript/reading.ts'
import { transcriptRows } from '../../../components/pages/transcript/rows.ts'
import { initialTranscript, type TranscriptOverlay } from '../../../components/pages/transcript/state.ts'
import { aborting, accepted, chatAfter, prompt, runsTool, started, step, type Told } from '../../conversation/events.ts'
import { models } from '../../golden/shots.ts'
import { textsOf } from '../../helpers/lines.ts'
import { callContent, question } from '../question/sample.ts'
import { commands, startup, stateWith, theme, withChat, withDraft } from '../stage.ts'

const withKeys = (rename: (key: string) => readonly string[]): KeyNames =>
  createKeymap(allBindings.map(row => Object.assign({}, row, { keys: row.keys.flatMap(rename) }))).names

/** Every key has a longer name than by default. */
const rebound = withKeys(key => [`ctrl+alt+shift+${key}`])
const unbound = withKeys(() => [])
/** A key as it is named by default. */
const DEFAULT =
  /(?<![\w+])(?:Enter|Esc|Tab|Space|Backspace|PageUp|PageDown|End|Up|Down|Left|Right|Alt\+\S+|Shift\+\S+|Ctrl\+(?!Alt\+Shift\+)\S+)(?!\w)/

const during = (...events: readonly Told[]): AppState => withChat(chatAfter(started, prompt('go'), ...events))
const silent = (state: AppState): AppState => ({ ...state, now: state.now + 21_000 })
const shell = startedShell({ type: 'shell_started', at: 0, command: 'x', shared: true })
const chat = chatAfter(started)
const choice: ChoicePicker = {
  kind: 'choice',
  title: 'pick',
  filter: '',
  selected: 0,
  choices: Array.from({ length: 20 }, (_, at) => ({ label: `choice ${at}`, detail: '' })),
  dismissOnType: false,
  typed: null,
  isSecret: false,
}
const history: HistoryPicker = { kind: 'history', scope: 'folder', filter: '', selected: 0, prompts: [], found: [] }
const modelPicker: ModelPicker = { kind: 'models', ofOtherProvider: false, filter: '', selected: 0, models }
const sessions: SessionPicker = {
  kind: 'sessions',
  scope: 'folder',
  filter: '',
  selected: 0,
  sessions: [],
  found: [],
  current: '',
}
const long = question({ content: callContent({ command: 'echo\n'.repeat(60) }, { others: ['edit a'] }) })
const typed = question({ typed: { label: 'Instead', editor: createEditor('x') } })
const modeAsked = question({ content: { kind: 'mode', folder: '/x', call: 'bash make', isMore: false }, answers: [] })

type Draw = (state: AppState, size: Size) => readonly string[]

const live: Draw = (state, size) => textsOf(linesOfLive(createScreen(theme, () => commands).draw(state, size).live))
const header: Draw = (state, { columns }) => textsOf(headerLines(state, theme, columns))
const pages =
  (page: (state: AppState, size: Size) => PageRows): Draw =>
  (state, size) =>
    textsOf(rowsOfPage(page(state, size)))
const transcript = (overlay: TranscriptOverlay | null): Draw =>
  pages((state, size) => {
    const read = createTranscriptReader(() => null as never)
    return transcriptRows(read({ ...initialTranscript, overlay }, state, { theme, size, keys: [] }))
  })
const diff = (changes: Partial<DiffState> = {}): Draw =>
  pages((state, size) =>
    diffRows(createDiffReader()({ ...initialDiff(), ...changes }, state, { theme, size, keys: [] })),
  )
const help = pages((state, size) => {
  const rows = Array.from({ length: 60 }, (_, at) => [`${at}`, 'x'] as const)
  const read = createHelpReader({ kind: 'keys', sections: [{ title: 'x', of: 'key', rows }] })
  return helpRows(read({ from: 0 }, state, { theme, size, keys: [] }))
})
const spoken: Draw = state => announcementLines(stateWith({ keyNames: state.keyNames }), state, { theme, commands })

/** The places in which hints are drawn, and hints that stand there, with gaps. */
const places: readonly (readonly [place: string, draw: Draw, state: AppState, ...hints: string[]])[] = [
  ['the header', header, stateWith(), '{composer.submit} sends', '{composer.stop} stops'],
  ['a turn', live, during(accepted, step(1)), '{composer.stop} stops'],
  ['a turn and a draft', live, withDraft('x', { chat: during(accepted).chat }), '{composer.submit} queues'],
  ['silence', live, silent(during(accepted, step(1))), '{composer.stop} stops, then {composer.interrupt} kills it'],
  ['an overdue abort', live, during(accepted, aborting, { type: 'abort_overdue' }), '{composer.interrupt} kills it'],
  [
    'a command of the agent',
    live,
    withChat({ ...during(accepted, step(1), ...runsTool('a', 'bash')).chat, permissionMode: 'ask' }),
    '{composer.list_running} lists what runs',
  ],
  ['a command of the user', live, withChat({ ...chat, shell }), '{composer.stop} stops it'],
  ['the end', live, stateWith({ leaving: 'ending' }), '{composer.interrupt} ends at once'],
  [
    'the queue',
    live,
    stateWith({ queue: { entries: [promptEntry('first')], paused: true } }),
    '1 paused   {composer.submit} sends it, {composer.queue_previous} edits',
  ],
  ['the popup', live, withDraft('/'), '{popup.up} and {popup.down} choose   {popup.take} completes'],
  ['a list', live, stateWith({ picker: choice }), '{picker.up} and {picker.down} choose   {picker.take} selects'],
  ['an empty list', live, stateWith({ picker: { ...choice, choices: [] } }), '; {picker.erase} widens the search'],
  ['earlier prompts', live, stateWith({ picker: history }), '{picker.widen} searches all folders'],
  ['models', live, stateWith({ picker: modelPicker }), '{picker.take} selects   {picker.close} cancels'],
  [
    'sessions',
    live,
    stateWith({ picker: sessions }),
    '{picker.widen ctrl+a} all   {picker.rename} renames   {picker.remove} deletes   {picker.close} cancels',
  ],
  ['/keys debug', live, stateWith({ watched: [] }), '{composer.interrupt} ends it.'],
  ['an answer', live, stateWith({ question: question() }), '6 Edit the command first        {question.edit_command}'],
  ['a question', live, stateWith({ question: question() }), '{question.take} selects   {question.next_mode} next mode'],
  ['a long question', live, stateWith({ question: long }), 'lines, {question.page_down} shows them'],
  ['several questions', live, stateWith({ question: long }), '{question.previous}, {question.next}: the others'],
  [
    'a typed answer',
    live,
    stateWith({ question: typed }),
    '{typed.question_take} confirms   {typed.question_leave} cancels',
  ],
  ['the first mode', live, stateWith({ question: modeAsked }), '{composer.next_mode} switches the mode'],
  [
    'the viewer',
    transcript(null),
    stateWith(),
    '{viewer.search} search   {viewer.turns} turns   {viewer.toggle} opens   {viewer.copy} copies',
    '{viewer.help} keys   {viewer.close} closes',
  ],
  ['its keys', transcript({ kind: 'help', from: 0 }), stateWith(), '{viewer.up up}, {viewer.down down} scroll'],
  [
    'its turns',
    transcript({ kind: 'turns', filter: '', selected: 0 }),
    stateWith(),
    '{viewer.toggle enter} opens   type to search   {viewer.leave escape} closes',
  ],
  [
    'the changes',
    diff(),
    stateWith(),
    '{diff.show} opens   {diff.seen} read   {diff.tree} tree   {diff.search} search   {diff.edit} editor   {diff.help} keys',
  ],
  ['their keys', diff({ help: 0 }), stateWith(), '{diff.leave escape} closes'],
  ['the help', help, stateWith(), '{viewer.up up}, {viewer.down down} scroll', '{viewer.leave escape} closes'],
  [
    'a list, read aloud',
    spoken,
    stateWith({ picker: choice }),
    'Number and {picker.take}, {picker.up} and {picker.down},',
  ],
  ['a popup, read aloud', spoken, withDraft('/'), '{popup.take} lists them.'],
  [
    'a question, read aloud',
    spoken,
    stateWith({ question: question() }),
    'Number, or {question.up} and {question.down}',
  ],
  ['/keys debug, read aloud', spoken, stateWith({ watched: [] }), '{composer.interrupt} ends it.'],
]

const wide = { columns: 400, rows: 40 }

describe.each(places.map(([place, draw, state, ...hints]) => ({ place, draw, state, hints })))('$place', row => {
  const { draw, state, hints } = row
  const drawn = (keyNames: KeyNames, size: Size): string => draw({ ...state, keyNames }, size).join('\n')

  test.each(hints)('names the keys of "%s"', hint => {
    expect(drawn(fullKeymap.names, wide)).toContain(keyed(fullKeymap.names, hint))
    expect(drawn(rebound, wide)).toContain(keyed(rebound, hint))
  })

  test('names no other key where all keys are others, or none is bound', () => {
    expect(DEFAULT.exec(drawn(rebound, wide))?.[0]).toBeUndefined()
    expect(DEFAULT.exec(drawn(unbound, wide))?.[0]).toBeUndefined()
    expect(drawn(unbound, wide)).not.toMatch(/[{}]|null|undefined/)
  })

  test.each([40, 80, 120])('fits into %i columns where the names of keys are long', columns => {
    const lines = draw === spoken ? [] : draw({ ...state, keyNames: rebound }, { columns, rows: 24 })
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
  })
})

test('/keys debug names the key that cannot be unbound where no other one ends it', () => {
  const names = new Map([...unbound, ['composer.force_quit', ['ctrl+\\']] as const])
  expect(live(stateWith({ watched: [], keyNames: names }), wide).join('\n')).toContain('Ctrl+\\ ends zotui.')
})

test('the keys of a replay are its own', () => {
  const state = stateWith({ startup: { ...startup, isReplay: true }, keyNames: rebound })
  expect(header(state, wide)).toContain('  Space pauses   q leaves   Right: one step   End to the end')
})
