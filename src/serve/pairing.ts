/**
 * The pairing of a new device. A link has a token in its fragment, which no server and no proxy sees. The device proves that it has it, and
 * both show a number of six digits. Neither side can choose the number: the server commits to its part before it knows the key, and the
 * device sends its key before it knows that part. So somebody in between, who has a key of his own, cannot make both show the same one.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Role } from '../published/outside-call.ts'
import { numberOf, numberText, pairingText, type DeviceKey } from './page-lines.ts'
import { isSameText } from './signatures.ts'

/** Milliseconds for which a link can be used. */
export const LINK_LASTS = 120_000

export type PairingLink = { token: string; role: Role; expiresAt: number }
/** `secret`: the nonces of its attempts. A nonce that was seen is worth nothing with the next link. */
type KeptLink = PairingLink & { secret: Buffer }
/** A device that has proven that it has the token. */
export type ProvenDevice = { role: Role; number: string; nonce: string }

export class Pairing {
  readonly #now: () => number
  #link: KeptLink | null = null

  /** Milliseconds since the Unix epoch. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Makes a new link; the former one is void. */
  begin(role: Role): void {
    const token = randomBytes(32).toString('base64url')
    this.#link = { token, role, expiresAt: this.#now() + LINK_LASTS, secret: randomBytes(32) }
  }

  /** Null if there is none, or if its time is over. */
  link(): PairingLink | null {
    return this.#current()
  }

  #current(): KeptLink | null {
    if (this.#link && this.#now() >= this.#link.expiresAt) this.#link = null
    return this.#link
  }

  /**
   * Null without a link. An attempt is made of a random text, and its nonce of the attempt: those that lead to nothing take no memory.
   */
  attempt(): { attempt: string; commitment: string } | null {
    const link = this.#current()
    if (!link) return null
    const attempt = signedBy(link, randomBytes(16).toString('hex'))
    return { attempt, commitment: createHash('sha256').update(nonceOf(link, attempt)).digest('hex') }
  }

  /** Takes the token, if the proof is right; null otherwise, and then nothing has changed. */
  prove(attempt: string, key: Pick<DeviceKey, 'x' | 'y'>, name: string, proof: string): ProvenDevice | null {
    const link = this.#current()
    if (!link || !isSameText(signedBy(link, attempt.split('.')[0] ?? ''), attempt)) return null
    const right = createHmac('sha256', link.token)
      .update(pairingText(attempt, key, name))
      .digest('base64url')
    if (!isSameText(right, proof)) return null
    this.#link = null
    const nonce = nonceOf(link, attempt)
    const number = numberOf(
      createHash('sha256')
        .update(numberText(key, nonce, link.token))
        .digest(),
    )
    return { role: link.role, number, nonce }
  }
}

function signedBy({ secret }: KeptLink, text: string): string {
  return `${text}.${createHmac('sha256', secret).update(`attempt ${text}`).digest('base64url')}`
}

function nonceOf({ secret }: KeptLink, attempt: string): string {
  return createHmac('sha256', secret).update(`nonce ${attempt}`).digest('hex')
}
