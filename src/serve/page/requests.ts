/** Requests to the server, each signed by this browser's key, with a nonce of this tab and a counter. */
import {
  pageErrors,
  signedText,
  type PageError,
  type PageLine,
  type PageRefusal,
  type ServedRequests,
} from '../page-lines.ts'
import { base64url, sha256Hex } from './digests.ts'
import type { Identity } from './identity.ts'

/** A request that got no reply, or a refusal. */
export class RequestError extends Error {
  /** `offline`: nothing came, or something that is not from our server, such as a page of a tunnel. */
  readonly why: PageError | 'offline'

  constructor(why: PageError | 'offline') {
    super(why)
    this.why = why
  }
}

/** Milliseconds after which a request has failed. */
const PATIENCE = 20_000

type UnsignedName = 'hello' | 'pair' | 'pair/begin'
type SignedName = Exclude<keyof ServedRequests, UnsignedName | 'stream'>

export async function unsigned<Name extends UnsignedName>(
  name: Name,
  body: ServedRequests[Name][0],
): Promise<ServedRequests[Name][1]> {
  const reply = await send(`/api/${name}`, JSON.stringify(body), {}, AbortSignal.timeout(PATIENCE))
  return readJson(reply)
}

export class RequestSigner {
  readonly #identity: Identity
  #nonce: Promise<string> | null = null
  #counter = 0
  /** Of the server that the nonce is from. */
  version = ''

  constructor(identity: Identity) {
    this.#identity = identity
  }

  async ask<Name extends SignedName>(name: Name, body: ServedRequests[Name][0]): Promise<ServedRequests[Name][1]> {
    const reply = await this.#send(name, body, AbortSignal.timeout(PATIENCE))
    return readJson(reply)
  }

  /** The lines of a stream, until it ends. `onLine` keeps the order. */
  async stream(
    body: ServedRequests['stream'][0],
    signal: AbortSignal,
    onLine: (line: PageLine) => void,
  ): Promise<void> {
    const reply = await this.#send('stream', body, signal)
    if (!reply.body) throw new RequestError('offline')
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        const lines = (rest + value).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line !== '') onLine(JSON.parse(line))
      }
    } finally {
      reader.releaseLock()
    }
  }

  /** A nonce that the server does not know any more is replaced once. */
  async #send(name: string, body: unknown, signal: AbortSignal): Promise<Response> {
    const text = JSON.stringify(body)
    const path = `/api/${name}`
    try {
      return await send(path, text, await this.#signature(path, text), signal)
    } catch (error) {
      if (!(error instanceof RequestError) || (error.why !== 'nonce' && error.why !== 'counter')) throw error
      this.#nonce = null
      return send(path, text, await this.#signature(path, text), signal)
    }
  }

  async #signature(path: string, body: string): Promise<Record<string, string>> {
    this.#nonce ??= this.#hello()
    const nonce = await this.#nonce.catch((error: unknown) => {
      this.#nonce = null
      throw error
    })
    const { kind, id, sign } = this.#identity
    const hash = await sha256Hex(body)
    this.#counter += 1
    const counter = this.#counter
    const signature = base64url(await sign(signedText(path, hash, nonce, counter)))
    return { 'zotui-signature': `${kind}=${id}, nonce=${nonce}, counter=${counter}, signature=${signature}` }
  }

  async #hello(): Promise<string> {
    this.#counter = 0
    const { nonce, version } = await unsigned('hello', {})
    this.version = version
    return nonce
  }
}

async function send(
  path: string,
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  let reply: Response
  try {
    reply = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    })
  } catch {
    throw new RequestError('offline')
  }
  if (reply.ok) return reply
  // A tunnel has error pages of its own.
  const refusal: Partial<PageRefusal> | null = await reply.json().catch(() => null)
  throw new RequestError(pageErrors.find(error => error === refusal?.error) ?? 'offline')
}

async function readJson<Reply>(reply: Response): Promise<Reply> {
  try {
    return await reply.json()
  } catch {
    throw new RequestError('offline')
  }
}
