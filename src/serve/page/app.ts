/** The page of `zotui serve`. */
import { missingFeature } from './features.ts'
import { workerUrl } from './fragment.ts'
import { deviceIdentity, forgetShare, shareIdentity, storedDevice, type Identity } from './identity.ts'
import { pairDevice } from './pairing.ts'
import { openPage } from './open-page.ts'
import { plainPage } from './plain-page.ts'

const root = document.querySelector<HTMLElement>('#app') ?? document.body

async function begin(): Promise<void> {
  const missing = missingFeature()
  if (missing !== null)
    return plainPage(root, { title: 'zotui does not work here', sentences: [missing], isProblem: true })
  const [, kind, secret = ''] = /^#(pair|share)=([\w.-]+)$/.exec(location.hash) ?? []
  // The secret leaves the address before anything else, so that it is in no history and on no picture of the screen.
  if (kind !== undefined) history.replaceState(null, '', '/')
  void navigator.serviceWorker?.register(workerUrl()).catch(() => null)
  const identity = await identityOf(kind === 'pair' ? secret : null, kind === 'share' ? secret : null)
  if (identity) openPage(root, identity)
}

/** Null if there is none: the page says how to get one. */
async function identityOf(pairing: string | null, share: string | null): Promise<Identity | null> {
  if (pairing !== null) {
    forgetShare()
    return pairDevice(root, pairing)
  }
  const reader = shareIdentity(share)
  if (reader) return reader
  const stored = await storedDevice()
  if (stored) return deviceIdentity(stored.id, stored.key)
  plainPage(root, {
    title: 'Not paired',
    sentences: [
      'This browser does not know this zotui yet.',
      'Run `zotui serve` in a terminal, or type /serve in a running zotui, and open the link that it shows.',
    ],
  })
  return null
}

begin().catch((error: unknown) => {
  plainPage(root, {
    title: 'zotui does not work here',
    sentences: [`This browser keeps no keys for this page: ${error instanceof Error ? error.message : String(error)}`],
    isProblem: true,
  })
})
