/** Switches the notifications of this browser on and off. */
import { element, setText } from './dom.ts'
import type { RequestSigner } from './requests.ts'

export function notificationSwitch(
  requests: RequestSigner,
  say: (sentence: string, isProblem?: boolean) => void,
): HTMLElement {
  const input = element('input', { type: 'checkbox', disabled: true })
  const note = element('p', { class: 'dim' })
  const node = element(
    'div',
    { class: 'notifications' },
    element('label', { class: 'choice' }, input, element('span', {}, 'Notify me when something waits')),
    note,
  )
  if (!('PushManager' in window) || !('Notification' in window)) {
    setText(note, 'This browser has no notifications. On an iPhone, add this page to the home screen first.')
    return node
  }
  void show()
  async function show(): Promise<void> {
    input.checked = (await currentSubscription()) !== null
    input.disabled = false
  }
  input.addEventListener('change', () => void change(input.checked))
  async function change(isOn: boolean): Promise<void> {
    input.disabled = true
    try {
      const message = isOn ? await subscribe(requests) : await unsubscribe(requests)
      if (message !== '') say(message, isOn && (await currentSubscription()) === null)
    } catch (error) {
      say(`Notifications cannot be switched: ${error instanceof Error ? error.message : String(error)}`, true)
    }
    await show()
  }
  return node
}

/** Gives a server that has begun anew the subscription of this browser: it keeps none. Nobody is asked anything. */
export async function renewSubscription(requests: RequestSigner): Promise<void> {
  const subscription = 'PushManager' in window ? await currentSubscription().catch(() => null) : null
  if (!subscription) return
  const { ok, publicKey } = await requests.ask('push', { subscription: subscription.toJSON() })
  const isOfOther = publicKey !== '' && publicKey !== keyOf(subscription)
  if (!ok || !isOfOther) return
  // A push service takes only messages that are signed by the key that the subscription was made for.
  await subscription.unsubscribe()
  if (Notification.permission === 'granted') await subscribe(requests)
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.getRegistration()
  return (await worker?.pushManager.getSubscription()) ?? null
}

/** Returns what is to be said. */
async function subscribe(requests: RequestSigner): Promise<string> {
  const { publicKey, message } = await requests.ask('push', { subscription: null })
  if (publicKey === '') return message
  if ((await Notification.requestPermission()) !== 'granted')
    return 'The browser does not allow notifications of this page.'
  const worker = await navigator.serviceWorker.ready
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const reply = await requests.ask('push', { subscription: subscription.toJSON() })
  if (!reply.ok) await subscription.unsubscribe()
  return reply.message || 'This device is notified.'
}

async function unsubscribe(requests: RequestSigner): Promise<string> {
  await (await currentSubscription())?.unsubscribe()
  await requests.ask('push', { subscription: null })
  return 'This device is not notified any more.'
}
