/** The server's requests: the files of the page, what is unsigned, and what devices and readers sign. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createGzip } from 'node:zlib'
import { z } from 'zod'
import type { Hub } from './hub/hub.ts'
import type { Admission } from './admission.ts'
import { browserName } from './browser-name.ts'
import type { Connections } from './connections.ts'
import { RateLimit } from './limits.ts'
import { refusalOf, type AllowedPlaces, type SentFacts } from './origin.ts'
import type { PageError, ServedRequests } from './page-lines.ts'
import type { Pairing } from './pairing.ts'
import { signerOf, type Signer, type SignerParts } from './signers.ts'
import type { StaticFiles } from './static-files.ts'
import { parseJson } from '../text/json.ts'

/** Bytes of a body. */
export const LARGEST_BODY = 256 * 1024

/** The beginning of the paths of signed requests. */
const SIGNED = '/api/'

const STATIC_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types zotui',
].join('; ')

const headers = {
  'content-security-policy': STATIC_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}
const reply = { ...headers, 'cache-control': 'no-store', 'content-type': 'application/json' }

const statuses: Readonly<Partial<Record<PageError, number>>> = {
  unknown: 401,
  admit: 401,
  nonce: 401,
  counter: 401,
  signature: 401,
  link: 403,
  role: 403,
  host: 403,
  origin: 403,
  many: 429,
  size: 413,
  path: 404,
  method: 405,
  failed: 500,
}

/** What a request of somebody who is known gets: a value, a stream of lines, or an error. `onEnd` is for when the client or the lines have ended. */
export type SignedReply =
  | { value: unknown }
  | { lines: AsyncIterable<unknown>; onEnd: () => void }
  | { error: PageError }
/** Carries out a signed request. `name` is its path below `/api/`. */
export type SignedRequests = (name: string, signer: Signer, body: unknown, from: string) => Promise<SignedReply>

export type HttpParts = SignerParts & {
  places: () => AllowedPlaces
  files: StaticFiles
  pairing: Pairing
  admission: Admission
  hub: Pick<Hub, 'epoch'>
  connections: Connections
  signed: SignedRequests
  version: string
  /** Milliseconds, by a clock that nobody sets. */
  elapsed: () => number
  log: (line: string) => void
}

const nothing = z.object({})
const pairSchema: z.ZodType<ServedRequests['pair'][0]> = z.object({
  attempt: z.string().max(200),
  key: z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string().max(64), y: z.string().max(64) }),
  name: z.string().max(200),
  proof: z.string().max(64),
})

/** A request whose host and origin are right. */
type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse; path: string }

export function createListener(parts: HttpParts): RequestListener {
  const routes = createRoutes(parts)
  return (incoming, outgoing) => {
    const refusal = refusalOf(factsOf(incoming), parts.places())
    if (refusal) return refuse(outgoing, refusal.status, refusal.error)
    const [path = ''] = (incoming.url ?? '').split('?')
    const exchange = { incoming, outgoing, path }
    const handle = incoming.method === 'GET' ? routes.file : (routes.unsigned.get(path) ?? routes.signed)
    handle(exchange).catch((error: unknown) => {
      parts.log(`a request failed: ${String(error)}`)
      if (outgoing.headersSent) outgoing.destroy()
      else problem(outgoing, 'failed')
    })
  }
}

type Handle = (exchange: Exchange) => Promise<void>

function createRoutes(parts: HttpParts): { file: Handle; unsigned: ReadonlyMap<string, Handle>; signed: Handle } {
  const { pairing, admission, elapsed } = parts
  const attempts = new RateLimit({ perSecond: 1, burst: 10 }, elapsed)
  const hello = () => ({ epoch: parts.hub.epoch, nonce: parts.nonces.next(), version: parts.version })
  return {
    file: async exchange => sendFile(exchange, parts.files),
    unsigned: new Map<string, Handle>([
      ['/api/hello', async exchange => unsigned(exchange, null, nothing, hello)],
      ['/api/pair/begin', async exchange => unsigned(exchange, attempts, nothing, () => pairing.attempt())],
      [
        '/api/pair',
        async exchange =>
          unsigned(exchange, attempts, pairSchema, request =>
            admission.pair(request, fromOf(exchange.incoming, parts.places())),
          ),
      ],
    ]),
    signed: signedRoute(parts),
  }
}

function signedRoute(parts: HttpParts): Handle {
  const failures = new RateLimit({ perSecond: 10, burst: 50 }, parts.elapsed)
  return async exchange => {
    const { incoming, outgoing, path } = exchange
    const { socket } = incoming
    if (!path.startsWith(SIGNED)) return problem(outgoing, 'path')
    // Signatures take time. Who has none that is right waits, and those that had one do not.
    if (failures.isUsedUp && !parts.connections.isProven(socket)) return problem(outgoing, 'many')
    const body = await readBody(incoming)
    if (!body) return problem(outgoing, 'size')
    const header = String(incoming.headers['zotui-signature'] ?? '')
    const signer = signerOf({ path, body, header }, parts)
    if (typeof signer === 'string') {
      // The others cost nothing: whoever knows no device cannot use this up.
      if (signer === 'signature') failures.take()
      return problem(outgoing, signer)
    }
    parts.connections.prove(socket)
    const from = fromOf(incoming, parts.places())
    const result = await parts.signed(path.slice(SIGNED.length), signer, parseJson(body.toString()), from)
    if ('error' in result) return problem(outgoing, result.error)
    if ('value' in result) return sendJson(outgoing, result.value)
    return sendLines(exchange, result)
  }
}

