/** What this device is, its notifications, the keys, and how to leave. */
import type { Device } from '../../published/outside-call.ts'
import { button, element } from './dom.ts'
import { notificationSwitch } from './notifications.ts'
import { keyHelp } from './page-keys.ts'
import type { RequestSigner } from './requests.ts'
import { roleWords } from './role-order.ts'

export type DeviceMenuParts = {
  device: Device | null
  isShare: boolean
  requests: RequestSigner
  say: (sentence: string, isProblem?: boolean) => void
  onLeave: () => void
}

export function deviceMenu({ device, isShare, requests, say, onLeave }: DeviceMenuParts): void {
  const close = button('Close', () => dialog.close(), { look: 'primary' })
  close.autofocus = true
  const leave = button('Forget this device', () => void forget(), { look: 'danger' })
  const keys = element(
    'dl',
    { class: 'keys' },
    ...keyHelp.flatMap(([names, what]) => [
      element('dt', {}, ...names.split(' ').flatMap(name => [element('kbd', {}, name), ' '])),
      element('dd', {}, what),
    ]),
  )
  const about = device
    ? isShare
      ? 'You read along by a link.'
      : `“${device.name}” ${roleWords[device.role]}.`
    : 'Not connected.'
  const dialog = element(
    'dialog',
    { class: 'device-menu', 'aria-labelledby': 'device-title' },
    element('h2', { id: 'device-title' }, 'This device'),
    element(
      'p',
      {},
      about,
      requests.version === '' ? null : element('span', { class: 'dim' }, ` zotui ${requests.version}`),
    ),
    isShare ? null : notificationSwitch(requests, say),
    element('h3', {}, 'Keys'),
    keys,
    element('div', { class: 'buttons' }, isShare ? null : leave, close),
  )
  async function forget(): Promise<void> {
    if (leave.dataset['sure'] !== 'yes') {
      leave.dataset['sure'] = 'yes'
      leave.textContent = 'Really forget it?'
      return
    }
    try {
      await requests.ask('leave', {})
      dialog.close()
      onLeave()
    } catch {
      say(
        'The server does not answer, so it still knows this device. Try again, or remove the device in the terminal.',
        true,
      )
    }
  }
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
