/** Marks that are found at a glance: the user's words, changes, failures, and colours of a program's own output. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printedParts, sanitize, sanitizeTerminalOutput } from '../../src/text/sanitize.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { builtinNames, builtinTheme } from '../../src/style/builtin.ts'
import { parseColor, rgb, toRgb, type Rgb } from '../../src/style/color.ts'
import { empty, type Styled } from '../../src/style/styled.ts'
import { paintLine, paintSpans } from '../../src/terminal/output/paint.ts'
import type { Color, TextStyle } from '../../src/text/styled.ts'
import type { TimelineItem } from '../../src/transcript/timeline.ts'
import { renderItem } from '../../src/transcript/entries.ts'
import type { ColorLevel } from '../../src/style/paint.ts'
import { createTheme, type Theme } from '../../src/style/theme.ts'
import { printedLines } from '../../src/tools/panel/output.ts'
import { ended, fails, prompt, stops, turnOf } from '../conversation/events.ts'
import { contrast } from '../helpers/contrast.ts'
import { bash, colourTheme, drawnLines, plainTheme, samples } from '../tools/samples.ts'
import { paintedLines, textsOf } from '../helpers/lines.ts'

const WIDTH = 40
/** The parameters of a style in a terminal: `1 38;2;1;2;3`. */
const look = (style: TextStyle): string =>
  paintSpans([{ text: '|', style }])
    .split('|')[0]
    ?.match(/[\d;]+/g)
    ?.join(' ') ?? ''
const linesOf = (item: TimelineItem, theme: Theme): Styled[] =>
  renderItem(item, { theme, markdown: theme.markdown, width: WIDTH })
const promptLines = (theme: Theme): Styled[] => linesOf({ kind: 'prompt', turn: turnOf(prompt('one\ntwo')) }, theme)

/** The background of each column of a line; null for none. */
function backgrounds({ spans }: Styled): (Color | null)[] {
  return spans.flatMap(({ text, style }) => Array.from({ length: displayWidth(text) }, () => style.background))
}

const isBand = (line: Styled): boolean => {
  const columns = backgrounds(line)
  return columns.length === WIDTH && columns[0] !== null && columns.every(column => column === columns[0])
}

const themes = builtinNames.map(name => [name, builtinTheme(name)] as const)

describe('a printed prompt', () => {
  test.each(themes)(
    'in %s each row has a coloured bar, and a band to the right edge where the theme has a background',
    (name, definition) => {
      for (const level of [3, 2] as const) {
        const lines = promptLines(createTheme(level, { definition }))
        expect(textsOf(lines).map(line => line.trimEnd())).toEqual(['▌ one', '▌ two'])
        for (const line of lines) {
          expect(line.spans[0]?.style.color).not.toBeNull()
          expect(isBand(line)).toBe(name !== 'ansi')
        }
      }
    },
  )

  test.each(themes)('has only the bar in %s of sixteen colours', (_name, definition) => {
    const lines = promptLines(createTheme(1, { definition }))
    expect(textsOf(lines)).toEqual(['▌ one', '▌ two'])
    for (const line of paintedLines(lines)) expect(line).toMatch(/^\x1b\[\d+m▌/)
  })

  test('has a plain sign without colours, and in ASCII', () => {
    expect(paintedLines(promptLines(createTheme(0)))).toEqual(['> one', '  two'])
    expect(textsOf(promptLines(createTheme(3, { unicode: false })))).toEqual(['> one', '  two'])
  })

  test.each(['#000000', '#15181d', '#282c34', '#002b36', '#ffffff', '#fdf6e3', '#eee8d5'])(
    'the band is a tint of the background %s where that is known',
    hex => {
      const paper = colourOf(hex)
      const definition = builtinTheme(contrast(paper, rgb(255, 255, 255)) > 4 ? 'dark' : 'light')
      const theme = createTheme(3, { definition, background: paper })
      const [, red = 0, green = 0, blue = 0] =
        /48;2;(\d+);(\d+);(\d+)/.exec(paintedLines(promptLines(theme))[0] ?? '')?.map(Number) ?? []
      const seen = contrast(rgb(red, green, blue), paper)
      expect(seen).toBeGreaterThan(1.1)
      expect(seen).toBeLessThan(1.5)
    },
  )

  test('keeps a theme with both a text colour and a band', () => {
    const definition = builtinTheme('dark')
    if (!definition) throw new Error('no such theme')
    const look = { color: colourOf('#ffffff'), background: colourOf('#3344aa'), attributes: [] }
    const styles = new Map(definition.styles).set('prompt', { look, sixteen: null })
    const theme = createTheme(3, { definition: { ...definition, styles }, background: colourOf('#000000') })
    expect(paintedLines(promptLines(theme))[0]).toContain('48;2;51;68;170')
  })
})

function colourOf(hex: string): Rgb {
  return toRgb(parseColor(hex) ?? { kind: 'palette', index: 0 })
}

test('the output of a command is printed below its name', () => {
  const notice = {
    kind: 'notice' as const,
    withdrawn: false,
    at: 0,
    level: 'info' as const,
    source: null,
    text: 'Nothing is used yet.',
    hint: null,
    markdown: false,
    command: '/usage \u001b[2J',
  }
  expect(paintedLines(linesOf({ kind: 'notice', notice }, plainTheme))).toEqual([
    '> /usage ␛[2J',
    '  Nothing is used yet.',
  ])
  const [name = empty] = linesOf({ kind: 'notice', notice }, colourTheme)
  expect(isBand(name)).toBe(true)
  // Smaller than a prompt: it is not bold.
  expect(paintLine(name)).not.toContain('\u001b[1m')
})

const changed = (name: string): Styled[] =>
  drawnLines(samples[name] ?? [], { width: WIDTH, theme: colourTheme }).filter(line => /^ *\d* *[-+] ?/.test(line.text))

describe('a printed diff', () => {
  test('has bands up to the right edge', () => {
    const lines = changed('edit located')
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines) {
      expect(displayWidth(line)).toBe(WIDTH)
      expect(backgrounds(line).at(-1)).not.toBeNull()
    }
  })

  test('has shorter bands while it still changes, because a narrower terminal would wrap them', () => {
    const lines = changed('edit waiting')
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.some(line => displayWidth(line) < WIDTH)).toBe(true)
    for (const { text } of lines) expect(text).toBe(text.trimEnd())
  })
})

