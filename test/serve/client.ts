/** A device for tests: it pairs, signs and reads streams as the page does, and can send anything else, too. */
import { createHash, createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { createInterface } from 'node:readline'
import { constants, createGunzip } from 'node:zlib'
import type { Role } from '../../src/published/outside-call.ts'
import type { ConversationServer } from '../../src/serve/server.ts'
import {
  numberOf,
  numberText,
  pairingText,
  signedText,
  type DeviceKey,
  type PageLine,
  type ServedRequests,
} from '../../src/serve/page-lines.ts'
import { idOfKey } from '../../src/serve/signatures.ts'

export type Sent = { method?: string; path: string; headers?: OutgoingHttpHeaders; body?: string | Uint8Array }
export type Answered = { status: number; headers: IncomingHttpHeaders; text: string; json: unknown }

/** Sends a request as it is given. */
export async function send(address: string, { method = 'POST', path, headers = {}, body }: Sent): Promise<Answered> {
  const response = await open(address, { method, path, headers, ...(body !== undefined && { body }) })
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return { status: response.statusCode ?? 0, headers: response.headers, text, json }
}

async function open(address: string, { method = 'POST', path, headers = {}, body }: Sent): Promise<IncomingMessage> {
  const { hostname, port } = new URL(address)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = httpRequest({ hostname, port, method, path, headers, agent: false }, resolve)
  request.on('error', reject)
  request.end(body)
  return promise
}

/** What a request of the page has besides its signature. */
export const pageHeaders = (origin: string): OutgoingHttpHeaders => ({
  ...(origin.startsWith('http://127.0.0.1') && { host: new URL(origin).host }),
  origin,
  'content-type': 'application/json',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
})

export class TestDevice {
  /** The server's, which requests name. */
  readonly address: string
  /** What the device connects to, if something is in between. */
  through: string | null = null
  readonly key: DeviceKey
  readonly id: string
  readonly #private: KeyObject
  nonce = ''
  epoch = ''
  counter = 0
  /** Bytes of streams, as they came. */
  received = 0

  constructor(address: string) {
    this.address = address
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#private = privateKey
    this.key = { kty: 'EC', crv: 'P-256', x, y }
    this.id = idOfKey(this.key)
  }

  /** Gets the nonce of a new tab. */
  async hello(): Promise<void> {
    const { epoch, nonce } = await this.unsigned('hello', {})
    Object.assign(this, { epoch, nonce, counter: 0 })
  }

  /** Uses a link. Returns the number that the device shows. @throws if it is void. */
  async useLink(link: string, name = 'Pixel 8'): Promise<string> {
    const token = new URL(link).hash.slice('#pair='.length)
    const { attempt, commitment } = await this.unsigned('pair/begin', {})
    const proof = createHmac('sha256', token)
      .update(pairingText(attempt, this.key, name))
      .digest('base64url')
    const { nonce } = await this.unsigned('pair', { attempt, key: this.key, name, proof })
    if (createHash('sha256').update(nonce).digest('hex') !== commitment) throw new Error('not what it committed to')
    return numberOf(
      createHash('sha256')
        .update(numberText(this.key, nonce, token))
        .digest(),
    )
  }

  async unsigned<Name extends 'hello' | 'pair' | 'pair/begin'>(
    name: Name,
    body: ServedRequests[Name][0],
  ): Promise<ServedRequests[Name][1]> {
    const headers = pageHeaders(this.address)
    const answered = await send(this.through ?? this.address, {
      path: `/api/${name}`,
      headers,
      body: JSON.stringify(body),
    })
    if (answered.status !== 200) throw new Error(`${name}: ${answered.status} ${answered.text}`)
    return JSON.parse(answered.text)
  }

  /** The header of a request. */
  signature(path: string, body: string, counter: number, nonce = this.nonce): string {
    const hash = createHash('sha256').update(body).digest('hex')
    const made = sign('sha256', Buffer.from(signedText(path, hash, nonce, counter)), {
      key: this.#private,
      dsaEncoding: 'ieee-p1363',
    })
    return `device=${this.id}, nonce=${nonce}, counter=${counter}, signature=${made.toString('base64url')}`
  }

  /** The next request of this tab, signed. */
  signed(name: string, value: unknown): Sent & { headers: OutgoingHttpHeaders; body: string } {
    const path = `/api/${name}`
    const body = JSON.stringify(value)
    this.counter += 1
    const headers = { ...pageHeaders(this.address), 'zotui-signature': this.signature(path, body, this.counter) }
    return { method: 'POST', path, headers, body }
  }

  /** Sends a signed request. */
  async ask(name: string, value: unknown): Promise<Answered> {
    return send(this.through ?? this.address, this.signed(name, value))
  }

  /** Sends a signed request, and returns its reply. @throws if it is refused. */
  async request<Name extends Exclude<keyof ServedRequests, 'stream'>>(
    name: Name,
    value: ServedRequests[Name][0],
  ): Promise<ServedRequests[Name][1]> {
    const answered = await this.ask(name, value)
    if (answered.status !== 200) throw new Error(`${name}: ${answered.status} ${answered.text}`)
    return JSON.parse(answered.text)
  }

  /** The lines of a stream, until it ends or the reader leaves. They come as a browser gets them: compressed. @throws if it is refused. */
  async *stream(watch: string | null = null, known = 0): AsyncGenerator<PageLine> {
    const { headers, ...sent } = this.signed('stream', { epoch: this.epoch, known, watch })
    const response = await open(this.through ?? this.address, {
      ...sent,
      headers: { ...headers, 'accept-encoding': 'gzip' },
    })
    if (response.statusCode !== 200) throw new Error(`stream: ${response.statusCode}`)
    response.on('data', (chunk: Buffer) => (this.received += chunk.length))
    const zip = createGunzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH })
    // A stream that is cut off ends.
    response.on('error', () => zip.end())
    try {
      for await (const line of createInterface({ input: response.pipe(zip) })) yield JSON.parse(line)
    } finally {
      response.destroy()
    }
  }
}

/** A browser with the link of a share. It signs with the token of the link. */
export class TestReader extends TestDevice {
  readonly #share: string
  readonly #token: string

  constructor(address: string, link: string) {
    super(address)
    const [, share = '', token = ''] = /#share=([\w-]+)\.([\w-]+)$/.exec(link) ?? []
    this.#share = share
    this.#token = token
  }

  override signature(path: string, body: string, counter: number, nonce = this.nonce): string {
    const hash = createHash('sha256').update(body).digest('hex')
    const made = createHmac('sha256', this.#token)
      .update(signedText(path, hash, nonce, counter))
      .digest('base64url')
    return `share=${this.#share}, nonce=${nonce}, counter=${counter}, signature=${made}`
  }
}

/** A device that the person has let in. */
export async function pairedDevice(server: ConversationServer, role: Role = 'steer', name = 'Pixel 8') {
  const device = new TestDevice(server.view().address)
  server.act({ do: 'pair', role })
  const { pairing } = server.view()
  if (!pairing) throw new Error('no link')
  await device.useLink(pairing.link.replace(/^https?:\/\/[^/]+/, device.address), name)
  const asked = server.view().waiting.find(({ kind }) => kind === 'pair')
  if (!asked) throw new Error('nothing was asked')
  server.act({ do: 'answer', id: asked.id, yes: true })
  await device.hello()
  return device
}
