/** The page on bad networks: lost, slow, asleep, and beside another page. */
import { expect, test } from 'vitest'
import { inChromium } from './browser.ts'
import { pageStatus, servedQuestion } from './page-hub.ts'
import { pageRow, sampleBlocks, shortCommand } from './page-sample.ts'
import { expectSeen, openConversation, pageStage, useBuiltPage, type PageStage } from './page-stage.ts'

async function oneConversation(): Promise<PageStage> {
  const stage = await pageStage()
  stage.hub.setRows([pageRow()])
  stage.hub.setBlocks('c1', 0, sampleBlocks)
  stage.hub.setStatus('c1', pageStatus())
  return stage
}

inChromium('the connection', () => {
  useBuiltPage()

  test('comes back after the network was gone, with what was missed and nothing twice', async () => {
    const stage = await oneConversation()
    const { page, context } = await openConversation(stage)
    await context.setOffline(true)
    await expectSeen(page.getByText('No network.'))
    stage.hub.add('c1', '<p>Said meanwhile.</p>')
    await context.setOffline(false)
    await expectSeen(page.getByText('Said meanwhile.'))
    await page.locator('.banner').waitFor({ state: 'hidden' })
    expect(await page.getByText('Said meanwhile.').count()).toBe(1)
    expect(stage.hub.streams.at(-1)).toMatchObject({ epoch: stage.hub.epoch, watch: 'c1' })
    expect(stage.hub.streams.at(-1)?.since).toBeGreaterThan(0)
  })

  test('opens without a network, from what the browser keeps, and says so', async () => {
    const stage = await oneConversation()
    const { page, context } = await openConversation(stage)
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    await context.setOffline(true)
    await page.reload()
    await expectSeen(page.getByText('No network.'))
    const kept = await page.evaluate(async () => {
      const [name = ''] = await caches.keys()
      const requests = await (await caches.open(name)).keys()
      return requests.map(({ url }) => new URL(url).pathname).toSorted()
    })
    expect(kept).toEqual([
      '/',
      '/app.css',
      '/app.js',
      '/icon-180.png',
      '/icon-192.png',
      '/icon-512.png',
      '/icon.svg',
      '/manifest.webmanifest',
    ])
  })

  test('an answer whose reply was lost is sent again with the same id', async () => {
    const stage = await oneConversation()
    stage.hub.setQuestions('c1', [servedQuestion({ html: shortCommand })])
    const { page } = await openConversation(stage)
    let lost = 0
    await page.route('**/api/call', async route => {
      lost += 1
      if (lost > 1) return route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Allow once' }).click()
    await expect.poll(() => stage.hub.calls.length).toBe(2)
    const [first, second] = stage.hub.calls
    expect(second?.call).toEqual(first?.call)
    await expectSeen(page.locator('.message', { hasText: 'Allowed.' }))
  })

  test('on a slow network shows that an answer is on its way, and sends it once', async () => {
    const stage = await oneConversation()
    stage.hub.setQuestions('c1', [servedQuestion({ html: shortCommand })])
    const { promise, resolve } = Promise.withResolvers<void>()
    stage.hub.reply = async () => {
      await promise
      return { ok: true, how: 'done' }
    }
    const { page } = await openConversation(stage)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Allow once' }).click()
    await expectSeen(page.getByText('Sending…'))
    expect(await page.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true)
    resolve()
    await expectSeen(page.locator('.message', { hasText: 'Allowed.' }))
    expect(stage.hub.calls.length).toBe(1)
  })

  test('that died while the machine slept is made again when somebody looks', async () => {
    const stage = await oneConversation()
    const { page } = await openConversation(stage)
    const before = stage.hub.streams.length
    await page.evaluate(() => {
      const real = Date.now
      Date.now = () => real() + 3_600_000
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expect.poll(() => stage.hub.streams.length).toBe(before + 1)
  })

  test('to a server that ends says so, and is there again when the server is', async () => {
    const stage = await oneConversation()
    const { page } = await openConversation(stage)
    await stage.server.close()
    await expectSeen(page.getByText('The server was stopped.'))
    expect(await page.getByRole('button', { name: 'Try now' }).isVisible()).toBe(true)
  })

  test('of two browsers shows both the same, and an answer of one takes the question from the other', async () => {
    const stage = await oneConversation()
    stage.hub.setQuestions('c1', [servedQuestion({ html: shortCommand })])
    stage.hub.reply = () => {
      stage.hub.setQuestions('c1', [])
      return { ok: true, how: 'done' }
    }
    const one = await openConversation(stage)
    const other = await openConversation(stage, undefined, {
      name: 'Office Mac',
      viewport: { width: 1440, height: 900 },
    })
    await other.page.getByRole('button', { name: 'Review' }).click()
    await one.page.getByRole('button', { name: 'Review' }).click()
    await one.page.getByRole('button', { name: 'Allow once' }).click()
    await other.page.locator('.question-card').waitFor({ state: 'hidden' })
    stage.hub.add('c1', '<p>For both.</p>')
    await expectSeen(one.page.getByText('For both.'))
    await expectSeen(other.page.getByText('For both.'))
    expect(stage.hub.calls.map(({ device }) => device)).toEqual(['Pixel 8'])
  })
})
