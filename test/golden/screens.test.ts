/** Screens as they are drawn, as texts and as pictures: who changes one looks at it. */
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dark, light, toSvg, type Palette } from '../../scripts/svg.ts'
import { loadCommonLanguages } from '../../src/markdown/languages.ts'
import { builtinTheme } from '../../src/style/builtin.ts'
import { createTheme, type Theme } from '../../src/style/theme.ts'
import { emulated } from './emulated.ts'
import { scenes, statusScene, statusWidths, type Scene } from './scenes.ts'
import { drawShot, type Drawn } from './shots.ts'

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

const looks: Readonly<Record<'dark' | 'light', { palette: Palette; theme: Theme }>> = {
  dark: { palette: dark, theme: themeNamed('dark') },
  light: { palette: light, theme: themeNamed('light') },
}

function themeNamed(name: string): Theme {
  return createTheme(3, { definition: builtinTheme(name) })
}

/** All moments of a scene, one below the other; the caret is that of the last. */
function drawScene({ shots }: Scene, theme: Theme, columns: number): Drawn {
  const lines: string[] = []
  let cursor = { row: 0, column: 0 }
  for (const shot of shots) {
    const drawn = drawShot(shot, theme, columns)
    cursor = { row: lines.length + drawn.cursor.row, column: drawn.cursor.column }
    for (const line of drawn.lines) lines.push(line)
  }
  return { lines, cursor }
}

describe.each(scenes)('$title', scene => {
  test.each([120, 80, 40])('in %d columns', async columns => {
    const texts = new Map<string, string>()
    for (const [name, { palette, theme }] of Object.entries(looks)) {
      const { lines, cursor } = drawScene(scene, theme, columns)
      const { picture, text } = await emulated(lines, columns, cursor)
      texts.set(name, text)
      const file = `${scene.name}-${columns}-${name}.svg`
      await expect(toSvg(picture, palette, scene.title)).toMatchFileSnapshot(`screens/${file}`)
    }
    await expect(texts.get('dark')).toMatchFileSnapshot(`screens/${scene.name}-${columns}.txt`)
    expect(texts.get('light')).toBe(texts.get('dark'))
  })

  test.each([120, 40])('in %d columns it says no less without colours', async columns => {
    const [plain, coloured] = await Promise.all(
      [createTheme(0), themeNamed('dark')].map(async theme => {
        const { lines, cursor } = drawScene(scene, theme, columns)
        // Where there are no colours the marks of Markdown are left, and lines break elsewhere for that.
        return (await emulated(lines, columns, cursor)).text.replaceAll(/[\s#`*~_>▌]|[─-]+/g, '')
      }),
    )
    expect(plain).toBe(coloured)
  })
})

test('The status line in all widths', async () => {
  const texts: string[] = []
  for (const [name, { palette, theme }] of Object.entries(looks)) {
    const lines = statusScene.shots.flatMap(shot =>
      statusWidths.map(columns => drawShot(shot, theme, columns).lines.at(-1) ?? ''),
    )
    const { picture, text } = await emulated(lines, Math.max(...statusWidths), null)
    texts.push(text)
    await expect(toSvg(picture, palette, statusScene.title)).toMatchFileSnapshot(`screens/status-${name}.svg`)
  }
  await expect(texts[0]).toMatchFileSnapshot('screens/status.txt')
  expect(texts[1]).toBe(texts[0])
})
