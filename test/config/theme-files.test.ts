import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { UserError } from '../../src/platform/errors.ts'
import { createThemes, type Themes } from '../../src/config/theme-files.ts'
import { zotHome } from '../../src/agents/zot/program/home.ts'

let home = ''
let themes: Themes

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'zotui-themes-'))
  for (const folder of ['own', 'zot']) mkdirSync(join(home, folder))
  themes = createThemes({ own: join(home, 'own'), zot: join(home, 'zot') })
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

function put(name: string, content: unknown): string {
  const path = join(home, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

function complaint(wanted: string): string {
  try {
    themes.find(wanted, 'dark')
  } catch (error) {
    if (error instanceof UserError) return `${error.message} ${error.hint}`
    throw error
  }
  return ''
}

const named = (wanted: string, background: 'dark' | 'light' | null = 'dark') => {
  const { theme, dependsOnBackground } = themes.find(wanted, background)
  return [theme.name, dependsOnBackground]
}

const builtin = ['auto', 'dark', 'light', 'ansi', 'high-contrast', 'colorblind']

test('the list has the built-in themes, and pairs for two backgrounds once', () => {
  expect(themes.list().map(row => row.name)).toEqual(builtin)
  expect(themes.list().find(row => row.name === 'high-contrast')?.detail).toBe('strong colours')
})

test('missing theme folders are empty', () => {
  const list = createThemes({ own: join(home, 'no'), zot: join(home, 'nothing') }).list()
  expect(list.map(row => row.name)).toEqual(builtin)
})

test('auto and pairs choose by the background', () => {
  expect(named('auto', 'dark')).toEqual(['dark', true])
  expect(named('auto', 'light')).toEqual(['light', true])
  expect(named('auto', null)).toEqual(['ansi', true])
  expect(named('colorblind', 'light')).toEqual(['colorblind-light', true])
  expect(named('colorblind', null)).toEqual(['colorblind-dark', true])
  expect(named('colorblind-light', 'dark')).toEqual(['colorblind-light', false])
  expect(named('light', 'dark')).toEqual(['light', false])
})

test("the user's themes come before the built-in ones, and may be pairs", () => {
  put('own/dark.json', { description: 'darker' })
  put('own/sea-dark.json', {})
  put('own/sea-light.json', { description: 'as the sea' })
  expect(themes.list()).toContainEqual({ name: 'dark', detail: 'yours: darker' })
  expect(themes.list().filter(row => row.name === 'dark')).toHaveLength(1)
  expect(themes.list().filter(row => row.name.startsWith('sea'))).toEqual([{ name: 'sea', detail: 'yours' }])
  expect(named('sea', 'light')).toEqual(['sea-light', true])
})

test('themes of zot are offered, renamed if their name is taken', () => {
  put('zot/nord.json', { description: 'cold', accent: 33 })
  put('zot/dark.json', { accent: 34 })
  expect(themes.list().slice(builtin.length)).toEqual([
    { name: 'zot:dark', detail: 'zot' },
    { name: 'nord', detail: 'zot: cold' },
  ])
  expect(named('nord')).toEqual(['nord', true])
  expect(named('zot:nord')).toEqual(['zot:nord', true])
  expect(themes.find('zot:dark', 'dark').theme.styles.get('accent')?.look.color).toEqual({ kind: 'palette', index: 34 })
  expect(themes.find('dark', 'dark').theme.styles.get('accent')?.look.color).toMatchObject({ kind: 'rgb' })
})

test('unreadable parts of a theme of zot are ignored', () => {
  put('zot/odd.json', { accent: 999, muted: 240 })
  expect(themes.find('odd', 'dark').warnings).toEqual([expect.stringMatching(/^accent: /)])
})

test('a theme can be loaded by its path, of ours or of zot', () => {
  const ours = put('one.json', { styles: { accent: 'red' } })
  const theirs = put('two.json', { accent: 204 })
  expect(named(ours)).toEqual(['one', false])
  expect(named(theirs)).toEqual(['two', true])
  put('three.json', '\uFEFF{}')
  expect(named(join(home, 'three.json'))).toEqual(['three', false])
})

test('a broken theme stays in the list, marked as such', () => {
  put('own/broken.json', '{')
  put('own/strange.json', '12')
  put('own/\u001b[31m.json', '{}')
  put('own/.hidden.json', '{}')
  const [broken, strange, ...more] = themes.list().slice(builtin.length)
  expect(broken?.detail).toMatch(/^yours: .*not valid JSON/)
  expect(strange).toEqual({ name: 'strange', detail: 'yours' })
  expect(more).toEqual([])
})

test('every mistake in the choice of a theme says what to do', () => {
  expect(complaint('drak')).toBe('There is no theme "drak". Did you mean dark?')
  expect(complaint('something')).toContain('The themes are auto, dark, light, ansi')
  expect(complaint('./no.json')).toBe('There is no file ./no.json. A theme is a name or the path of a JSON file.')
  expect(complaint(`${home}/own`)).toMatch(/is a folder\. A theme is/)
  expect(complaint(put('bad.json', '{\n  "a": \u001b[2J\n}'))).toMatch(/is not valid JSON\. Unexpected token/)
  expect(complaint(put('bad.json', '{ \u001b[2J'))).not.toContain('\u001b')
  expect(complaint(put('big.json', ' '.repeat(1_000_001)))).toMatch(/is larger than 1 MB/)
  const wrong = complaint(put('wrong.json', { styles: { a1: 'x', b2: 'x', dim: 'x', ok: 'x', accent: 'x' } }))
  expect(wrong).toMatch(/wrong\.json has mistakes: styles\.a1: .*; styles\.b2: .*; and \d more/)
})

test.each([
  [{ ZOT_HOME: '/z' }, 'linux', '/z'],
  [{}, 'linux', '/home/me/.local/state/zot'],
  [{ XDG_STATE_HOME: '/state' }, 'linux', '/state/zot'],
  [{ XDG_STATE_HOME: '/state' }, 'darwin', '/state/zot'],
] as const)('the home of zot with %j on %s', (env, platform, wanted) => {
  expect(zotHome(env, platform, '/home/me').replaceAll('\\', '/')).toBe(wanted)
})
