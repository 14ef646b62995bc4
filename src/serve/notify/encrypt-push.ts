/**
 * Encrypts a message for one browser, as Web Push wants it (RFC 8291 with `aes128gcm` of RFC 8188): the push service in between reads nothing
 * of it, and all messages have the same length.
 */
import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from 'node:crypto'

/** What a browser gave for messages to it, decoded. */
export type PushTarget = { publicKey: Buffer; auth: Buffer }

/** The keys of one message. They are made anew for each. */
type MessageKeys = { privateKey: Buffer; salt: Buffer }

const CURVE = 'prime256v1'
const RECORD = 4096
/** Bytes of a message with its padding. All services take 4096 bytes with head and tag, and some no more. */
const PADDED = 3072

/** Whether these are the bytes of an uncompressed point on the curve. */
export function isPublicKey(bytes: Uint8Array): boolean {
  if (bytes.length !== 65 || bytes[0] !== 4) return false
  try {
    ECDH.convertKey(bytes, CURVE)
    return true
  } catch {
    return false
  }
}

/** `padded` is the length of the message with its padding, in bytes. @throws where the message is longer than that. */
export function encryptPush(
  message: Uint8Array,
  { publicKey, auth }: PushTarget,
  keys: MessageKeys = freshKeys(),
  padded = PADDED,
): Buffer {
  if (message.length >= padded) throw new RangeError('The message is too long for a push.')
  const own = createECDH(CURVE)
  own.setPrivateKey(keys.privateKey)
  const ownPublic = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, ownPublic])
  const secret = derived(own.computeSecret(publicKey), auth, info, 32)
  const key = derived(secret, keys.salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derived(secret, keys.salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // 2 ends the only record; zeros follow it.
  const plain = Buffer.concat([message, Buffer.of(2), Buffer.alloc(padded - message.length - 1)])
  const head = Buffer.alloc(5)
  head.writeUInt32BE(RECORD)
  head.writeUInt8(ownPublic.length, 4)
  return Buffer.concat([keys.salt, head, ownPublic, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function freshKeys(): MessageKeys {
  const own = createECDH(CURVE)
  own.generateKeys()
  return { privateKey: own.getPrivateKey(), salt: randomBytes(16) }
}

function derived(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}
