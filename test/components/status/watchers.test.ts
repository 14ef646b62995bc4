/** Who watches from elsewhere: in the status line, and in words. */
import { expect, test } from 'vitest'
import { announcementLines } from '../../../components/screen/announcements.ts'
import { statusLine } from '../../../components/status/rows.ts'
import { watchersFact } from '../../../components/status/watchers.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { stateWith, theme } from '../stage.ts'

const watched = (...watchers: string[]) => stateWith({ watchers })
const line = (width: number, ...names: string[]): string =>
  statusLine(watched(...names), theme, width, { plan: () => null, watchers: watchersFact }).text

test('a device has its name, several are counted, and a narrow line has one word', () => {
  expect(line(100)).not.toContain('watch')
  expect(line(100, 'Pixel 8')).toContain('  Pixel 8 watches  ')
  expect(line(100, 'Pixel 8', 'Laptop')).toContain('  2 watch  ')
  expect(line(14, 'Pixel 8')).toMatch(/^ {2}watched/)
})

test('it stands although the user has chosen no facts', () => {
  const state = { ...watched('Pixel 8'), statusFacts: [] }
  expect(statusLine(state, theme, 80, { plan: () => null, watchers: watchersFact }).text).toContain('Pixel 8 watches')
})

test('a name cannot write to the terminal, nor fill the line', () => {
  expect(line(100, '\u001B[2Jevil\nname')).toContain('evil name watches')
  expect(line(100, 'n'.repeat(90))).toMatch(/ n{10,19}.* watches/)
  expect(line(100, 'n'.repeat(90)).length).toBeLessThan(101)
})

test('a screen reader hears who comes, and that nobody is left', () => {
  const spoken = createTheme(0, { unicode: false, isSpoken: true })
  const said = (before: string[], now: string[]) =>
    announcementLines(watched(...before), watched(...now), { theme: spoken, commands: [] }).map(String)
  expect(said([], ['Pixel 8'])).toContain('Pixel 8 watches')
  expect(said(['Pixel 8'], ['Pixel 8', 'Laptop'])).toContain('2 watch')
  expect(said(['Pixel 8'], [])).toContain('nobody watches any more')
  expect(said(['Pixel 8'], ['Pixel 8'])).toEqual([])
})
