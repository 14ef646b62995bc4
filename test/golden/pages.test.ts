/** The board and the page of a race as they are drawn. Look at what you change here. */
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtinTheme } from '../../src/style/builtin.ts'
import { emptyTheme, type ThemeDefinition } from '../../src/style/definition.ts'
import { createTheme, type Theme } from '../../src/style/theme.ts'
import { paintedLines } from '../helpers/lines.ts'
import { colorsByMeaning, emulated, type EmulatedRow } from './emulated.ts'
import { boardShots, raceShots, type PageShot } from './pages.ts'

const zone = process.env['TZ']

beforeAll(() => {
  process.env['TZ'] = 'UTC'
})

afterAll(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

const sizes = [
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
  { columns: 40, rows: 20 },
] as const

const dark = builtinTheme('dark') ?? emptyTheme
const light = builtinTheme('light') ?? emptyTheme
const byMeaning = (definition: ThemeDefinition): Theme => createTheme(3, { definition: colorsByMeaning(definition) })

async function drawn({ name, rows }: PageShot, theme: Theme, size: (typeof sizes)[number]): Promise<EmulatedRow[]> {
  const page = paintedLines(rows(theme, size))
  expect(page).toHaveLength(size.rows)
  return emulated([`[${name}]`, ...page], size.columns)
}

/** Blank rows that follow each other stand there once: most of a page is often empty. */
const squeezed = (lines: readonly string[]): string =>
  `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`

describe.each([
  ['board', boardShots],
  ['race', raceShots],
] as const)('the page %s', (page, shots) => {
  test('looks as it did in three sizes, alike in the dark and the light theme', async () => {
    const styles = new Set<string>()
    for (const size of sizes) {
      const texts: string[] = []
      for (const shot of shots) {
        const rows = await drawn(shot, byMeaning(dark), size)
        const inLight = await drawn(shot, byMeaning(light), size)
        const tagged = rows.map(row => row.tagged)
        expect(inLight.map(row => row.tagged)).toEqual(tagged)
        for (const row of tagged) styles.add(row)
        texts.push(...rows.map(row => row.text))
      }
      await expect(squeezed(texts)).toMatchFileSnapshot(`screens/page-${page}-${size.columns}.txt`)
    }
    await expect(squeezed([...styles])).toMatchFileSnapshot(`screens/page-${page}-styles.txt`)
  })

  test.each(sizes)('says no less without colours, in $columns columns', async size => {
    for (const shot of shots) {
      const [plain, coloured] = await Promise.all(
        [createTheme(0), createTheme(3, { definition: dark })].map(async theme =>
          (await drawn(shot, theme, size)).map(({ text }) => text).join('\n'),
        ),
      )
      expect(plain).toBe(coloured)
    }
  })

  test.each(sizes)('has no signs but ASCII for terminals without others, in $columns columns', async size => {
    const [plain, unicode] = [createTheme(0, { unicode: false }), createTheme(0)].map(theme =>
      Object.values(theme.signs).flat(),
    )
    const others = new Set(unicode?.filter(sign => !plain?.includes(sign) && /[^ -~]/.test(sign)))
    for (const { rows } of shots) {
      const text = rows(createTheme(0, { unicode: false }), size)
        .map(row => row.text.slice(0, 4))
        .join('')
      expect([...others].filter(sign => text.includes(sign))).toEqual([])
    }
  })
})
