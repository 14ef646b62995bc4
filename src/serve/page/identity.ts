/**
 * Who this browser is: a key that was made here, which no code can read out, not even this page's. A share has no key, but the token of its link,
 * which is kept for this tab only.
 */
import type { DeviceKey } from '../page-lines.ts'
import { hmacOf } from './digests.ts'

export type Identity = {
  kind: 'device' | 'share'
  id: string
  sign: (text: string) => Promise<ArrayBuffer>
}

type StoredDevice = { id: string; key: CryptoKeyPair }

const DATABASE = 'zotui'
const STORE = 'device'
const SHARE = 'zotui-share'

export async function newKey(): Promise<{ pair: CryptoKeyPair; key: DeviceKey }> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  return { pair, key: { kty: 'EC', crv: 'P-256', x, y } }
}

export function deviceIdentity(id: string, { privateKey }: CryptoKeyPair): Identity {
  return {
    kind: 'device',
    id,
    sign: async text =>
      crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, new TextEncoder().encode(text)),
  }
}

/** The device that was paired before, or waits for that; null for none. @throws if the browser keeps nothing. */
export async function storedDevice(): Promise<StoredDevice | null> {
  const found: StoredDevice | undefined = await inStore('readonly', store => store.get('this'))
  return found ?? null
}

export async function storeDevice(device: StoredDevice): Promise<void> {
  await inStore('readwrite', store => store.put(device, 'this'))
}

export async function forgetDevice(): Promise<void> {
  await inStore('readwrite', store => store.delete('this'))
}

/** A reader of a share. The link says who: `ID.TOKEN`. Null without one. */
export function shareIdentity(link: string | null): Identity | null {
  if (link !== null) sessionStorage.setItem(SHARE, link)
  const [id = '', token = ''] = (sessionStorage.getItem(SHARE) ?? '').split('.')
  if (id === '' || token === '') return null
  return { kind: 'share', id, sign: async text => hmacOf(token, text) }
}

export function forgetShare(): void {
  sessionStorage.removeItem(SHARE)
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE))
  const database = await done(opening)
  try {
    return await done(act(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

async function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  request.addEventListener('success', () => resolve(request.result))
  request.addEventListener('error', () => reject(request.error ?? new Error('this browser keeps nothing')))
  return promise
}
