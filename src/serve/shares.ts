/** Links to read one conversation. Their tokens are in memory only, so a share ends with the server. */
import { randomBytes } from 'node:crypto'
import { UsedCounters } from './nonces.ts'

/** Links at a time. */
export const MOST_SHARES = 16
/** All readers of a share sign with the same token, so a nonce is told apart for each of this many tabs. */
export const MOST_READERS = 32

export type Share = {
  id: string
  token: string
  session: string
  endsAt: number
  used: UsedCounters
}

export class Shares {
  readonly #now: () => number
  readonly #all = new Map<string, Share>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Those that have not ended. */
  list(): readonly Share[] {
    this.takeEnded()
    return [...this.#all.values()]
  }

  /** Null if there are too many, or if it would have ended already. */
  begin(session: string, endsAt: number): Share | null {
    if (this.list().length >= MOST_SHARES || !(endsAt > this.#now())) return null
    const id = randomBytes(12).toString('base64url')
    const share = {
      id,
      token: randomBytes(32).toString('base64url'),
      session,
      endsAt,
      used: new UsedCounters(MOST_READERS),
    }
    this.#all.set(id, share)
    return share
  }

  find(id: string): Share | null {
    this.takeEnded()
    return this.#all.get(id) ?? null
  }

  end(id: string): void {
    this.#all.delete(id)
  }

  /** The shares whose time is over; they are forgotten. */
  takeEnded(): readonly string[] {
    const ended = [...this.#all.values()].flatMap(({ id, endsAt }) => (this.#now() >= endsAt ? [id] : []))
    for (const id of ended) this.#all.delete(id)
    return ended
  }
}

/** The fragment of the link: it never reaches a server. */
export function shareLink(base: string, { id, token }: Pick<Share, 'id' | 'token'>): string {
  return `${base}/#share=${id}.${token}`
}
