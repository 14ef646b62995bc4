/**
 * Makes the pictures of pages in `docs/screenshots` in a real Chromium: of the demo's tour, exported by the real program, and of the page of
 * `zotui serve` on its real server. Without a Chromium it says so and leaves the pictures as they are.
 */
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { startServer, type ConversationServer } from '../src/serve/server.ts'
import { staticFiles } from '../src/serve/static-files.ts'
import { PageHub, pageStatus, servedQuestion } from '../test/real-browser/page-hub.ts'
import { sampleBlocks, sampleRows, shortCommand } from '../test/real-browser/page-sample.ts'
import { buildPage } from './build-page.ts'
import { chromiumProgram, startChromium } from '../test/real-browser/chromium.ts'
import { openStage } from './stage.ts'
import { dark } from './svg.ts'

const folder = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))

if (existsSync(chromiumProgram)) {
  await takeServedPictures()
  await takePictures()
} else console.log(`skipped: there is no ${chromiumProgram}; set ZOTUI_CHROMIUM to the path of a Chromium`)

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

async function takeServedPictures(): Promise<void> {
  const built = mkdtempSync(path.join(tmpdir(), 'zotui-web-'))
  await buildPage(fileURLToPath(new URL('..', import.meta.url)), built)
  const hub = new PageHub()
  hub.setRows(sampleRows(Date.now()))
  hub.setBlocks('c1', 0, sampleBlocks)
  hub.setStatus(
    'c1',
    pageStatus({
      isWorking: true,
      activity: 'waits for an answer',
      models: [
        { id: 'sonnet', name: 'Sonnet' },
        { id: 'opus', name: 'Opus' },
      ],
      tokens: { input: 12_400, output: 3120 },
      costUsd: 0.42,
      queue: { entries: [{ id: 'e1', text: 'Then update the changelog.' }], paused: false },
      watchers: ['Pixel 8', 'Office Mac'],
    }),
  )
  hub.setQuestions('c1', [
    servedQuestion({ html: shortCommand, title: 'bash npm test -- --run test/text && git push' }),
  ])
  const server = await startServer({
    port: 0,
    at: null,
    stateFolder: mkdtempSync(path.join(tmpdir(), 'zotui-serve-')),
    hub,
    files: staticFiles(built),
    notifier: null,
    tunnels: () => [],
    version: '',
    now: () => Date.now(),
    elapsed: () => performance.now(),
    log: () => undefined,
  })
  const browser = await startChromium()
  try {
    for (const colorScheme of ['dark', 'light'] as const) await takeServed(browser, server, colorScheme)
  } finally {
    await browser.close()
    await server.close()
  }
}

async function takeServed(browser: Browser, server: ConversationServer, colorScheme: 'dark' | 'light'): Promise<void> {
  const page = await browser.newPage({ colorScheme, viewport: { width: 390, height: 844 } })
  server.act({ do: 'pair', role: 'steer' })
  await page.goto(server.view().pairing?.link ?? '')
  await page.getByLabel('The name of this device').fill('Pixel 8')
  await page.getByRole('button', { name: 'Pair this device' }).click()
  await page.locator('.number').waitFor()
  server.act({ do: 'answer', id: server.view().waiting[0]?.id ?? '', yes: true })
  await page.locator('a.conversation').first().waitFor()
  await save(page, `phone-list-${colorScheme}`)
  await page.locator('a.conversation').first().click()
  await page.getByText('Now I run the tests again').waitFor()
  await page.getByRole('button', { name: 'Review' }).click()
  await page.locator('.question-foot .primary:enabled').waitFor()
  await save(page, `phone-question-${colorScheme}`)
  await page.setViewportSize({ width: 1440, height: 900 })
  await save(page, `serve-${colorScheme}`)
}

/** Nothing moves on it. */
async function save(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.mouse.move(0, 0)
  await page.screenshot({ path: `${folder}${name}.png`, animations: 'disabled', caret: 'hide' })
}
