/**
 * Makes the pictures of an exported page in `docs/screenshots`: the demo's tour, exported by the real program and opened
 * in a real Chromium. Without a Chromium it says so and leaves the pictures as they are.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromiumProgram, startChromium } from '../test/real-browser/chromium.ts'
import { openStage } from './stage.ts'
import { dark } from './svg.ts'

const folder = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))

if (existsSync(chromiumProgram)) await takePictures()
else console.log(`skipped: there is no ${chromiumProgram}; set ZOTUI_CHROMIUM to the path of a Chromium`)

async function takePictures(): Promise<void> {
  let project = ''
  const stage = await openStage({
    columns: 100,
    rows: 30,
    args: ['--demo'],
    colors: dark,
    prepare(home) {
      ;({ project } = home)
      return {}
    },
  })
  const browser = await startChromium()
  try {
    await stage.type('tour')
    await stage.press('enter')
    await stage.see('start zotui again.')
    await stage.see('14:02')
    await stage.type('/export html page.html')
    await stage.press('enter')
    await stage.see('Written:')
    for (const colorScheme of ['dark', 'light'] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 900, height: 760 } })
      await page.goto(pathToFileURL(path.join(project, 'page.html')).href)
      await page.getByRole('searchbox').fill('segmenter.segment')
      await page.keyboard.press('Enter')
      await page.screenshot({ path: `${folder}page-${colorScheme}.png` })
    }
  } finally {
    await browser.close()
    stage.end()
  }
}
