/**
 * Keeps the files of the page, and nothing else, so that it opens without a network and says so. The network comes first: what is kept is used
 * only if the server does not answer. It shows notifications, too.
 */
import { followPushes } from './pushes.ts'

declare const self: ServiceWorkerGlobalScope
/** The build puts a hash of the files here. */
declare const ZOTUI_PAGE: { version: string; files: readonly string[] }

const cacheName = `zotui ${ZOTUI_PAGE.version}`
/** Milliseconds. */
const PATIENCE = 4000

self.addEventListener('install', event => {
  event.waitUntil(keepFiles())
})

self.addEventListener('activate', event => {
  event.waitUntil(forgetOthers())
})

self.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  const name = request.mode === 'navigate' ? '/' : pathname
  if (ZOTUI_PAGE.files.includes(name)) event.respondWith(answer(request, name))
})

followPushes()

async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName)
  await cache.addAll(ZOTUI_PAGE.files.map(file => new Request(file, { cache: 'reload' })))
  await self.skipWaiting()
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter(name => name !== cacheName).map(async name => caches.delete(name)))
  await self.clients.claim()
}

async function answer(request: Request, name: string): Promise<Response> {
  try {
    const reply = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) })
    // A tunnel whose other end is gone answers with a page of its own.
    if (reply.ok && reply.headers.get('content-security-policy')?.includes('trusted-types zotui')) return reply
    return (await kept(name)) ?? reply
  } catch (error) {
    const found = await kept(name)
    if (found) return found
    throw error
  }
}

async function kept(name: string): Promise<Response | undefined> {
  const cache = await caches.open(cacheName)
  return cache.match(name)
}