const words = (line = empty): string[] =>
  line.spans.filter(({ style }) => look(style) === '38;2;255;143;143').map(({ text }) => text.trim())

describe('printed failures', () => {
  const red = /^\x1b\[38;2;255;143;143m/

  test('have one colour, whatever fails', () => {
    const turn = turnOf(prompt('x'), fails('http 401: no'), stops('error', 'http 401: no'), ended)
    const lines = [
      linesOf({ kind: 'turn_end', turn }, colourTheme)[0],
      linesOf({ kind: 'agent_ended', reason: 'zot has crashed', hint: '' }, colourTheme)[0],
      drawnLines(samples['edit failed'] ?? [], { width: 80, theme: colourTheme })[0],
      drawnLines(bash('false', '', '[exit 1]  Took 0.1s', true), { width: 80, theme: colourTheme })[0],
    ]
    for (const line of lines) expect(paintLine(line ?? empty)).toMatch(red)
    expect(words(lines[0])).toContain('✗')
    expect(words(lines[0]).join(' ')).toContain('rejected the API key')
    expect(words(lines[1])).toEqual(['✗', 'zot has crashed.'])
    expect(words(lines[3])).toEqual(['✗', 'exit 1'])
  })
})

const looksOf = (raw: string, theme = colourTheme): [string, string][] =>
  printedLines(raw, theme, theme.dim).flatMap(line =>
    line.spans.map(({ text, style }): [string, string] => [text, look(style)]),
  )

describe('the output of a program', () => {
  test('keeps the sixteen colours and bold, as the theme defines them', () => {
    expect(looksOf('\u001b[31mred\u001b[0m plain \u001b[1;92mbold green')).toEqual([
      ['red', '38;2;255;143;143'],
      [' plain ', '38;2;139;148;158'],
      ['bold green', '1 38;2;127;217;154'],
    ])
  })

  test.each([
    ['a background, a blink', '\u001b[41;5mx'],
    ['a colour that ended', '\u001b[31m\u001b[39mx'],
    ['numbers that mean nothing', '\u001b[38;5;999mx\u001b[38;2;1mx'],
    ['what belongs to an underline', '\u001b[58;5;1mx'],
  ])('loses %s', (_what, raw) => {
    expect(paintedLines(printedLines(raw, colourTheme, colourTheme.dim)).join('')).toMatch(/^x+$/)
  })

  test('has black and white in the text colour, so that it is readable on any background', () => {
    expect([30, 37, 97].map(code => looksOf(`\u001b[${code}mx`)[0]?.[1])).toEqual(['', '', ''])
  })

  test('has the nearest of the sixteen colours for others', () => {
    expect(looksOf('\u001b[38;5;196mx')[0]?.[1]).toBe('38;2;255;143;143')
    expect(looksOf('\u001b[38;2;0;200;0mx')[0]?.[1]).toBe('38;2;127;217;154')
  })

  test('continues a colour in the next line until it ends', () => {
    expect(looksOf('\u001b[31ma\nb\u001b[0m\nc').map(([, look]) => look)).toEqual([
      '38;2;255;143;143',
      '38;2;255;143;143',
      '',
    ])
  })

  test('has no colours if they are off', () => {
    expect(paintedLines(printedLines('\u001b[1;31mred\u001b[0m', plainTheme, plainTheme.dim))).toEqual(['red'])
  })

  const part = fc.constantFrom(
    'a',
    'b ',
    '\u001b[31m',
    '\u001b[0m',
    '\u001b[1m',
    '\u001b]0;t\u0007',
    '\u001b[2J',
    '\r',
    '\b',
    '\n',
    '\t',
    '日',
    '\u202e',
    '\u009b31m',
    '\u200d',
    '👩‍🚀',
    '\u001b[',
    '38;5;1m',
    'e\u0301',
    '\u001b]8;;http://x\u0007',
  )

  test('has the same text with and without colours', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.constantFrom<ColorLevel>(0, 1, 2, 3), (parts, level) => {
        const raw = parts.join('')
        const theme = createTheme(level, { definition: builtinTheme('dark') })
        const lines = printedLines(raw, theme, theme.dim)
        expect(textsOf(lines).join('\n')).toBe(sanitizeTerminalOutput(raw))
        for (const { text } of lines) expect(sanitize(text)).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  test('has what is left of an overwritten line in the colours that it was written in', () => {
    const fromStart = true
    expect(printedParts('\u001b[31mabc\u001b[0m\rx')).toEqual([
      { text: 'x', sgr: ['31', '0'], fromStart },
      { text: 'bc', sgr: ['31'], fromStart },
      { text: '', sgr: ['31', '0'], fromStart },
    ])
  })

  test('keeps the colour of the line above in what was written before a carriage return', () => {
    const raw = '\u001b[31mred\nabc\r\u001b[32mx'
    expect(paintedLines(printedLines(raw, colourTheme, colourTheme.dim))).toEqual(
      paintedLines(printedLines('\u001b[31mred\n\u001b[32mx\u001b[31mbc', colourTheme, colourTheme.dim)),
    )
  })
})
