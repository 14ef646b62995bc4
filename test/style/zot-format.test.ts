import { describe, expect, test } from 'vitest'
import { builtinTheme } from '../../src/style/builtin.ts'
import type { Meaning } from '../../src/style/definition.ts'
import { isZotTheme, readZotTheme } from '../../src/style/zot-format.ts'

const read = (content: unknown, appearance: 'dark' | 'light' = 'dark') =>
  readZotTheme(content, 'theirs', appearance, builtinTheme)
const color = (content: unknown, meaning: Meaning, appearance: 'dark' | 'light' = 'dark') =>
  read(content, appearance).theme.styles.get(meaning)?.look.color
const indexed = (index: number) => ({ kind: 'palette', index })

test.each<[unknown, boolean]>([
  [{ colors: {} }, true],
  [{ accent: 204 }, true],
  [{ spinner_frames: ['.'] }, true],
  [{ name: 'x', styles: {} }, false],
  [{ styles: {}, accent: 'x' }, false],
  [[], false],
  ['x', false],
])('%j is a theme of zot: %s', (content, is) => expect(isZotTheme(content)).toBe(is))

describe('a value of a zot theme', () => {
  test.each<[string, unknown, number]>([
    ['at the top', { accent: 204 }, 204],
    ['under colors', { colors: { accent: 204 } }, 204],
    ['for the background', { colors: { dark: { accent: 204 }, light: { accent: 1 } } }, 204],
    ['for the other background, where there is only that', { colors: { light: { accent: 204 } } }, 204],
    ['the nearest counts', { accent: 1, colors: { accent: 2, dark: { accent: 204 } } }, 204],
  ])('%s', (_name, content, index) => expect(color(content, 'accent')).toEqual(indexed(index)))

  test('is taken from the light part for light backgrounds', () => {
    const content = { colors: { dark: { accent: 1 }, light: { accent: 204 } } }
    expect(color(content, 'accent', 'light')).toEqual(indexed(204))
  })

  test('has a default of ours', () => {
    expect(read({ accent: 1 }, 'light').theme.styles.get('dim')).toEqual(builtinTheme('light')?.styles.get('dim'))
    expect(read({ accent: 1 })).toMatchObject({ problems: [], theme: { name: 'theirs', appearance: 'dark' } })
  })
})

describe('a colour of a zot theme', () => {
  test.each<[unknown, unknown]>([
    [111, indexed(111)],
    ['#42454b', { kind: 'rgb', red: 66, green: 69, blue: 75 }],
    [{ mode: '256', index: 254 }, indexed(254)],
    [{ index: 254 }, indexed(254)],
    [
      { mode: 'rgb', r: 1, g: 2, b: 3 },
      { kind: 'rgb', red: 1, green: 2, blue: 3 },
    ],
    [{ mode: 'ansi', index: 31 }, indexed(1)],
    [{ mode: 'ansi', index: 96 }, indexed(14)],
    [{ mode: 'ansi', index: 100 }, indexed(8)],
  ])('%j', (value, wanted) => expect(color({ accent: value }, 'accent')).toEqual(wanted))

  test.each([256, -1, 1.5, 'red', '#12', { mode: 'hsl' }, { mode: 'ansi', index: 7 }, null, []])(
    '%j is named and left out',
    value => {
      const { theme, problems } = read({ accent: value })
      expect(problems).toEqual([expect.stringMatching(/^accent: a colour is/)])
      expect(theme.styles.get('accent')).toEqual(builtinTheme('dark')?.styles.get('accent'))
    },
  )
})

test('the meanings of a zot theme become ours', () => {
  const colors = { muted: 1, accent: 2, assistant: 3, tool: 4, error: 5, warning: 6 }
  const { theme } = read({ colors })
  const found = (['dim', 'accent', 'running', 'ok', 'failed', 'warning', 'added', 'removed'] as const).map(
    meaning => theme.styles.get(meaning)?.look.color,
  )
  expect(found).toEqual([1, 2, 3, 4, 5, 6, 4, 5].map(indexed))
  expect(theme.styles.get('markdown.heading')?.look).toEqual({
    color: indexed(2),
    background: null,
    attributes: ['bold'],
  })
})

test('a text colour and its background of a zot theme are taken together or not at all', () => {
  const both = read({ selection_fg: 231, selection_bg: 24, user_bubble_fg: 248 }).theme.styles
  expect(both.get('selected')?.look).toMatchObject({ color: indexed(231), background: indexed(24) })
  expect(both.get('prompt')).toEqual(builtinTheme('dark')?.styles.get('prompt'))
})

describe('the syntax colours of a zot theme', () => {
  test('become ours', () => {
    const syntax = {
      keyword: '#81a1c1 bold',
      name_function: '#8fbcbb noinherit',
      literal_string: 'ansibrightgreen',
      comment: '#616e88 italic bg:#000000',
      literal_number: '#d08770',
      text: '#e5e9f0',
      operator: '#eceff4',
    }
    const { theme, problems } = read({ colors: { dark: { syntax } } })
    expect(problems).toEqual([])
    expect(theme.styles.get('syntax.keyword')?.look).toMatchObject({ attributes: ['bold'], color: { red: 129 } })
    expect(theme.styles.get('syntax.title')?.look.color).toMatchObject({ red: 143 })
    expect(theme.styles.get('syntax.string')?.look.color).toEqual(indexed(10))
    expect(theme.styles.get('syntax.comment')?.look).toMatchObject({ attributes: ['italic'], background: null })
    expect(theme.styles.get('syntax.literal')?.look.color).toMatchObject({ red: 208 })
    expect(theme.styles.get('markdown.codeBlock')?.look.color).toMatchObject({ red: 229 })
  })

  test.each([12, 'nothing', ''])('are ignored with a warning for %j', value => {
    expect(read({ syntax: { comment: value } }).problems).toEqual([expect.stringMatching(/^syntax\.comment: expected/)])
  })
})

test('a spinner of a zot theme needs frames of one column', () => {
  expect(read({ spinner_frames: ['◢', '◣'] }).theme.spinner).toEqual(['◢', '◣'])
  expect(read({ spinner_frames: ['🌍', '🌎'] }).theme.spinner).toBeNull()
  expect(read({ spinner_frames: 'x' }).theme.spinner).toBeNull()
  expect(read({ spinner_frames: ['\x1b', 'x'] }).theme.spinner).toBeNull()
})

test('unknown fields of a zot theme are ignored', () => {
  expect(read({ colors: { meter_low: 44 }, thinking_max: 201, spinner_messages: ['shipping'] }).problems).toEqual([])
})
