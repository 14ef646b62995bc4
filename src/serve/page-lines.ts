/**
 * The wire between the server and its page. Static files come by GET. Everything else is a POST with a JSON body below `/api/`, signed by the
 * device's key; its reply is JSON, and that of `stream` is one JSON object a line for as long as both want. The page reads this, too.
 */
import type { Device, OutsideCall, OutsideReply } from '../published/outside-call.ts'
import type { PublishedRow, ServedQuestion, ServedQueue } from '../published/protocol.ts'

/** A conversation in the list of the page. `id` is unique for this server. `folder` is short, with `~`. */
export type PageConversation = Omit<PublishedRow, 'key' | 'stays'> & {
  id: string
  /** False while the person has not let the server pass on answers. */
  takesAnswers: boolean
  /** False if its process is gone; it leaves the list after a while. */
  isThere: boolean
  /** The number of questions that wait. */
  questions: number
}

/**
 * A piece of the transcript: a prompt, a text or a part of a long one, a call. `version` grows with each change of it. Where something long is
 * left out, `html` has `<button class="more" type="button" data-rest="PIECE">`: the pieces of `/api/inside` from that number on come in its
 * place, one after the other.
 */
export type PageBlock = {
  id: string
  version: number
  html: string
  /** True if it has such a button. */
  hasMore?: true
}

/** The state of the conversation that is looked at, apart from its transcript. */
export type PageStatus = {
  isWorking: boolean
  /** What it does, in a few words; '' for nothing. */
  activity: string
  since: number | null
  model: string
  models: readonly { id: string; name: string }[]
  mode: string
  costUsd: number | null
  /** Input and output tokens of the running or last turn. */
  tokens: { input: number; output: number }
  queue: ServedQueue
  /** Who watches now, this device included. */
  watchers: readonly string[]
}

/**
 * `n` never falls: a client that has a line with `n` has all that was there at that point, and says so when it comes back (`known`, `since`).
 * `epoch` is another one after a restart of the server.
 */
export type PageLine = { n: number } & (
  | { type: 'hello'; epoch: string; device: Device; now: number }
  | { type: 'conversations'; conversations: readonly PageConversation[] }
  | { type: 'questions'; conversation: string; questions: readonly ServedQuestion[] }
  /**
   * The transcript has `total` blocks now: the client forgets those beyond. `blocks` are those that have changed, in their order, the first of
   * them at index `from`. `isAnew`: it forgets all others; those before `from` are in `/api/blocks`.
   */
  | {
      type: 'blocks'
      conversation: string
      total: number
      from: number
      blocks: readonly PlacedBlock[]
      isAnew: boolean
    }
  | { type: 'status'; conversation: string; status: PageStatus }
  /** Nothing has happened: the connection is alive. */
  | { type: 'alive' }
  /** The device was revoked, the share has ended, or the server ends. `message` is a sentence. */
  | { type: 'end'; message: string }
)

export type PlacedBlock = PageBlock & { index: number }

