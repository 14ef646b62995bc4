import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { builtinNames, builtinTheme } from '../../src/style/builtin.ts'
import { meanings, readTheme, themeKind } from '../../src/style/definition.ts'

const read = (content: unknown) => readTheme(content, 'mine', builtinTheme)
const problems = (content: unknown): readonly string[] => read(content).problems

describe('a theme file', () => {
  test('takes missing styles from the built-in theme for the background', () => {
    const { theme, problems } = read({ appearance: 'light', styles: { accent: '#aa0000' } })
    expect(problems).toEqual([])
    expect(theme.styles.get('dim')).toEqual(builtinTheme('light')?.styles.get('dim'))
    expect(theme.styles.get('accent')?.look.color).toEqual({ kind: 'rgb', red: 170, green: 0, blue: 0 })
  })

  test('may be empty: then it has the sixteen colours of the terminal', () => {
    expect(read({}).theme.styles).toEqual(builtinTheme('ansi')?.styles)
  })

  test('can extend another theme', () => {
    const { theme } = read({ extends: 'high-contrast-dark' })
    expect(theme).toMatchObject({ name: 'mine', appearance: 'dark' })
    expect(theme.styles).toEqual(builtinTheme('high-contrast-dark')?.styles)
  })

  test('has named colours, backgrounds, attributes, and styles for sixteen colours', () => {
    const { theme, problems } = read({
      palette: { sea: '#0088aa', night: 17 },
      styles: { accent: '$sea on $night bold underline | cyan bold', 'syntax.variable': 'none', dim: '250 | dim' },
    })
    expect(problems).toEqual([])
    expect(theme.styles.get('accent')).toEqual({
      look: {
        color: { kind: 'rgb', red: 0, green: 136, blue: 170 },
        background: { kind: 'palette', index: 17 },
        attributes: ['bold', 'underline'],
      },
      sixteen: { color: { kind: 'palette', index: 6 }, background: null, attributes: ['bold'] },
    })
    expect(theme.styles.get('syntax.variable')?.look).toEqual({ color: null, background: null, attributes: [] })
  })

  test('has a spinner', () => expect(read({ spinner: ['◐', '◓'] }).theme.spinner).toEqual(['◐', '◓']))
})

test.each<[string, unknown, RegExp]>([
  ['no object', [], /the file: .*expected object/],
  ['an unknown key', { colours: {} }, /^colours: there is no such key; the keys are .*palette, styles/],
  ['nearly a key', { style: {} }, /^style: there is no such key. Did you mean styles\?$/],
  ['an unknown meaning', { styles: { acent: 'red' } }, /^styles\.acent: .*Did you mean accent\?$/],
  ['nothing like a meaning', { styles: { background: 'red' } }, /^styles\.background: .*the keys are accent, strong/],
  ['an appearance', { appearance: 'black' }, /^appearance: allowed are dark, light, any$/],
  ['an unknown base', { extends: 'drak' }, /^extends is "drak": there is no built-in theme/],
  ['a style that is no text', { styles: { accent: 12 } }, /^styles\.accent: .*expected string/],
  [
    'no colour',
    { styles: { dim: 'blod' } },
    /^styles\.dim is "blod": "blod" is neither a colour nor an attribute; allowed are/,
  ],
  ['half a colour', { styles: { dim: '#12345' } }, /"#12345" is neither a colour nor/],
  ['an empty style', { styles: { dim: ' ' } }, /it is empty; "none" means/],
  ['two colours', { styles: { dim: 'red blue' } }, /two colours; a background is written "on blue"/],
  ['no colour behind on', { styles: { dim: 'red on' } }, /a colour is missing after "on"/],
  ['a name that the palette lacks', { palette: { a: 1 }, styles: { dim: '$b' } }, /the palette has no \$b; it has \$a/],
  ['a name without a palette', { styles: { dim: '$b' } }, /the palette has no \$b; it is empty/],
  ['more than sixteen for sixteen', { styles: { dim: '#888 | #888' } }, /only the sixteen/],
  ['a bar too many', { styles: { dim: 'red | red | red' } }, /more than one \|/],
  ['a palette entry', { palette: { a: '#xyz' } }, /^palette\.a is "#xyz": a colour is/],
  ['a palette name', { palette: { 'a b': 1 } }, /^palette has "a b": names are/],
  ['a wide spinner', { spinner: ['⏳'] }, /^spinner: each frame must be one column wide/],
  ['no spinner', { spinner: [] }, /^spinner: /],
])('the mistake %s is reported with its place', (_name, content, said) => {
  const found = problems(content)
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(said)
})

test('all mistakes in a theme are reported at once, without control sequences', () => {
  expect(problems({ styles: { dim: 'x', accent: 'y\x1b[31m', ok: 'green' } })).toHaveLength(2)
  expect(problems({ 'bad\x1b]0;title\x07': 1, styles: { dim: '\x1b[2J' } }).join('\n')).not.toMatch(
    /[\x00-\x09\x0b-\x1f]/,
  )
})

describe('the built-in themes', () => {
  test.each(builtinNames)('%s is valid and complete', name => {
    const theme = builtinTheme(name)
    const content: unknown = JSON.parse(readFileSync(new URL(`../../themes/${name}.json`, import.meta.url), 'utf8'))
    expect(readTheme(content, name, builtinTheme)).toEqual({ theme, problems: [] })
    expect([...(theme?.styles.keys() ?? [])].toSorted()).toEqual([...meanings].toSorted())
    expect(theme?.description).not.toBe('')
  })
})

test('the format of themes has a JSON Schema', () => {
  expect(themeKind.schema).toMatchObject({ additionalProperties: false, properties: { styles: {} } })
})
