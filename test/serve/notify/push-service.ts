/** A push service on loopback with TLS, and a browser that subscribes to it and decrypts what it gets. */
import {
  createDecipheriv,
  createECDH,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
  verify,
  createPublicKey,
} from 'node:crypto'
import { createServer } from 'node:https'
import type { Server } from 'node:net'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

const HOST = 'push.localhost'

export type Delivered = { path: string; headers: IncomingHttpHeaders; body: Buffer }

/** Answers with these statuses, one after the other, and then with 201. */
export async function pushService(answers: readonly { status: number; headers?: Record<string, string> }[] = []) {
  const { key, cert } = certificateFor(HOST)
  const got: Delivered[] = []
  const left = [...answers]
  const server = createServer({ key, cert }, (asked, reply) => {
    const parts: Buffer[] = []
    asked.on('data', (part: Buffer) => parts.push(part))
    asked.on('end', () => {
      got.push({ path: asked.url ?? '', headers: asked.headers, body: Buffer.concat(parts) })
      const answer = left.shift() ?? { status: 201 }
      reply.writeHead(answer.status, answer.headers).end('a reply that nobody reads')
    })
  })
  const port = await listening(server)
  return {
    got,
    port,
    endpoint: `https://${HOST}:${port}/send/one`,
    services: [{ host: HOST, isForSubdomains: false, ports: [port] }],
    way: {
      resolve: async () => ['127.0.0.1'],
      rules: [{ host: HOST, isForSubdomains: false, ports: [port] }],
      ca: cert,
    },
  }
}

/** Listens on loopback until the test is over. */
export async function listening(server: Server & { closeAllConnections: () => void }): Promise<number> {
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A browser with a subscription. `read` decrypts as RFC 8291 describes it for the receiver. */
export function browserAt(endpoint: string) {
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys()
  const auth = randomBytes(16)
  return {
    subscription: {
      endpoint,
      expirationTime: null,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    target: { publicKey, auth },
    read: (body: Buffer) => decryptPush(body, ecdh.getPrivateKey(), auth),
  }
}

function hkdf(secret: Buffer, mixed: Buffer, info: Buffer | string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, mixed, info, bytes))
}

export function decryptPush(body: Buffer, privateKey: Buffer, auth: Buffer): string {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey)
  const salt = body.subarray(0, 16)
  const record = body.readUInt32BE(16)
  const length = body.readUInt8(20)
  const sender = body.subarray(21, 21 + length)
  const sealed = body.subarray(21 + length)
  if (sealed.length > record) throw new Error('more than one record')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const secret = hkdf(ecdh.computeSecret(sender), auth, info, 32)
  const decipher = createDecipheriv(
    'aes-128-gcm',
    hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
    hkdf(secret, salt, 'Content-Encoding: nonce\0', 12),
  )
  decipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = plain.findLastIndex(byte => byte !== 0)
  if (plain[end] !== 2) throw new Error('no end of the last record')
  return plain.subarray(0, end).toString('utf8')
}

/** The claims of a VAPID header whose signature is that of its key; null if it is not. */
export function claimsOf(authorization: string, publicKey: string): unknown {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const bytes = Buffer.from(key, 'base64url')
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map(part => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned || key !== publicKey) return null
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}

/** A certificate for one name that is signed by its own key, made for one run: no key of a test is in a file. */
export function certificateFor(host: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(0x30, oid('2a8648ce3d040302'))
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(host)))))
  const day = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`))
  const alternative = der(0x30, oid('551d11'), der(0x04, der(0x30, der(0x82, Buffer.from(host)))))
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    algorithm,
    name,
    der(0x30, day(2020), day(2120)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, alternative)),
  )
  const signature = der(0x03, Buffer.of(0), sign('sha256', body, privateKey))
  const whole = der(0x30, body, algorithm, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
