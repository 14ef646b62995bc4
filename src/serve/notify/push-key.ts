/**
 * The key that says to push services that messages come from this server (VAPID, RFC 8292). It is on the disk, because browsers bind their
 * subscriptions to it; it signs pushes and nothing else.
 */
import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { readRegularFileSync } from '../../platform/regular-file.ts'
import { replaceFile } from '../../storage/replace-file.ts'
import { parseJson } from '../../text/json.ts'

export type PushKey = {
  /** For the page, in base64url. */
  publicKey: string
  /** The header `Authorization` for a message to this endpoint. `contact` is an address of the sender. */
  authorization: (endpoint: URL, contact: string, now: number) => string
}

const part = z.base64url().length(43)
const keySchema = z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: part, y: part, d: part })
type Jwk = z.infer<typeof keySchema>

/** The place of the file in the state folder. */
export const PUSH_KEY = join('serve', 'push-key.json')
const LONGEST_FILE = 4096
/** Seconds. Services take up to 24 hours. */
const VALID = 12 * 3600

/** The key of this file in the state folder, or a new one. A file that cannot be read is replaced; one that cannot be written costs the next start its key. */
export function openPushKey(stateFolder: string, onProblem: (error: unknown) => void): PushKey {
  const path = join(stateFolder, PUSH_KEY)
  const kept = keptKey(path)
  if (kept) return kept
  const jwk = keySchema.parse(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }))
  try {
    replaceFile(path, `${JSON.stringify(jwk)}\n`)
  } catch (error) {
    onProblem(error)
  }
  return keyOf(jwk)
}

function keptKey(path: string): PushKey | null {
  const read = keySchema.safeParse(parseJson(readRegularFileSync(path, LONGEST_FILE)?.toString('utf8') ?? ''))
  try {
    return read.success ? keyOf(read.data) : null
  } catch {
    // The parts do not belong together.
    return null
  }
}

function keyOf(jwk: Jwk): PushKey {
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const publicKey = Buffer.concat([Buffer.of(4), decoded(jwk.x), decoded(jwk.y)]).toString('base64url')
  return {
    publicKey,
    authorization({ origin }, contact, now) {
      const claims = { aud: origin, exp: Math.floor(now / 1000) + VALID, sub: contact }
      return `vapid t=${signedToken(claims, key)}, k=${publicKey}`
    },
  }
}

function signedToken(claims: object, key: KeyObject): string {
  const text = [{ typ: 'JWT', alg: 'ES256' }, claims].map(each => encoded(JSON.stringify(each))).join('.')
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url')

const decoded = (text: string): Buffer => Buffer.from(text, 'base64url')
