/** The lines for people who use a screen reader: each thing once, and nothing that only fills columns. */
import { describe, expect, test } from 'vitest'
import type { Model } from '../../../src/agent/backend.ts'
import { defaultKeymap } from '../../../src/state/keymap.ts'
import { pickerTable } from '../../../components/picker/table.ts'
import { reduceApp, reducerWith } from '../../../src/state/reduce.ts'
import { sessionRows } from '../../../src/state/pickers/session-rows.ts'
import { emptySummary } from '../../../src/storage/sessions/summary.ts'
import { initialState, type AppState } from '../../../src/state/state.ts'
import type { ListedModel, ModelPicker } from '../../../src/state/pickers/picker.ts'
import { reportText } from '../../../src/doctor/finding.ts'
import { renderItem } from '../../../src/transcript/entries.ts'
import { panels } from '../../../components/layout.ts'
import { announcementLines, speaking } from '../../../components/screen/announcements.ts'
import { headerLines } from '../../../components/header/rows.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { calls, ended, returns, step, stops, turnOf, type Told } from '../../conversation/events.ts'
import { bash, drawn } from '../../tools/samples.ts'
import { textsOf } from '../../helpers/lines.ts'
import { withDraft } from '../stage.ts'

const theme = createTheme(0, { unicode: false, isSpoken: true })
const context = { theme, columns: 80, commands: [] }
const empty = {
  ...initialState({ version: '1', folder: '~/project', branch: 'main', demo: false }, 0),
  keyNames: defaultKeymap.names,
}

const model = (id: string, provider: string): ListedModel => ({ ...template, id, provider })
const template: Model = { provider: '', id: '', contextWindow: 200_000, maxOutput: null, reasoning: false }
const opened: ModelPicker = { kind: 'models', ofOtherProvider: false, filter: '', selected: 0, models: null }

/** The announcement of each of these states after the one before. */
function said(...states: readonly AppState[]): string[][] {
  return states.slice(1).map((state, index) => announcementLines(states[index] ?? state, state, context))
}

const withPicker = (picker: ModelPicker): AppState => reduceApp(empty, { type: 'picker_changed', picker })
const listed = (state: AppState, models: readonly ListedModel[], awaitsMore: boolean): AppState =>
  reducerWith(pickerTable.follow)(state, { type: 'models_listed', models, awaitsMore })

const own = [model('large', 'one'), model('small', 'one')]
const all = [model('other', 'two'), ...own]

const found = (...paths: string[]): AppState => ({
  ...withDraft('look at @o'),
  files: { query: 'o', found: paths.map(path => ({ path, positions: [] })) },
})

test('completions are announced once there is a choice, also where files are found one after the other', () => {
  const states = [found(), found('one.txt'), found('one.txt', 'other.txt'), found('one.txt', 'other.txt', 'off.txt')]
  expect(said(...states)).toEqual([[], ['2 to choose from. Tab lists them.'], []])
})

describe('the announced list of models', () => {
  test('is read once, when the models of other providers have arrived', () => {
    for (const every of [all, own]) {
      const open = withPicker(opened)
      const part = listed(open, own, true)
      const [first, second, third] = said(empty, open, part, listed(part, every, false))
      expect(first?.slice(0, 2)).toEqual(['model', 'asking the agent ...'])
      expect(second).toEqual([])
      expect(third).toHaveLength(every.length + 1)
      expect(third?.[0]).toMatch(/^1\. /)
    }
  })
  test('says what a model of another provider means, if there are some', () => {
    const agent = { ...empty.chat.agent, phase: 'ready', provider: 'one' } as const
    const used = { ...empty, chat: { ...empty.chat, agent } }
    const open = reduceApp(used, { type: 'picker_changed', picker: opened })
    const words = 'A model of another provider starts a new agent, which gets the conversation.'
    expect(said(open, listed(open, all, false))[0]).toContain(words)
    expect(said(open, listed(open, own, false))[0]).not.toContain(words)
  })

  test('is read once, even if it is filtered before it is complete', () => {
    const open = withPicker(opened)
    const part = listed(open, own, true)
    const filtered = reduceApp(part, {
      type: 'picker_changed',
      picker: { ...opened, models: own, awaitsMore: true, filter: 'small' },
    })
    const [, , third, fourth] = said(empty, open, part, filtered, listed(filtered, all, false))
    expect(third).toEqual(['model, small'])
    expect(fourth?.[0]).toMatch(/^1\. small/)
  })
  test('announces the row that is chosen meanwhile', () => {
    const part = listed(withPicker(opened), own, true)
    const moved = reduceApp(part, {
      type: 'picker_changed',
      picker: { ...opened, models: own, awaitsMore: true, selected: 1 },
    })
    expect(said(part, moved)).toEqual([[expect.stringMatching(/^2\. small/)]])
  })
})

