import { describe, expect, test } from 'vitest'
import { sanitize } from '../../src/text/sanitize.ts'
import { renderMarkdown } from '../../src/markdown/render.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { builtinTheme } from '../../src/style/builtin.ts'
import { readTheme } from '../../src/style/definition.ts'
import type { ColorLevel } from '../../src/style/paint.ts'
import { drawn, empty } from '../../src/style/styled.ts'
import { inStyle, plainStyle } from '../../src/text/styled.ts'
import { paintLine } from '../../src/terminal/output/paint.ts'
import { createTheme, type Theme } from '../../src/style/theme.ts'
import { textsOf } from '../helpers/lines.ts'

function themeOf(accent: string, level: ColorLevel): Theme {
  const { theme, problems } = readTheme({ styles: { accent } }, 'mine', builtinTheme)
  expect(problems).toEqual([])
  return createTheme(level, { definition: theme })
}

const painted = (accent: string, level: ColorLevel): string => paintLine(themeOf(accent, level).accent(sanitize('x')))
const sequences = (codes: string): string => codes.replace(/\S+/g, '\x1b[$&m').replaceAll(' ', '')
const esc = (codes: string, ends: string): string => `${sequences(codes)}x${sequences(ends)}`

describe('a style on terminals with all colours, 256, sixteen and none', () => {
  test.each<[string, string, string, string]>([
    ['#79b8ff', esc('38;2;121;184;255', '39'), esc('38;5;111', '39'), esc('36', '39')],
    ['#79b8ff | cyan', esc('38;2;121;184;255', '39'), esc('38;5;111', '39'), esc('36', '39')],
    ['#8b949e | dim', esc('38;2;139;148;158', '39'), esc('38;5;246', '39'), esc('2', '22')],
    ['red', esc('31', '39'), esc('31', '39'), esc('31', '39')],
    ['bright-red', esc('91', '39'), esc('91', '39'), esc('91', '39')],
    ['208', esc('38;5;208', '39'), esc('38;5;208', '39'), esc('91', '39')],
    ['bold', esc('1', '22'), esc('1', '22'), esc('1', '22')],
    ['red on blue', esc('31 44', '49 39'), esc('31 44', '49 39'), esc('31 44', '49 39')],
    // Sixteen colours have no subtle background.
    ['red on #10241a', esc('31 48;2;16;36;26', '49 39'), esc('31 48;5;234', '49 39'), esc('31', '39')],
    ['none', 'x', 'x', 'x'],
  ])('%s', (style, all, many, few) => {
    expect([3, 2, 1, 0].map(level => painted(style, level as ColorLevel))).toEqual([all, many, few, 'x'])
  })
})

test('styles nest: the outer one continues after the inner', () => {
  const theme = createTheme(3, { definition: builtinTheme('dark') })
  const line = theme.dim(drawn`${theme.failed(sanitize('a'))}b`)
  expect(paintLine(line)).toMatch(/^\x1b\[38;2;255;143;143ma\x1b\[39m\x1b\[38;2;139;148;158mb\x1b\[39m$/)
  expect(displayWidth(line)).toBe(2)
  expect(paintLine(theme.addedLine(theme.accent(sanitize('a')), 1))).toMatch(
    /^\x1b\[38;2;[\d;]+m\x1b\[48;2;[\d;]+ma\x1b\[49m\x1b\[39m$/,
  )
})

test('an empty text stays empty, so that a line without words has no colours', () => {
  expect(createTheme(3).dim(sanitize(''))).toBe(empty)
})

test('without colours only a selection is styled', () => {
  const { selection, ...theme } = createTheme(0, { definition: builtinTheme('high-contrast-dark') })
  expect(paintLine(selection(sanitize('x')))).toBe('\u001B[7mx\u001B[27m')
  const paints = Object.values(theme).filter(value => typeof value === 'function')
  expect(paints.length).toBeGreaterThan(10)
  for (const paint of paints) expect(paintLine(paint(drawn`x`, 3))).toBe('x')
  for (const look of Object.values(theme.markdown.syntax)) expect(look).toBe(plainStyle)
  expect(theme.markdown.heading(1)).toBe(plainStyle)
})

test.each(['dark', 'light', 'ansi', 'high-contrast-dark', 'colorblind-light'])(
  'without colours %s keeps bold, dim and underlined text',
  name => {
    const theme = createTheme(0, { definition: builtinTheme(name), attributes: true })
    expect(paintLine(theme.strong(sanitize('x')))).toBe('\x1b[1mx\x1b[22m')
    expect(paintLine(theme.dim(sanitize('x')))).toBe('\x1b[2mx\x1b[22m')
    expect(paintLine(theme.addedWord(sanitize('x')))).toBe('\x1b[1m\x1b[4mx\x1b[24m\x1b[22m')
    expect(paintLine(inStyle(theme.markdown.link, sanitize('x')))).toBe('\x1b[4mx\x1b[24m')
    expect(paintLine(inStyle(theme.markdown.heading(1), sanitize('x')))).toContain('\x1b[1m')
    expect(theme.markdown.headingMarks).toBe(false)
    const paints = Object.values(theme).filter(value => typeof value === 'function')
    for (const paint of paints)
      expect(paintLine(paint(drawn`x`, 3))).not.toMatch(/\x1b\[(?:3\d|4\d|9\d|10\d|38|48)[;m]/)
  },
)

describe('the signs of a theme', () => {
  test('are each one column wide', () => {
    for (const unicode of [true, false]) {
      const {
        spinner,
        up: _1,
        down: _2,
        ellipsis: _3,
        newline: _4,
        atLeast: _5,
        ...single
      } = createTheme(0, { unicode }).signs
      for (const sign of [...Object.values(single), ...spinner]) expect(displayWidth(sign)).toBe(1)
    }
  })

  test('are ASCII if the setting says so, even if the theme has a spinner', () => {
    const { theme } = readTheme({ spinner: ['◐', '◓'] }, 'mine', builtinTheme)
    expect(createTheme(0, { definition: theme }).signs.spinner).toEqual(['◐', '◓'])
    const { signs, markdown } = createTheme(0, { definition: theme, unicode: false })
    expect(Object.values(signs).flat().join('')).toMatch(/^[ -~]+$/)
    expect(markdown.unicode).toBe(false)
  })
})

test('headings differ by level, and without colours by their marks', () => {
  const { markdown } = createTheme(3, { definition: builtinTheme('dark') })
  const looks = [1, 2, 3].map(level => paintLine(inStyle(markdown.heading(level), sanitize('a'))))
  expect(looks).toEqual(['\x1b[1m\x1b[4ma\x1b[24m\x1b[22m', '\x1b[1ma\x1b[22m', '\x1b[1m\x1b[3ma\x1b[23m\x1b[22m'])
  expect(markdown.headingMarks).toBe(false)
  const plain = createTheme(0).markdown
  expect(textsOf(renderMarkdown('## a\nb', { width: 80, style: plain }))).toEqual(['## a', 'b'])
})
