import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AppState } from '../../../src/state/state.ts'
import type { ChatState } from '../../../src/conversation/state.ts'
import { createEditor } from '../../../src/composer/editor.ts'
import { displayWidth, type Size } from '../../../src/text/lines/width.ts'
import { composerWidth } from '../../../components/composer/rows.ts'
import { linesOfLive } from '../../../components/regions.ts'
import { createScreen } from '../../../components/screen/screen.ts'
import {
  accepted,
  answering,
  calls,
  chatAfter,
  notes,
  prints,
  prompt,
  runsTool,
  says,
  started,
  step,
  type Told,
} from '../../conversation/events.ts'
import { anySize as size, anyState as state } from '../arbitrary-states.ts'
import { commands, livePartsOf, stateWith, theme, withChat, withDraft, type LiveParts } from '../stage.ts'
import { textsOf } from '../../helpers/lines.ts'
import { aPartOf } from '../../helpers/length.ts'

/** The live zone as it is after what is finished has gone to the scrollback, part by part. */
function live(state: AppState, size: Size = { columns: 80, rows: 24 }): LiveParts {
  return livePartsOf(createScreen(theme, () => commands).draw(state, size).live)
}

const shown = (state: AppState, size: Size = { columns: 80, rows: 24 }): string[] =>
  textsOf(linesOfLive(createScreen(theme, () => commands).draw(state, size).live))

const linesOf = ({ conversation, progress, input, below }: LiveParts): string[] => [
  ...conversation,
  ...progress,
  ...input,
  ...below,
]

const during = (...events: readonly Told[]): ChatState =>
  chatAfter(started, prompt('go'), accepted, step(1), answering, ...events)

describe('the live zone shows', () => {
  test('the composer and the status line when idle', () => {
    expect(shown(stateWith())).toEqual(['', '> ', expect.stringContaining('anthropic/claude')])
  })

  test('the draft, wrapped, with the caret in it', () => {
    const { input: composer, cursor } = live(withDraft(`${'word '.repeat(20)}end`), { columns: 40, rows: 24 })
    expect(composer.slice(1)).toHaveLength(3)
    expect(cursor).toEqual({ x: 2 + (composer.at(-1) ?? '').length - 2, y: 3 })
  })

  test('what the agent writes while an earlier call still runs, below the panel of that call', () => {
    const chat = during(
      ...runsTool('a', 'bash', { command: 'npm run dev' }),
      step(2),
      answering,
      says('It **serves** now.\n\nI look at the page'),
    )
    const rows = shown(withChat(chat))
    expect(rows.findIndex(row => row.includes('npm run dev'))).toBeGreaterThan(-1)
    expect(rows.filter(row => /serves|page/.test(row))).toEqual(['  It serves now.', '  I look at the page'])
    expect(rows.findIndex(row => row.includes('serves'))).toBeGreaterThan(
      rows.findIndex(row => row.includes('npm run dev')),
    )
    const small = shown(
      withChat(during(...runsTool('a', 'bash', {}), step(2), answering, says('word '.repeat(9000)))),
      {
        columns: 40,
        rows: 12,
      },
    )
    expect(small.length).toBeLessThan(12)
    expect(small.filter(row => row.includes('word word')).length).toBeGreaterThan(3)
  })

  test('the streaming text', () => {
    expect(shown(withChat(during(says('One.\n\nTwo is being wri'))))).toContain('  Two is being wri')
  })

  test('the streaming text after a notice', () => {
    const lines = shown(withChat(during(says('Two is '), notes('lint', 'fine'), says('being written'))))
    expect(lines).toContain('  Two is being written')
    expect(lines).toContain('  lint: fine')
  })

  test('a running tool, with the end of its output', () => {
    const printed = Array.from({ length: 20 }, (_, index) => prints('a', `line ${index}\n`))
    const lines = shown(withChat(during(...runsTool('a', 'bash', { command: 'make' }).slice(1), ...printed)))
    expect(lines.join('\n')).toMatch(/bash +make/)
    expect(lines.join('\n')).toContain('line 19')
    expect(lines.join('\n')).not.toContain('line 3\n')
  })

  test('nested calls below their tool', () => {
    const lines = shown(
      withChat(during(...runsTool('a', 'codemode').slice(1), calls('a/1', 'read', { path: 'src/a.ts' }))),
    )
    expect(lines.some(line => /^ {2}\S read +src\/a\.ts/.test(line))).toBe(true)
  })

  test('the header until the agent has answered', () => {
    expect(shown(withChat(chatAfter({ type: 'agent_starting', agent: 'zot' })))[0]).toContain('zotui 1.2.3')
    expect(shown(stateWith()).join()).not.toContain('zotui 1.2.3')
  })

  test('the popup instead of the status line', () => {
    const lines = live(withDraft('/com')).below
    expect(lines[0]).toMatch(/› \/compact/)
    expect(lines.join()).not.toContain('anthropic')
  })

  test('the picker instead of the composer', () => {
    const models = ['claude', 'haiku'].map(id => ({
      id,
      provider: 'anthropic',
      contextWindow: 200_000,
      maxOutput: null,
      reasoning: true,
    }))
    const state = stateWith({ picker: { kind: 'models', ofOtherProvider: false, filter: '', selected: 1, models } })
    const { input: composer, below, cursor } = live(state)
    // Its title stands where the composer was: one row is chosen, and no other is marked.
    expect(composer).toEqual(['', '> model  '])
    expect(cursor).toEqual({ x: 9, y: 1 })
    expect([...composer, ...below].filter(line => line.includes('›'))).toHaveLength(1)
    expect(below).toEqual([
      expect.stringMatching(/^ {4}claude .*200k .*in use$/),
      expect.stringMatching(/^ {2}› haiku/),
      expect.stringContaining('2 models   type to search'),
    ])
  })

  test('the picker while it loads, and without matches', () => {
    const picker = { kind: 'models' as const, ofOtherProvider: false, filter: 'zzz', selected: 0, models: null }
    expect(live(stateWith({ picker })).below.join('\n')).toContain('asking the agent')
    expect(live(stateWith({ picker: { ...picker, models: [] } })).below.join('\n')).toContain('no matching models')
  })

  test('the search in earlier prompts', () => {
    const prompts = [
      { text: 'fix\nthe parser', place: '' },
      { text: 'mend the roof', place: 'elsewhere' },
    ]
    const picker = { kind: 'history' as const, scope: 'folder' as const, filter: 'th', selected: 1, prompts }
    const state = stateWith({ picker: { ...picker, found: prompts } })
    expect(live(state).input.at(-1)).toBe('> history  th')
    expect(live(state).below).toEqual([
      expect.stringMatching(/^ {4}fix.the parser$/),
      expect.stringMatching(/^ {2}› mend the roof {3}elsewhere$/),
      expect.stringContaining('2 prompts   Ctrl+R searches all folders'),
    ])
    expect(live(state).cursor.x).toBe('> history  th'.length)
    const none = live(stateWith({ picker: { ...picker, scope: 'all', found: [] } })).below
    expect(none.join('\n')).toContain('no matching prompts')
    expect(none.join('\n')).not.toContain('Ctrl+R')
  })

  test('files, with folders in the middle of long paths omitted first', () => {
    const paths = ['src/', `src/${'deep/'.repeat(20)}parser.ts`]
    const state = withDraft('see @s', { files: { query: 's', found: paths.map(path => ({ path, positions: [] })) } })
    const [first = '', second = ''] = live(state).below
    expect(first.trimEnd()).toBe('  › src/')
    expect(second.trimEnd()).toMatch(/^ {4}src\/.*….*parser\.ts$/)
  })

  test('only the composer and the status line on a small terminal', () => {
    expect(live(withChat(during(says('Hello'))), { columns: 80, rows: 7 })).toMatchObject({
      conversation: [],
      progress: [],
    })
  })

  test('a count of rows that do not fit', () => {
    const lines = shown(withChat(during(says(`- ${'one two three four '.repeat(60)}`))), { columns: 40, rows: 16 })
    expect(lines.length).toBeLessThanOrEqual(15)
    expect(lines.join('\n')).toMatch(/\+\d+ lines? above/)
  })

  test('the reason for waiting while leaving, and then nothing', () => {
    expect(shown(stateWith({ leaving: 'ending' }))).toEqual([expect.stringContaining('ending zot')])
    expect(shown(stateWith({ leaving: 'gone' }))).toEqual([])
  })
})