test('every row of the list of sessions that is read is a session, and a fork is said', () => {
  const sessions = Array.from({ length: 12 }, (_, at) => ({
    ...emptySummary(`${at}`),
    firstPrompt: `ask ${at}`,
    lastPrompt: `ask ${at}`,
    lastAnswer: 'an answer',
    turns: 2,
    parent: at === 1 ? { id: '0', turn: 1 } : null,
  }))
  const found = sessionRows(sessions, '')
  const picker = { kind: 'sessions', scope: 'folder', filter: '', selected: 0, sessions, found, current: '0' } as const
  const [lines = []] = said(empty, reduceApp(empty, { type: 'picker_changed', picker }))
  expect(lines.slice(0, 3)).toEqual([
    'sessions',
    expect.stringMatching(/^1\. ask 0, this one, 2 turns/),
    expect.stringMatching(/^2\. ask 1, fork, 2 turns/),
  ])
  expect(lines.slice(1, -1).every((line, at) => line.startsWith(`${at + 1}. ask ${at}`))).toBe(true)
  expect(lines.at(-1)).toContain('10 of 12 are read')
})

const title = (events: readonly Told[], width = 80): string[] => drawn(events, { width, theme })
const long = Array.from({ length: 20 }, (_, index) => `word${index}`).join(' ')

describe('the announced title of a call', () => {
  test('has its facts after the command, however many rows that takes', () => {
    expect(title(bash('npm test', '', '[exit 1]  Took 1.5s', true))).toEqual(['x bash npm test, exit 1, 1.5s'])
    const rows = title(bash(`echo ${long}`, '', '[exit 0]  Took 1.5s'))
    expect(rows.join(' ')).toBe(`* bash echo ${long}, 1.5s`)
  })
  test('has its facts in a row of their own if there is no room', () => {
    const words = 'x'.repeat(70)
    expect(title(bash(words, '', '[exit 0]  Took 1.5s'))).toEqual([`* bash ${words}`, '1.5s'])
  })
  test('is one line if only names are shown', () => {
    const rows = drawn(bash(`echo ${long}`, 'x', '[exit 1]  Took 1.5s', true), { width: 60, theme, detail: 'names' })
    expect(rows).toEqual([expect.stringMatching(/^x bash echo word0 .*, exit 1, 1\.5s$/)])
  })
})

describe('padding is not read aloud', () => {
  const padding = /\S {2,}/
  test('in the header, at the end of a turn, and in what the doctor found', () => {
    const paths = Array.from({ length: 12 }, (_, index) => `src/a-folder/file${index}.ts`)
    const turn = turnOf(
      step(1),
      ...paths.map((path, index) => calls(`w${index}`, 'write', { path, content: 'x\n' })),
      stops('tool_use'),
      ...paths.map((_path, index) => returns(`w${index}`, 'x\n')),
      ended,
    )
    const header = headerLines(empty, theme, 80)
    const end = renderItem(
      { kind: 'turn_end', turn },
      { theme, markdown: theme.markdown, width: 80, takesCommands: true },
    )
    const report = reportText(
      [{ title: 'Agent', findings: [{ name: 'zot', state: 'ok', found: '1.0', so: '' }] }],
      80,
      true,
    )
    expect(report).toBe('Agent\n  ok, zot: 1.0')
    for (const { text } of [...header, ...end]) expect(text).not.toMatch(padding)
    // All names are read, in as many rows as they take.
    expect(textsOf(end).join(' ')).toContain('file11.ts')
    expect(textsOf(end).join('')).not.toContain('...')
  })
})

/** A turn whose list of two steps has so many done. */
function atStep(done: number): AppState {
  const entries = ['read', 'write'].map((text, index) => ({
    text,
    status: index < done ? ('completed' as const) : ('pending' as const),
  }))
  return { ...empty, chat: { ...empty.chat, open: turnOf({ type: 'plan_changed', entries }) } }
}

test('a step is said when the agent comes to it', () => {
  const states = [atStep(0), atStep(1), atStep(1), atStep(2)]
  const steps = said(...states).map(lines => lines.filter(line => line.startsWith('step')))
  expect(steps).toEqual([['step 2 of 2: write'], [], []])
})

test('every panel that has something to say is spoken', () => {
  const silent = panels.filter(panel => panel.spoken && !speaking.includes(panel))
  expect(silent.map(({ name }) => name)).toEqual([])
  expect(panels).toEqual(expect.arrayContaining([...speaking]))
})
