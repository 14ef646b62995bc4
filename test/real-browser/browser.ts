/** Exported pages in a real Chromium, opened from files as their readers do. Without a Chromium each test is skipped. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, describe } from 'vitest'
import { exported } from '../../src/export/formats.ts'
import type { Transcript } from '../../src/export/schema.ts'
import { chromiumProgram, startChromium } from './chromium.ts'

export const inChromium = existsSync(chromiumProgram) ? describe : describe.skip

/** An exported page that is open. */
export type OpenPage = {
  page: Page
  file: string
  /** The addresses that the page asked for, its own file first. */
  requests: string[]
  /** The errors of its console, such as a load that its policy refused. */
  complaints: string[]
}

let browser: Promise<Browser> | undefined
const folder = mkdtempSync(path.join(tmpdir(), 'zotui-page-'))

afterAll(async () => {
  await (await browser)?.close()
  rmSync(folder, { recursive: true })
})

/** Opens a session, or the text of a page, in a profile of its own. The tests of a file share one Chromium. */
export async function openPage(source: Transcript | string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  browser ??= startChromium()
  const file = path.join(folder, 'session.html')
  writeFileSync(file, typeof source === 'string' ? source : await exported(source, 'html', { zone: 'UTC' }))
  const context = await (await browser).newContext({ viewport: { width: 1000, height: 800 }, ...options })
  const page = await context.newPage()
  const opened: OpenPage = { page, file, requests: [], complaints: [] }
  page.on('request', request => opened.requests.push(request.url()))
  page.on('console', message => {
    if (message.type() === 'error') opened.complaints.push(message.text())
  })
  page.on('pageerror', error => opened.complaints.push(error.message))
  await page.goto(pathToFileURL(file).href)
  return opened
}
