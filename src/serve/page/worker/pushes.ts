/** Shows the notifications that the server sends, and opens the page at what one is about. It has no answers: those come after the whole question. */

declare const self: ServiceWorkerGlobalScope

type ShownPush = { body: string; tag: string; place: string }

/** What it must be called with for a subscription to stay: browsers want each push to be seen. */
const UNKNOWN: ShownPush = { body: 'something waits', tag: 'zotui', place: '#/' }

export function followPushes(): void {
  self.addEventListener('push', event => {
    const { body, tag, place } = readPush(event.data)
    event.waitUntil(self.registration.showNotification('zotui', { body, tag, data: place, icon: '/icon.svg' }))
  })
  self.addEventListener('notificationclick', event => {
    event.notification.close()
    event.waitUntil(openPlace(event.notification.data))
  })
}

/** As `NotificationMessage` of the server says it. */
function readPush(data: PushMessageData | null): ShownPush {
  try {
    const { version, body, conversation, place }: Partial<Record<string, unknown>> = data?.json() ?? {}
    if (version !== 1 || typeof body !== 'string' || typeof conversation !== 'string') return UNKNOWN
    return { body, tag: conversation, place: isPlace(place) ? place : '#/' }
  } catch {
    return UNKNOWN
  }
}

/** Only places of this page: an address of elsewhere is none. */
function isPlace(place: unknown): place is string {
  return typeof place === 'string' && /^#\/[^\s]*$/.test(place)
}

/** In a page that is open, or a new one. */
async function openPlace(place: unknown): Promise<void> {
  const hash = isPlace(place) ? place : '#/'
  const [open] = await self.clients.matchAll({ type: 'window' })
  if (!open) return void (await self.clients.openWindow(`/${hash}`))
  open.postMessage(hash, [])
  await open.focus()
}
