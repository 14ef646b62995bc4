/** The server's requests: the files of the page, what is unsigned, and what devices and readers sign. */
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
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

/** What a request of somebody who is known gets: a value, a stream of lines, or an error. */
export type SignedReply = { value: unknown } | { lines: ReadableStream<Uint8Array<ArrayBuffer>> } | { error: PageError }
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

type ServedContext = Context<{ Bindings: HttpBindings }>

const nothing = z.object({})
const pairSchema: z.ZodType<ServedRequests['pair'][0]> = z.object({
  attempt: z.string().max(200),
  key: z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string().max(64), y: z.string().max(64) }),
  name: z.string().max(200),
  proof: z.string().max(64),
})

export function createListener(parts: HttpParts): RequestListener {
  const app = createApp(parts)
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => new Response(null, { status: 400 }),
  })
  return (incoming, outgoing) => {
    const refusal = refusalOf(factsOf(incoming), parts.places())
    if (refusal) refuse(outgoing, refusal.status, refusal.error)
    else void listener(incoming, outgoing)
  }
}

function createApp(parts: HttpParts): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const { pairing, admission, elapsed } = parts
  const hellos = new RateLimit({ perSecond: 20, burst: 60 }, elapsed)
  const attempts = new RateLimit({ perSecond: 1, burst: 10 }, elapsed)
  const failures = new RateLimit({ perSecond: 10, burst: 50 }, elapsed)

  app.get('*', async c => sendFile(c, parts.files))
  app.post('/api/hello', async c =>
    unsigned(c, hellos, nothing, () => ({
      epoch: parts.hub.epoch,
      nonce: parts.nonces.next(),
      version: parts.version,
    })),
  )
  app.post('/api/pair/begin', async c => unsigned(c, attempts, nothing, () => pairing.attempt()))
  app.post('/api/pair', async c =>
    unsigned(c, attempts, pairSchema, request => admission.pair(request, fromOf(c.env.incoming, parts.places()))),
  )
  app.post('/api/*', async c => {
    const { socket } = c.env.incoming
    // Signatures take time. Who has none that is right waits, and those that had one do not.
    if (failures.isUsedUp && !parts.connections.isProven(socket)) return problem('many')
    const body = await readBody(c)
    if (!body) return problem('size')
    const header = c.req.header('zotui-signature') ?? ''
    const signer = signerOf({ path: c.req.path, body, header }, parts)
    if (typeof signer === 'string') {
      failures.take()
      return problem(signer)
    }
    parts.connections.prove(socket)
    const value = parseJson(new TextDecoder().decode(body))
    const result = await parts.signed(
      c.req.path.slice('/api/'.length),
      signer,
      value,
      fromOf(c.env.incoming, parts.places()),
    )
    if ('error' in result) return problem(result.error)
    if ('value' in result) return c.json(result.value, 200, reply)
    return c.body(result.lines, 200, { ...reply, 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' })
  })
  app.onError(error => {
    parts.log(`a request failed: ${String(error)}`)
    return problem('failed')
  })
  app.notFound(() => problem('path'))
  return app
}

/** A request that anybody may make: how often is limited for all together. A null is a void link. */
async function unsigned<Request>(
  c: ServedContext,
  limit: RateLimit,
  schema: z.ZodType<Request>,
  answer: (request: Request) => object | null,
): Promise<Response> {
  if (!limit.take()) return problem('many')
  const body = await readBody(c)
  if (!body) return problem('size')
  const { success, data } = schema.safeParse(parseJson(new TextDecoder().decode(body)))
  if (!success) return problem('body')
  const value = answer(data)
  return value ? c.json(value, 200, reply) : problem('link')
}

async function sendFile(c: ServedContext, files: StaticFiles): Promise<Response> {
  const file = await files(c.req.path)
  if (!file) return problem('path')
  return c.body(file.bytes, 200, { ...headers, 'cache-control': 'no-cache', 'content-type': file.type })
}

/** Null if it is longer than it may be: the rest is not read. */
async function readBody(c: ServedContext): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  if (Number(c.req.header('content-length') ?? 0) > LARGEST_BODY) return null
  for await (const chunk of c.env.incoming) {
    if (!(chunk instanceof Uint8Array)) return null
    length += chunk.length
    if (length > LARGEST_BODY) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function problem(error: PageError): Response {
  const status = statuses[error] ?? 400
  // What is left of an unwanted body is not waited for.
  const ending = status === 413 ? { connection: 'close' } : {}
  return new Response(JSON.stringify({ error }), { status, headers: { ...reply, ...ending } })
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
