/** Web Push: the subscriptions of devices, in memory, and messages to them. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isListed, type HostRule } from '../../sandbox/network/hosts.ts'
import type { Timers } from '../../platform/timers.ts'
import { encryptPush, isPublicKey, type PushTarget } from './encrypt-push.ts'
import type { NotificationMessage } from './message.ts'
import { post, type PostReply, type PostWay } from './post.ts'
import type { PushKey } from './push-key.ts'

/** The services of the browsers. Whoever has a device must not make this machine send requests to anybody else. */
const services: readonly HostRule[] = [
  // Chrome, Edge on Android, Brave, Opera, Samsung Internet.
  { host: 'fcm.googleapis.com', isForSubdomains: false, ports: [443] },
  // Firefox.
  { host: 'push.services.mozilla.com', isForSubdomains: true, ports: [443] },
  // Safari.
  { host: 'push.apple.com', isForSubdomains: true, ports: [443] },
  // Edge on Windows.
  { host: 'notify.windows.com', isForSubdomains: true, ports: [443] },
]

const base64url = (bytes: number) =>
  z
    .string()
    .max(120)
    .regex(/^[\w-]+={0,2}$/)
    .transform(text => Buffer.from(text, 'base64url'))
    .refine(({ length }) => length === bytes)

const subscriptionSchema = z.object({
  endpoint: z.url({ protocol: /^https$/ }).max(2000),
  keys: z.object({ p256dh: base64url(65).refine(isPublicKey), auth: base64url(16) }),
})

type Subscription = { endpoint: URL; target: PushTarget; failures: number }

export type WebPushOptions = {
  key: PushKey
  /** An address of the sender, for the services: a URL, or `mailto:`. */
  contact: string
  /** Milliseconds since the Unix epoch. */
  now: () => number
  way: PostWay
  timers: Timers
  /** The services to use instead of those of the browsers. */
  services?: readonly HostRule[]
}

/** Devices with a subscription. */
const MOST = 50
/** Messages in a row that a service refuses before its subscription is dropped. */
const MOST_FAILURES = 5
/** Seconds that a service keeps a message for a device that is off. */
const KEPT = 6 * 3600

export class WebPush {
  readonly #options: WebPushOptions
  readonly #subscriptions = new Map<string, Subscription>()

  constructor(options: WebPushOptions) {
    this.#options = options
  }

  get publicKey(): string {
    return this.#options.key.publicKey
  }

  /** Takes the subscription of a device, in the place of its last one; null ends it. `message` is a sentence for the person at the device. */
  subscribe(device: string, subscription: unknown): { ok: boolean; message: string } {
    this.forget(device)
    if (subscription === null) return { ok: true, message: '' }
    const read = subscriptionSchema.safeParse(subscription)
    const endpoint = read.success ? new URL(read.data.endpoint) : null
    if (!read.success || !endpoint) return { ok: false, message: 'This is no subscription to notifications.' }
    const port = endpoint.port === '' ? 443 : Number(endpoint.port)
    const hasCredentials = endpoint.username !== '' || endpoint.password !== ''
    if (hasCredentials || !isListed(this.#options.services ?? services, endpoint.hostname, port))
      return { ok: false, message: 'zotui does not know the push service of this browser, and sends nothing to it.' }
    if (this.#subscriptions.size >= MOST) return { ok: false, message: 'Too many devices get notifications.' }
    const { p256dh, auth } = read.data.keys
    this.#subscriptions.set(device, { endpoint, target: { publicKey: p256dh, auth }, failures: 0 })
    return { ok: true, message: '' }
  }

  forget(device: string): void {
    this.#subscriptions.delete(device)
  }

  /** Sends it to all devices. Resolves to a problem of each that did not get it, as a sentence. Never rejects. */
  async send(message: NotificationMessage): Promise<string[]> {
    const problems = await Promise.all(
      [...this.#subscriptions].map(([device, subscription]) => this.#sendTo(device, subscription, message)),
    )
    return problems.filter(problem => problem !== '')
  }

  async #sendTo(device: string, subscription: Subscription, message: NotificationMessage): Promise<string> {
    const { endpoint, target } = subscription
    const { key, contact, now, way, timers } = this.#options
    const headers = {
      Authorization: key.authorization(endpoint, contact, now()),
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': 'aes128gcm',
      TTL: String(KEPT),
      Urgency: message.kind === 'question' ? 'high' : 'normal',
      Topic: topicOf(message),
    }
    const sent = { url: endpoint, headers, body: encryptPush(Buffer.from(JSON.stringify(message)), target) }
    const first = await post(sent, way)
    if (isPassing(first)) await new Promise<void>(resolve => void timers.after(first.retryAfter, resolve))
    const reply = isPassing(first) ? await post(sent, way) : first
    const problem = problemOf(reply)
    if (problem === '') subscription.failures = 0
    else subscription.failures += 1
    const isGone = 'status' in reply && (reply.status === 404 || reply.status === 410)
    const isCurrent = this.#subscriptions.get(device) === subscription
    if (isCurrent && (isGone || subscription.failures >= MOST_FAILURES)) this.forget(device)
    // A browser that has ended its subscription is no problem.
    return problem === '' || isGone ? '' : `Notification: ${endpoint.hostname} ${problem}.`
  }
}

/** The service is too busy just now. */
function isPassing(reply: PostReply): reply is Exclude<PostReply, { problem: string }> {
  return 'status' in reply && (reply.status === 429 || reply.status >= 500)
}

function problemOf(reply: PostReply): string {
  if ('problem' in reply) return reply.problem
  return reply.status >= 200 && reply.status < 300 ? '' : `refuses it (${reply.status})`
}

/** A later message about a conversation replaces one that a device has not got yet. */
function topicOf({ conversation }: NotificationMessage): string {
  return createHash('sha256').update(conversation).digest('base64url').slice(0, 32)
}