describe('at any size, in any state', () => {
  test('the live zone is lower than the terminal, and no line is wider', () => {
    fc.assert(
      fc.property(state, size, (state, size) => {
        const lines = shown(state, size)
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, size.rows - 1))
        expect(lines.filter(line => /[\u0000-\u001F\u007F-\u009F]/.test(line))).toEqual([])
        expect(lines.filter(line => displayWidth(line) > size.columns)).toEqual([])
      }),
      aPartOf(600),
    )
  })

  test('the caret is within the live zone', () => {
    fc.assert(
      fc.property(state, size, (state, size) => {
        const zone = live(state, size)
        const { x, y } = zone.cursor ?? { x: 0, y: -1 }
        expect(y).toBeLessThan(Math.max(1, linesOf(zone).length))
        expect(x).toBeLessThan(size.columns)
      }),
      aPartOf(300),
    )
  })

  test('finished lines fit the width', () => {
    fc.assert(
      fc.property(state, fc.integer({ min: 20, max: 120 }), (state, columns) => {
        const { committed } = createScreen(theme, () => commands).draw(state, { columns, rows: 24 })
        const lines = committed.flatMap(piece => piece.lines)
        expect(lines.filter(line => displayWidth(line) > columns)).toEqual([])
      }),
      aPartOf(300),
    )
  })

  test('the composer wraps where it is drawn', () => {
    expect([1, 2, 4, 80].map(composerWidth)).toEqual([2, 2, 2, 78])
  })
})

test('invisible characters take no column in the composer or for the caret', () => {
  const state = stateWith({ editor: createEditor('ab\u202Ecd') })
  expect(live(state).input.at(-1)).toContain('abcd')
  expect(live(state).cursor.x).toBe(6)
})

test('of many calls, those with room are drawn and the others are counted', () => {
  const many = Array.from({ length: 3000 }, (_, at) => calls(`c${at}`, 'look', { at }))
  const lines = shown(withChat(during(...many)))
  expect(lines.length).toBeLessThan(24)
  expect(lines.join('\n')).toContain('at: 2999')
  expect(lines.join('\n')).toMatch(/\+29\d\d unfinished above/)
})
