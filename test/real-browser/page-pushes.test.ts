/** Notifications of the page: what the server sends is shown, and opens the conversation that it is about. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { NotificationMessage } from '../../src/serve/notify/message.ts'
import { inChromium } from './browser.ts'
import { pageRow, sampleBlocks } from './page-sample.ts'
import { expectSeen, pageStage, pairedPage, useBuiltPage, type OpenedPage } from './page-stage.ts'
import { pageStatus } from './page-hub.ts'

const message: NotificationMessage = {
  version: 1,
  kind: 'question',
  title: 'zotui',
  body: 'a question waits in project',
  conversation: 'c1',
  place: '#/c/c1',
}

/** A paired page that may show notifications. */
async function notified(): Promise<OpenedPage> {
  const stage = await pageStage()
  stage.hub.setRows([pageRow()])
  stage.hub.setBlocks('c1', 0, sampleBlocks)
  stage.hub.setStatus('c1', pageStatus())
  const opened = await pairedPage(stage, { permissions: ['notifications'] })
  await opened.page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  return opened
}

/** As the push service of the browser would. */
async function deliver({ page, context }: OpenedPage, data: string): Promise<void> {
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>(resolve => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const { origin } = new URL(page.url())
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data })
  await session.detach()
}

const shown = async (page: Page): Promise<unknown[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const all = await registration.getNotifications()
    return all.map(({ title, body, tag, data }) => ({ title, body, tag, data: data as unknown }))
  })

inChromium('notifications', () => {
  useBuiltPage()

  test('show what the server says, and a later one takes the place of one about the same conversation', async () => {
    const opened = await notified()
    const { page } = opened
    await deliver(opened, JSON.stringify(message))
    const first = { title: 'zotui', body: message.body, tag: 'c1', data: '#/c/c1' }
    await expect.poll(() => shown(page)).toEqual([first])
    await deliver(opened, JSON.stringify({ ...message, body: '2 questions wait in project' }))
    await expect.poll(() => shown(page)).toEqual([{ ...first, body: '2 questions wait in project' }])
    expect(opened.complaints).toEqual([])
  })

  test.each([
    'no JSON',
    '{}',
    JSON.stringify({ ...message, version: 2 }),
    JSON.stringify({ ...message, body: { html: '<b>' } }),
    JSON.stringify(['constructor']),
  ])('of %s say that something waits', async data => {
    const opened = await notified()
    await deliver(opened, data)
    await expect
      .poll(() => shown(opened.page))
      .toEqual([{ title: 'zotui', body: 'something waits', tag: 'zotui', data: '#/' }])
  })

  test('lead to no place but one of this page', async () => {
    const opened = await notified()
    await deliver(opened, JSON.stringify({ ...message, place: 'https://evil.example/#/c/c1' }))
    await expect.poll(() => shown(opened.page)).toMatchObject([{ data: '#/' }])
  })

  test('a page that is open goes to the conversation that its worker names', async () => {
    const opened = await notified()
    const { page, context } = opened
    const [worker] = context.serviceWorkers()
    await worker?.evaluate(async () => {
      const scope = globalThis as unknown as {
        clients: { matchAll: () => Promise<{ postMessage: (data: string, transfer: []) => void }[]> }
      }
      const [client] = await scope.clients.matchAll()
      client?.postMessage('#/c/c1', [])
    })
    await expectSeen(page.getByText('Now I run the tests again'))
    expect(page.url()).toContain('#/c/c1')
  })
})
