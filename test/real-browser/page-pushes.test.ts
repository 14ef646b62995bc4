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

type NotifiedPage = OpenedPage & {
  /** As the push service of the browser would. It returns when the worker has done with the push. */
  deliver: (data: string) => Promise<void>
}

/** A paired page that may show notifications. */
async function notified(): Promise<NotifiedPage> {
  const stage = await pageStage()
  stage.hub.setRows([pageRow()])
  stage.hub.setBlocks('c1', 0, sampleBlocks)
  stage.hub.setStatus('c1', pageStatus())
  const opened = await pairedPage(stage, { permissions: ['notifications'] })
  await expect.poll(() => opened.page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  return { ...opened, deliver: await pushService(opened) }
}

async function pushService({ page, context }: OpenedPage): Promise<NotifiedPage['deliver']> {
  const session = await context.newCDPSession(page)
  const registrations: string[] = []
  session.on('ServiceWorker.workerRegistrationUpdated', updated =>
    registrations.push(...updated.registrations.map(({ registrationId }) => registrationId)),
  )
  const outcomes: string[] = []
  session.on('BackgroundService.backgroundServiceEventReceived', ({ backgroundServiceEvent }) => {
    const { eventName, eventMetadata } = backgroundServiceEvent
    if (eventName === 'Push event completed') outcomes.push(...eventMetadata.map(({ value }) => value))
  })
  await session.send('BackgroundService.setRecording', { service: 'pushMessaging', shouldRecord: true })
  await session.send('BackgroundService.startObserving', { service: 'pushMessaging' })
  await session.send('ServiceWorker.enable')
  await expect.poll(() => registrations.length).toBeGreaterThan(0)
  const [registrationId = ''] = registrations
  const { origin } = new URL(page.url())
  return async data => {
    const before = outcomes.length
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
    await expect.poll(() => outcomes.slice(before)).toEqual(['Success'])
  }
}

/**
 * What is shown now. Only after the end of a push: Chromium writes a notification down, shows it, and forgets those that are written down but not
 * shown whenever a page asks. A page that asks between the two would take the notification away.
 */
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
    const { page, deliver } = opened
    await deliver(JSON.stringify(message))
    const first = { title: 'zotui', body: message.body, tag: 'c1', data: '#/c/c1' }
    expect(await shown(page)).toEqual([first])
    await deliver(JSON.stringify({ ...message, body: '2 questions wait in project' }))
    expect(await shown(page)).toEqual([{ ...first, body: '2 questions wait in project' }])
    expect(opened.complaints).toEqual([])
  })

  test.each([
    'no JSON',
    '{}',
    JSON.stringify({ ...message, version: 2 }),
    JSON.stringify({ ...message, body: { html: '<b>' } }),
    JSON.stringify(['constructor']),
  ])('of %s say that something waits', async data => {
    const { page, deliver } = await notified()
    await deliver(data)
    expect(await shown(page)).toEqual([{ title: 'zotui', body: 'something waits', tag: 'zotui', data: '#/' }])
  })

  test('lead to no place but one of this page', async () => {
    const { page, deliver } = await notified()
    await deliver(JSON.stringify({ ...message, place: 'https://evil.example/#/c/c1' }))
    expect(await shown(page)).toMatchObject([{ data: '#/' }])
  })

  test('a page that is open goes to the conversation that its worker names', async () => {
    const opened = await notified()
    const { page, context } = opened
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    await worker.evaluate(async () => {
      const scope = globalThis as unknown as {
        clients: { matchAll: () => Promise<{ postMessage: (data: string, transfer: []) => void }[]> }
      }
      for (const client of await scope.clients.matchAll()) client.postMessage('#/c/c1', [])
    })
    await expectSeen(page.getByText('Now I run the tests again'))
    expect(page.url()).toContain('#/c/c1')
  })
})
