/** Other conversations in the status line, in the scrollback, and in words. */
import { describe, expect, test } from 'vitest'
import { announcementLines } from '../../../components/screen/announcements.ts'
import { conversationList } from '../../../components/picker/conversations.ts'
import { listLines } from '../../../components/picker/list.ts'
import { conversationLines, conversationsFact } from '../../../components/status/conversations.ts'
import { shownAgain } from '../../../components/screen/shown-again.ts'
import { statusLine } from '../../../components/status/rows.ts'
import type { ConversationRow, ConversationState } from '../../../src/state/conversations/conversations.ts'
import { defaultKeymap } from '../../../src/state/keymap.ts'
import { initialState, type AppState } from '../../../src/state/state.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { accepted, answering, chatAfter, ended, prompt, says, started, step, stops } from '../../conversation/events.ts'
import { textsOf } from '../../helpers/lines.ts'

const unicode = createTheme(0)
const ascii = createTheme(0, { unicode: false })
const spoken = createTheme(0, { unicode: false, isSpoken: true })
const place = { title: '', since: null, lastLine: '', costUsd: null, folder: '~/project', branch: null, call: null }
const row = (number: number, state: ConversationState, rest: Partial<ConversationRow> = {}): ConversationRow => ({
  ...place,
  number,
  state,
  isShown: number === 1,
  ...rest,
})
const empty = initialState({ version: '1', folder: '~/project', branch: null, demo: false }, 0)
const withRows = (...conversations: ConversationRow[]): AppState => ({ ...empty, conversations })
const all = withRows(
  row(1, 'idle'),
  row(2, 'working'),
  row(3, 'asks'),
  row(4, 'done'),
  row(5, 'failed'),
  row(6, 'idle'),
)

const turn = (words: string) => [prompt(words), accepted, step(1), answering, says(`re: ${words}`), stops('end'), ended]

describe('the signs of other conversations', () => {
  test('stand behind their numbers', () => {
    expect(conversationsFact(all, unicode)?.text).toMatchObject({ text: '2◐ 3? 4● 5✗ 6' })
    expect(conversationsFact(all, ascii)?.text).toMatchObject({ text: '2~ 3? 4* 5x 6' })
  })

  test('are not there while there is only one', () => {
    expect(conversationsFact(withRows(row(1, 'working')), unicode)).toBeNull()
    expect(conversationsFact(empty, unicode)).toBeNull()
  })

  test('are counted where there are many', () => {
    const many = withRows(...Array.from({ length: 21 }, (_, at) => row(at + 1, at % 2 === 0 ? 'working' : 'asks')))
    expect(conversationsFact(many, ascii)?.text).toMatchObject({ text: '+20 10? 10~' })
  })

  test('leave in a narrow line how many ask', () => {
    const narrow = statusLine(all, ascii, 12, { plan: () => null, watchers: () => null }).text
    expect(narrow).toContain('1?')
    expect(narrow).not.toContain('2~')
  })

  test('are words for a screen reader, said when they change', () => {
    const call = { id: 'p', subject: 'bash make', isWhole: true }
    const before = withRows(row(1, 'idle'), row(2, 'working'), row(3, 'working'))
    const now = withRows(row(1, 'idle'), row(2, 'asks', { title: 'fix it', call }), row(3, 'done'))
    const context = { theme: spoken, columns: 80, commands: [] }
    expect(announcementLines(before, now, context)).toEqual([
      'conversation 2, fix it, asks you, bash make',
      'conversation 3, done',
    ])
    expect(announcementLines(now, now, context)).toEqual([])
  })
})

describe('the line where another conversation follows', () => {
  const line = { kind: 'conversation', number: 2, title: 'fix it', folder: '~/project', branch: 'main' } as const
  test.each([
    [unicode, null, ['── 2 fix it   ~/project   main ──']],
    [ascii, 3, ['-- 2 fix it   ~/project   main --', '  ^ 3 turns are above: Ctrl+O shows all.']],
    [spoken, 0, ['2 fix it, ~/project, main', '  ^ The beginning is above: Ctrl+O shows all.']],
  ])('says which one, and what is above', (theme, above, expected) => {
    expect(textsOf(conversationLines({ ...line, above }, defaultKeymap.names, theme, 60))).toEqual(expected)
  })

  test('is never wider than the screen, and a title cannot break it', () => {
    const title = 'a\u001B[31m title\nof two lines that is far too long for this screen'
    for (const width of [10, 20, 40])
      for (const text of textsOf(conversationLines({ ...line, title, above: 12 }, defaultKeymap.names, ascii, width)))
        expect(text.length).toBeLessThanOrEqual(width)
  })
})

describe('a conversation that is shown again', () => {
  const chat = chatAfter(started, ...turn('one'), ...turn('two'), ...turn('three'))

  test('is printed whole where it fits', () => {
    const { items, above } = shownAgain(chat, 100, () => 1)
    expect(above).toBeNull()
    expect(items.filter(({ kind }) => kind === 'prompt')).toHaveLength(3)
  })

  test('is printed from where it fits, and goes on behind it', () => {
    const { items, above, timeline } = shownAgain(chat, 2, () => 1)
    expect(items).toHaveLength(2)
    expect(above).toBe(2)
    expect(timeline.advance(chat)).toEqual([])
  })

  test('has at least its last piece', () => {
    expect(shownAgain(chat, 1, () => 50).items).toHaveLength(1)
  })
})

test('the list shows in a window of 80 columns that the shown one works', () => {
  const rows = [row(1, 'working', { since: 0, costUsd: 0.02 }), row(2, 'asks', { since: 0 })]
  const picker = { kind: 'conversations', filter: '', selected: 0, rows } as const
  const list = conversationList(picker, empty, unicode)
  const shown = list.rows(0, 2)
  const { beside } = list.layout(shown, 80)
  expect(textsOf(shown.map(beside))[0]).toContain('working, this one')
})

const offered = (subject: string, isWhole = true): string => {
  const rows = [row(1, 'idle'), row(2, 'asks', { call: { id: 'c', subject, isWhole } })]
  const list = conversationList({ kind: 'conversations', filter: '', selected: 1, rows }, empty, unicode)
  return textsOf(listLines(list, { theme: unicode, columns: 80 }, 12)).join('\n')
}

test('the list offers to allow only a call that it shows in full', () => {
  expect(offered('bash ls')).toContain('y allows')
  expect(offered('bash ls')).toContain('n refuses')
  for (const one of [offered('bash a\nb'), offered(`bash ${'x'.repeat(80)}`), offered('edit a.txt', false)]) {
    expect(one).not.toContain('y allows')
    expect(one).toContain('n refuses')
  }
})

test('the list shows the call that it offers to allow in a low window, too', () => {
  const rows = [
    row(1, 'idle'),
    row(2, 'asks', { lastLine: 'ok', call: { id: 'c', subject: 'bash ls', isWhole: true } }),
  ]
  const lines = (selected: number, room: number): string[] => {
    const list = conversationList({ kind: 'conversations', filter: '', selected, rows }, empty, unicode)
    return textsOf(listLines(list, { theme: unicode, columns: 80 }, room))
  }
  for (const room of [2, 3, 4, 5, 6, 12]) expect(lines(1, room).join('\n')).toMatch(/asks {2}bash ls[^]*y allows/)
  expect(lines(0, 5)).toHaveLength(3)
})
