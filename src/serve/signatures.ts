/** The signature of a request: by the key of a device, or by the token of a share. */
import { createHash, createHmac, createPublicKey, timingSafeEqual, verify, type KeyObject } from 'node:crypto'
import { signedText, type DeviceKey } from './page-lines.ts'

export type RequestSignature = {
  by: 'device' | 'share'
  /** Of the device or the share. */
  id: string
  nonce: string
  counter: number
  signature: Buffer
}

const HEADER =
  /^(device|share)=([\w-]{1,64}), nonce=([\w.-]{1,100}), counter=([1-9]\d{0,14}), signature=([\w-]{43}|[\w-]{86})$/
/** Bytes of the signature by each. */
const LENGTHS = { device: 64, share: 32 }
/** A coordinate of a point on P-256, in base64url: 32 bytes. */
const COORDINATE = /^[\w-]{43}$/

/** Reads the header `Zotui-Signature`. Null for anything else. */
export function readSignature(header: string): RequestSignature | null {
  const [, kind, id = '', nonce = '', counter = '', encoded = ''] = HEADER.exec(header) ?? []
  const by = (['device', 'share'] as const).find(each => each === kind)
  const signature = Buffer.from(encoded, 'base64url')
  // One signature has one text.
  if (!by || signature.length !== LENGTHS[by] || signature.toString('base64url') !== encoded) return null
  return { by, id, nonce, counter: Number(counter), signature }
}

/** The key that a device made. Null if it is no point of the curve. */
export function readDeviceKey({ x, y }: Pick<DeviceKey, 'x' | 'y'>): KeyObject | null {
  if (!COORDINATE.test(x) || !COORDINATE.test(y)) return null
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  } catch {
    return null
  }
}

/** The ID of a device is made of its key, so nobody can put another key in the place of one. */
export function idOfKey({ x, y }: Pick<DeviceKey, 'x' | 'y'>): string {
  return createHash('sha256').update(`${x}\n${y}`).digest('base64url').slice(0, 22)
}

type SignedRequest = { path: string; body: Uint8Array; signature: RequestSignature }

export function isSignedByKey(key: KeyObject, request: SignedRequest): boolean {
  const { signature } = request
  if (signature.by !== 'device') return false
  return verify('sha256', textOf(request), { key, dsaEncoding: 'ieee-p1363' }, signature.signature)
}

export function isSignedByToken(token: string, request: SignedRequest): boolean {
  const { signature } = request
  if (signature.by !== 'share') return false
  return timingSafeEqual(createHmac('sha256', token).update(textOf(request)).digest(), signature.signature)
}

function textOf({ path, body, signature }: SignedRequest): Buffer {
  const hash = createHash('sha256').update(body).digest('hex')
  return Buffer.from(signedText(path, hash, signature.nonce, signature.counter))
}

/** Compares in a time that does not depend on where they differ. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [one, other].map(text => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
