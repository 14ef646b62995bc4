/**
 * Screens as they are drawn: a text for each width, and for each scene the rows with what their colours mean. What the
 * meanings look like stands in `themes.txt`, so a changed colour changes that file only. Look at what you change here.
 */
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadCommonLanguages } from '../../src/markdown/code/languages.ts'
import { builtinTheme } from '../../src/style/builtin.ts'
import { emptyTheme, type ThemeDefinition } from '../../src/style/definition.ts'
import { createTheme, type Theme } from '../../src/style/theme.ts'
import { colorsByMeaning, emulated, type Caret, type EmulatedRow } from './emulated.ts'
import { scenes, statusScene, statusWidths, type Scene } from './scenes.ts'
import { drawShot } from './shots.ts'

const zone = process.env['TZ']

beforeAll(async () => {
  // A turn ends with the time of the day.
  process.env['TZ'] = 'UTC'
  await loadCommonLanguages()
})

afterAll(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

const dark = builtinTheme('dark') ?? emptyTheme
const light = builtinTheme('light') ?? emptyTheme

const byMeaning = (definition: ThemeDefinition): Theme => createTheme(3, { definition: colorsByMeaning(definition) })

/** All moments of a scene, one below the other, each with its caret. */
async function drawScene({ shots }: Scene, theme: Theme, columns: number): Promise<EmulatedRow[]> {
  const lines: string[] = []
  const carets: Caret[] = []
  for (const shot of shots) {
    const drawn = drawShot(shot, theme, columns)
    carets.push({ row: lines.length + drawn.cursor.row, column: drawn.cursor.column })
    for (const line of drawn.lines) lines.push(line)
  }
  return emulated(lines, columns, carets)
}

const textsOf = (rows: readonly EmulatedRow[]): string[] => rows.map(({ text }) => text)
const taggedOf = (rows: readonly EmulatedRow[]): string[] => rows.map(({ tagged }) => tagged)
const page = (lines: Iterable<string>): string => `${[...lines].join('\n')}\n`

/** A row that is the same in several widths stands there once. */
const distinct = (rows: readonly EmulatedRow[]): string => page(new Set(taggedOf(rows)))

describe.each(scenes)('$title', scene => {
  test('looks as it did in 120, 80 and 40 columns, alike in the dark and the light theme', async () => {
    const all: EmulatedRow[] = []
    for (const columns of [120, 80, 40]) {
      const rows = await drawScene(scene, byMeaning(dark), columns)
      const inLight = await drawScene(scene, byMeaning(light), columns)
      expect(taggedOf(inLight)).toEqual(taggedOf(rows))
      await expect(page(textsOf(rows))).toMatchFileSnapshot(`screens/${scene.name}-${columns}.txt`)
      all.push(...rows)
    }
    await expect(distinct(all)).toMatchFileSnapshot(`screens/${scene.name}-styles.txt`)
  })

  test.each([120, 40])('says no less without colours, in %d columns', async columns => {
    const [plain, coloured] = await Promise.all(
      [createTheme(0), createTheme(3, { definition: dark })].map(async theme => {
        const rows = await drawScene(scene, theme, columns)
        // The marks of Markdown are left without colours, and lines break elsewhere for that.
        return page(textsOf(rows)).replaceAll(/[\s#`*~_>▌]|[─-]+/g, '')
      }),
    )
    expect(plain).toBe(coloured)
  })
})

test('The status line looks as it did in all widths, alike in the dark and the light theme', async () => {
  const [rows = [], inLight = []] = await Promise.all(
    [dark, light].map(async definition => {
      const lines = statusScene.shots.flatMap(shot =>
        statusWidths.map(columns => drawShot(shot, byMeaning(definition), columns).lines.at(-1) ?? ''),
      )
      return emulated(lines, Math.max(...statusWidths))
    }),
  )
  expect(taggedOf(inLight)).toEqual(taggedOf(rows))
  await expect(page(textsOf(rows))).toMatchFileSnapshot('screens/status.txt')
  await expect(distinct(rows)).toMatchFileSnapshot('screens/status-styles.txt')
})

test('Each meaning looks as it did in the dark and the light theme, wherever it is drawn', async () => {
  const looks = new Map<string, Set<string>>()
  for (const scene of scenes) {
    const draw = async (theme: Theme): Promise<readonly string[]> =>
      (await drawScene(scene, theme, 80)).flatMap(({ styles }) => styles)
    const styles = await draw(byMeaning(dark))
    const inDark = await draw(createTheme(3, { definition: dark }))
    const inLight = await draw(createTheme(3, { definition: light }))
    for (const [index, style] of styles.entries()) {
      const seen = looks.get(style) ?? new Set()
      looks.set(style, seen.add(`${inDark[index]} | ${inLight[index]}`))
    }
  }
  const table = [...looks].map(([style, seen]) => `${style || '(none)'}: ${[...seen].join(' or ')}`)
  await expect(page(table.toSorted())).toMatchFileSnapshot('screens/themes.txt')
})

test.each([80, 40])('what only some agents report is said in words to a screen reader in %i columns', async columns => {
  const scene = scenes.find(({ name }) => name === 'reports')
  const theme = createTheme(0, { unicode: false, isSpoken: true })
  const lines = (scene?.shots ?? []).flatMap(shot => drawShot(shot, theme, columns).lines)
  await expect(page(lines)).toMatchFileSnapshot(`screens/reports-spoken-${columns}.txt`)
})
