/** Makes the notifications of a server: the ways that the settings name, and what they watch. */
import { systemResolve } from '../../sandbox/network/dial.ts'
import { quietTimers } from '../../platform/timers.ts'
import type { NotifiedConversation } from './due-notices.ts'
import { Notifications, type NotifySettings } from './notifications.ts'
import { openPushKey } from './push-key.ts'
import { WebPush } from './web-push.ts'

export type NotifierParts = {
  settings: () => NotifySettings
  stateFolder: string
  /** The origin of the page for devices that are away; null without one. */
  at: string | null
  env: NodeJS.ProcessEnv
  /** For the person's command. */
  folder: string
  /** Milliseconds since the Unix epoch. */
  now: () => number
  log: (line: string) => void
}

/** What is watched: the conversations of a server. */
type NotifySource = {
  waiting: () => readonly NotifiedConversation[]
  /** Calls the listener after each change. Returns the function that ends it. */
  onWaiting: (listener: () => void) => () => void
}

export type OpenedNotifications = {
  /** Takes the subscription of a device; null ends it. The reply has the key that a browser subscribes with. */
  subscribe: (device: string, subscription: unknown) => { ok: boolean; message: string; publicKey: string }
  /** The device is gone. */
  forget: (device: string) => void
  /** Begins. `onProblem` gets one line for the person, unsanitised. Returns the function that ends it. */
  watch: (watched: NotifySource, onProblem: (words: string) => void) => () => void
}

export function openNotifications(parts: NotifierParts): OpenedNotifications {
  const { settings, stateFolder, at, env, folder, now, log } = parts
  const resolve = systemResolve()
  const key = openPushKey(stateFolder, error => log(`the key for push services cannot be saved: ${String(error)}`))
  const webPush = new WebPush({
    key,
    // Apple refuses an address of this machine, which has no device of its own without a tunnel.
    contact: at ?? 'mailto:zotui@localhost',
    now,
    timers: quietTimers,
    way: { resolve, rules: [] },
  })
  return {
    subscribe: (device, subscription) => ({ ...webPush.subscribe(device, subscription), publicKey: webPush.publicKey }),
    forget: device => webPush.forget(device),
    watch({ waiting, onWaiting }, onProblem) {
      const options = { settings, webPush, at, way: { resolve }, env, folder, now, timers: quietTimers, onProblem }
      const notifications = new Notifications(options)
      const look = (): void => notifications.see(waiting())
      const unsubscribe = onWaiting(look)
      look()
      return () => {
        unsubscribe()
        notifications.close()
      }
    },
  }
}