/**
 * A request that anybody may make: how often is limited for all together. A hello is not, since a flood would keep devices out; it costs less
 * than a file of the page. A null is a void link.
 */
async function unsigned<Request>(
  { incoming, outgoing }: Exchange,
  limit: RateLimit | null,
  schema: z.ZodType<Request>,
  answer: (request: Request) => object | null,
): Promise<void> {
  if (limit?.take() === false) return problem(outgoing, 'many')
  const body = await readBody(incoming)
  if (!body) return problem(outgoing, 'size')
  const { success, data } = schema.safeParse(parseJson(body.toString()))
  if (!success) return problem(outgoing, 'body')
  const value = answer(data)
  if (value) sendJson(outgoing, value)
  else problem(outgoing, 'link')
}

async function sendFile({ incoming, outgoing, path }: Exchange, files: StaticFiles): Promise<void> {
  const file = await files(path)
  if (!file) return problem(outgoing, 'path')
  const isZipped = takesGzip(incoming)
  outgoing.writeHead(200, {
    ...headers,
    'cache-control': 'no-cache',
    'content-type': file.type,
    vary: 'accept-encoding',
    ...(isZipped && { 'content-encoding': 'gzip' }),
  })
  outgoing.end(isZipped ? file.zipped : file.bytes)
}

function sendJson(outgoing: ServerResponse, value: unknown): void {
  outgoing.writeHead(200, reply)
  outgoing.end(JSON.stringify(value))
}

/**
 * Each line is made when the client has taken those before. They are compressed where the client can read that: a growing answer is
 * sent again and again, which is a fortieth of the bytes then.
 */
async function sendLines(
  { incoming, outgoing }: Exchange,
  { lines, onEnd }: Extract<SignedReply, { lines: unknown }>,
): Promise<void> {
  const zip = takesGzip(incoming) ? createGzip({ level: 1 }) : null
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>()
  outgoing.once('close', () => {
    onEnd()
    onClosed()
  })
  outgoing.writeHead(200, {
    ...reply,
    'cache-control': 'no-store, no-transform',
    'content-type': 'application/x-ndjson',
    'x-accel-buffering': 'no',
    ...(zip && { 'content-encoding': 'gzip' }),
  })
  outgoing.flushHeaders()
  zip?.pipe(outgoing)
  const target = zip ?? outgoing
  try {
    for await (const line of lines) {
      const written = Promise.withResolvers<void>()
      target.write(`${JSON.stringify(line)}\n`, () => (zip ? zip.flush(() => written.resolve()) : written.resolve()))
      await Promise.race([written.promise, closed])
      if (outgoing.destroyed) break
    }
  } catch {
    // The page connects again, and gets what is there then.
  }
  onEnd()
  target.end()
}

const takesGzip = ({ headers: sent }: IncomingMessage): boolean => /\bgzip\b/.test(sent['accept-encoding'] ?? '')

/** Null if it is longer than it may be: the rest is not read. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  if (Number(incoming.headers['content-length'] ?? 0) > LARGEST_BODY) return null
  for await (const chunk of incoming) {
    if (!(chunk instanceof Buffer)) return null
    length += chunk.length
    if (length > LARGEST_BODY) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function problem(outgoing: ServerResponse, error: PageError): void {
  const status = statuses[error] ?? 400
  // What is left of an unwanted body is not waited for.
  outgoing.writeHead(status, { ...reply, ...(status === 413 && { connection: 'close' }) })
  outgoing.end(JSON.stringify({ error }))
}

/** Before anything of the request is used. */
function refuse(outgoing: ServerResponse, status: number, error: PageError): void {
  outgoing.writeHead(status, { ...reply, connection: 'close' })
  outgoing.end(JSON.stringify({ error }))
}

function factsOf({ method = '', url = '', rawHeaders }: IncomingMessage): SentFacts {
  const values = (wanted: string): string[] =>
    rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === wanted)
  return {
    method,
    target: url,
    host: values('host'),
    origin: values('origin'),
    contentType: values('content-type'),
    site: values('sec-fetch-site'),
    mode: values('sec-fetch-mode'),
    dest: values('sec-fetch-dest'),
  }
}

/** Where a request comes from, for the person to read: every connection is from a program of this machine, which may be a tunnel. */
function fromOf({ headers: sent, socket }: IncomingMessage, { at }: AllowedPlaces): string {
  const browser = browserName(sent['user-agent'] ?? '')
  const isThroughTunnel = at !== null && sent.origin === at
  return `${browser}, ${isThroughTunnel ? new URL(at).host : (socket.remoteAddress ?? 'this machine')}`
}
