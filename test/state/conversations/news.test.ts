import { describe, expect, test } from 'vitest'
import { newsLineOf, sortedNews } from '../../../src/state/conversations/news.ts'
import type { News } from '../../../src/state/conversations/conversations.ts'
import type { ConversationRow } from '../../../src/state/conversations/conversations.ts'
import { reduceApp } from '../../../src/state/reduce.ts'
import type { AppState } from '../../../src/state/state.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { newsLine } from '../../../components/news/rows.ts'
import { stateWith, theme } from '../../components/stage.ts'
import { question } from '../../components/question/sample.ts'

const row = (changes: Partial<ConversationRow>): ConversationRow => ({
  number: 2,
  isShown: false,
  title: 'fix the parser',
  state: 'asks',
  since: 0,
  lastLine: '',
  costUsd: null,
  folder: '~/project',
  branch: null,
  call: null,
  ...changes,
})

const call = (subject: string, isWhole = true) => ({ id: 'q1', subject, isWhole })
const wide = { columns: 100, rows: 24 }

const lineIn = (changes: Partial<ConversationRow>, columns = 100, more: Partial<AppState> = {}): string => {
  const state = stateWith({ news: [{ row: row(changes), at: 5 }], ...more })
  return newsLine(state, theme, { columns, rows: 24 })?.text ?? ''
}

const doesIn = (state: AppState, rows = 24): string | undefined => newsLineOf(state, { columns: 100, rows })?.does

describe('The line about another conversation', () => {
  test.each<[what: string, changes: Partial<ConversationRow>, line: string]>([
    ['a whole call', { call: call('bash npm test') }, '? 2 fix the parser asks: bash npm test   Alt+G allows it once'],
    [
      'a call of several lines',
      { call: call('bash cd build\nnpm test') },
      '? 2 fix the parser asks: bash cd build⏎npm test   Alt+G opens it',
    ],
    ['a part of a call', { call: call('edit a.ts', false) }, '? 2 fix the parser asks: edit a.ts   Alt+G opens it'],
    ['another question', {}, '? 2 fix the parser asks you something   Alt+G opens it'],
    ['its end', { state: 'done' }, '● 2 fix the parser is done   Alt+G opens it'],
    ['a failure', { state: 'failed' }, '✗ 2 fix the parser has failed   Alt+G opens it'],
    ['an unknown end', { state: 'done', since: null }, '● 2 fix the parser has ended   Alt+G opens it'],
    ['one in the background', { number: 0, state: 'done' }, '● & fix the parser is done   Alt+G opens it'],
    ['one without a title', { title: '', state: 'done' }, '● Conversation 2 is done   Alt+G opens it'],
  ])('says %s', (_, changes, line) => {
    expect(lineIn(changes)).toBe(line)
  })

  test.each(['bash a\nb', 'bash a\u202Eb', 'bash a\u001B[2Jb'])(
    'opens where it cannot show a call exactly: %j',
    subject => {
      const line = lineIn({ call: call(subject) })
      expect(line).toMatch(/ {3}Alt\+G opens it$/)
      expect(line).not.toMatch(/[\n\u202E\u001B]/)
    },
  )

  test.each([
    [71, '2 fix the parser', 'allows'],
    [70, 'Conversation 2', 'allows'],
    [69, 'Conversation 2', 'allows'],
    [68, '2 fix the parser', 'opens'],
  ])(
    'in %i columns leaves out the title before the call, and opens where the call does not fit',
    (columns, name, does) => {
      const state = stateWith({ news: [{ row: row({ call: call('bash npm test -- parser') }), at: 5 }] })
      expect(newsLineOf(state, { columns, rows: 24 })).toMatchObject({ name, does })
      const shown = newsLine(state, theme, { columns, rows: 24 })?.text ?? ''
      expect(shown.includes('bash npm test -- parser   Alt+G allows')).toBe(does === 'allows')
    },
  )

  test('allows nothing while it may be out of sight', () => {
    const news = [{ row: row({ call: call('bash npm test') }), at: 5 }]
    expect(doesIn(stateWith({ news }))).toBe('allows')
    expect(doesIn(stateWith({ news, question: question() }))).toBe('opens')
    expect(doesIn(stateWith({ news }), 7)).toBe('opens')
  })

  test.each<[columns: number, changes: Partial<ConversationRow>, line: string]>([
    [40, { call: call('bash npm test') }, '? 2 fix the… asks: bas…   Alt+G opens it'],
    [40, {}, '? 2 fix the… asks you …   Alt+G opens it'],
    [40, { state: 'done' }, '● 2 fix the pa… is done   Alt+G opens it'],
    [40, { state: 'failed' }, '✗ 2 fix the… has failed   Alt+G opens it'],
    [20, { state: 'failed' }, '✗ 2   Alt+G opens it'],
  ])('in %i columns the title gives way before what has happened: %j', (columns, changes, line) => {
    expect(lineIn({ title: 'fix the parser of lists', ...changes }, columns)).toBe(line)
  })

  test.each([120, 80, 40, 20, 8])('at %i columns is as wide at most', columns => {
    for (const subject of ['bash npm test', 'bash '.padEnd(300, 'x')])
      expect(displayWidth(lineIn({ call: call(subject) }, columns))).toBeLessThanOrEqual(columns)
  })
})

const at = (number: number, state: ConversationRow['state'], time: number): News => ({
  row: row({ number, state }),
  at: time,
})

test('Those that ask come first, then failures, and the newest of equal ones', () => {
  const news = [at(2, 'done', 9), at(3, 'asks', 1), at(4, 'failed', 8), at(5, 'asks', 2)]
  expect(sortedNews(news).map(({ row: { number } }) => number)).toEqual([5, 3, 4, 2])
})

test('An end is no news once the user types on, and a question stays', () => {
  const news = [at(3, 'asks', 4), at(2, 'done', 9)]
  const told = reduceApp(stateWith(), { type: 'conversations_changed', rows: [], news, at: 10 })
  expect(newsLineOf(told, wide)?.more).toBe(1)
  const read = reduceApp(told, { type: 'prompt_taken', history: told.history })
  expect(newsLineOf(read, wide)).toMatchObject({ more: 0, row: { number: 3 } })
  const later = reduceApp(read, { type: 'conversations_changed', rows: [], news: [at(2, 'done', 12)], at: 12 })
  expect(newsLineOf(later, wide)?.row.number).toBe(2)
})

test('The time of a change is that of the first of the news', () => {
  const one = reduceApp(stateWith(), { type: 'conversations_changed', rows: [], news: [at(3, 'asks', 4)], at: 10 })
  const same = reduceApp(one, {
    type: 'conversations_changed',
    rows: [],
    news: [at(3, 'asks', 4), at(2, 'done', 4)],
    at: 20,
  })
  const other = reduceApp(same, { type: 'conversations_changed', rows: [], news: [at(2, 'done', 4)], at: 30 })
  expect([one, same, other].map(({ newsChangedAt }) => newsChangedAt)).toEqual([10, 10, 30])
})
