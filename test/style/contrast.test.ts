/** Every built-in theme can be read on the backgrounds that it is made for, also where colours are fewer. */
import { describe, expect, test } from 'vitest'
import { builtinNames, builtinTheme } from '../../src/style/builtin.ts'
import { parseColor, to256, toRgb, type Rgb } from '../../src/style/color.ts'
import { meanings, type Meaning, type ThemeDefinition } from '../../src/style/definition.ts'
import type { Color } from '../../src/text/styled.ts'
import { contrast } from '../helpers/contrast.ts'

const color = (hex: string): Rgb => toRgb(parseColor(hex) ?? { kind: 'palette', index: 0 })

/** Backgrounds that terminals usually have, and the text they put on them. */
const surroundings = {
  dark: { backgrounds: ['#000000', '#0d1117', '#15181d', '#1e1e1e'].map(color), text: color('#cccccc') },
  light: { backgrounds: ['#ffffff', '#fdfdfd', '#fafafa'].map(color), text: color('#333333') },
}

/** Text that one may overlook: facts and lines. */
const quiet = new Set<Meaning>(['dim', 'markdown.dim', 'markdown.quote', 'markdown.rule', 'markdown.listMark'])
quiet.add('markdown.tableRule').add('syntax.comment').add('syntax.meta')

const named = builtinNames.map(name => builtinTheme(name)).filter(theme => theme !== null)
const made = named.filter(theme => theme.appearance !== 'any')

const fewer = (value: Color): Rgb => toRgb(value.kind === 'rgb' ? { kind: 'palette', index: to256(value) } : value)

describe.each([
  ['in all colours', toRgb, 4.5],
  // Their steps are coarse: code on the background of a changed word may come a little nearer to it.
  ['in 256 colours', fewer, 4],
])('%s', (_depth, seen, inDiffs) => {
  test.each(made.map(theme => [theme.name, theme] as const))('%s', (name, theme) => {
    expect(tooFaint(theme, seen, name.startsWith('high-contrast') ? 7 : 4.5, inDiffs)).toEqual([])
  })
})

test('the theme `ansi` leaves the colours to the terminal', () => {
  for (const style of builtinTheme('ansi')?.styles.values() ?? []) {
    expect(style.look.background).toBeNull()
    expect(style.look.color === null || (style.look.color.kind === 'palette' && style.look.color.index < 16)).toBe(true)
  }
})

test('every built-in theme defines each meaning for sixteen colours', () => {
  for (const theme of made) {
    const missing = meanings.filter(meaning => {
      const style = theme.styles.get(meaning)
      const hasValue = style?.look.color?.kind === 'rgb' || style?.look.background?.kind === 'rgb'
      return !style || (hasValue && !style.sixteen)
    })
    expect(missing).toEqual([])
  }
})

test('backgrounds of a diff are subtle, and those of changed words stand out from them', () => {
  for (const theme of made) {
    const { backgrounds } = surroundings[theme.appearance === 'dark' ? 'dark' : 'light']
    for (const kind of ['added', 'removed'] as const) {
      const line = background(theme, `${kind}.line`)
      const word = background(theme, `${kind}.word`)
      for (const paper of backgrounds) expect(contrast(line, paper)).toBeLessThan(1.35)
      expect(contrast(line, word)).toBeGreaterThan(1.15)
    }
  }
})

function background(theme: ThemeDefinition, meaning: Meaning): Rgb {
  return toRgb(theme.styles.get(meaning)?.look.background ?? { kind: 'palette', index: 0 })
}

/** The colours of a theme that are too near to their background. */
function tooFaint(theme: ThemeDefinition, seen: (color: Color) => Rgb, least: number, inDiffs: number): string[] {
  const { backgrounds, text } = surroundings[theme.appearance === 'dark' ? 'dark' : 'light']
  const faint: string[] = []
  const check = (what: string, front: Rgb, behind: Rgb, wanted: number): void => {
    const found = contrast(front, behind)
    if (found < wanted) faint.push(`${what}: ${found.toFixed(2)}, not ${wanted}`)
  }
  for (const [meaning, { look }] of theme.styles) {
    const wanted = quiet.has(meaning) ? (least === 4.5 ? 3 : 4.5) : least
    const front = look.color && !look.attributes.includes('inverse') ? seen(look.color) : null
    if (front && look.background) check(`${meaning} on its own background`, front, seen(look.background), least)
    else if (front) for (const behind of backgrounds) check(meaning, front, behind, wanted)
  }
  // The content that may stand in the lines of a diff: plain text, code, signs.
  for (const place of ['added.line', 'removed.line', 'added.word', 'removed.word'] as const) {
    const behind = seen(theme.styles.get(place)?.look.background ?? { kind: 'palette', index: 0 })
    check(`text in ${place}`, text, behind, 4.5)
    for (const [meaning, { look }] of theme.styles) {
      const wanted = quiet.has(meaning) ? 3 : inDiffs
      if (/^(?:syntax|added$|removed$)/.test(meaning) && look.color)
        check(`${meaning} in ${place}`, seen(look.color), behind, wanted)
    }
  }
  return faint
}