/** Requests by the last part of their path, and their replies. */
export type ServedRequests = {
  /** Unsigned. The nonce goes into the signatures of this tab, with a counter that begins at 1. `nonce` says that it is time for a new one. */
  hello: [request: Record<string, never>, reply: { epoch: string; nonce: string; version: string }]
  /** Unsigned. A commitment of the server to its part of the number: SHA-256 of `nonce` in UTF-8, in hex. */
  'pair/begin': [request: Record<string, never>, reply: { attempt: string; commitment: string }]
  /**
   * Unsigned. `key` is the device's public key (JWK, ECDSA P-256). `proof`: HMAC-SHA-256 of `pairingText` with the UTF-8 of the token as its
   * key, in base64url. The token is void from then on. The page shows the number only if SHA-256 of `nonce` is the commitment.
   */
  pair: [
    request: { attempt: string; key: DeviceKey; name: string; proof: string },
    reply: { nonce: string; device: string },
  ]
  /**
   * Signed by the key that waits: of a new device, or of one that this server has not let in yet (`admit`). The number of the latter is the
   * server's. Asking again keeps the question open in the terminal.
   */
  'pair/status': [request: Record<string, never>, reply: { state: 'waiting' | 'paired' | 'refused'; number: string }]
  /**
   * `epoch` and `known`: the last `n` that the client has, and of which server; 0 for none. `watch`: the conversation to look at. `since`: the
   * last `n` that the client got while it looked at that one; absent or 0 if it has none of it.
   */
  stream: [request: { epoch: string; known: number; watch: string | null; since?: number }, reply: never]
  call: [request: { conversation: string; call: OutsideCall }, reply: OutsideReply]
  /**
   * Blocks `from` (counted from 0) to `to` (exclusive), at most 200, as they were at `n`. If the client has had a line about an index with a
   * greater `n`, that is newer. `path` if nobody looks at the conversation.
   */
  blocks: [
    request: { conversation: string; from: number; to: number },
    reply: { n: number; total: number; blocks: readonly PlacedBlock[] },
  ]
  /** What is left out of a block, as HTML, in pieces of about 100 kB; `next` is null after the last. `path` if there is no such piece now. */
  inside: [
    request: { conversation: string; block: string; piece: number },
    reply: { html: string; next: number | null },
  ]
  /** A subscription to notifications (PushSubscription as JSON); null ends it. */
  push: [request: { subscription: unknown }, reply: { ok: boolean; message: string; publicKey: string }]
  /** Forgets this device. */
  leave: [request: Record<string, never>, reply: { ok: true }]
}

/** The public part of an ECDSA key on P-256, as in a JWK. */
export type DeviceKey = { kty: 'EC'; crv: 'P-256'; x: string; y: string }

/**
 * What a refused request gets, with a status from 400 on. `unknown`: no such device or share. `admit`: a device that this server has not let in
 * yet; `pair/status` has its number. `nonce`: say hello again. `counter`: it was there before. `link`: the pairing link is void. `role`: the
 * device may not. `many`: too many requests; wait. `size`, `body`, `path`, `host`, `origin`, `method`: it is no request of this page.
 */
export const pageErrors = [
  'unknown',
  'admit',
  'nonce',
  'counter',
  'signature',
  'link',
  'role',
  'many',
  'size',
  'body',
  'path',
  'host',
  'origin',
  'method',
  'failed',
] as const
export type PageError = (typeof pageErrors)[number]
export type PageRefusal = { error: PageError }

/**
 * What is signed, as UTF-8: these parts, joined with line feeds. The body as it is sent. The header `Zotui-Signature` has
 * `device=ID, nonce=NONCE, counter=N, signature=BASE64URL` (a share: `share=ID`, and HMAC-SHA-256 instead of ECDSA).
 */
export function signedText(path: string, bodyHash: string, nonce: string, counter: number): string {
  return ['zotui 1', 'POST', path, bodyHash, nonce, String(counter)].join('\n')
}

/** What a new device proves to have the token with: these parts, joined with line feeds. `attempt` is that of `pair/begin`. */
export function pairingText(attempt: string, key: Pick<DeviceKey, 'x' | 'y'>, name: string): string {
  return ['zotui pair 1', attempt, key.x, key.y, name].join('\n')
}

/** The number that the terminal and a new device show is made of the SHA-256 of this, in UTF-8, by `numberOf`. */
export function numberText(key: Pick<DeviceKey, 'x' | 'y'>, nonce: string, token: string): string {
  return ['zotui number 1', key.x, key.y, nonce, token].join('\n')
}

/** Six digits, of the first four bytes of a hash. */
export function numberOf(hash: Uint8Array): string {
  const [a = 0, b = 0, c = 0, d = 0] = hash
  const whole = a * 0x1_00_00_00 + b * 0x1_00_00 + c * 0x1_00 + d
  return String(whole % 1_000_000).padStart(6, '0')
}
