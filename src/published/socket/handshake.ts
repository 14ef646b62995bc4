/**
 * How a UI and a server know that nobody is between them. Any command of the agent may open both sockets and pass on what it reads, and add
 * something. So both make a key for the connection, the code that both terminals show is made of the two keys, and each request has a MAC of
 * their common secret. The server commits to its key before it sees the other: who is in between can choose keys of its own, but not so that
 * both codes become the same. A server that a UI has started also proves that it has the secret of its start.
 */
import {
  createHash,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'

export type KeyPair = { publicKey: string; privateKey: KeyObject }

/** What both sides know after the handshake. */
export type Shared = {
  /** Six digits. */
  code: string
  macOf: (body: string) => string
  /** The proof that a server has the secret of its start. */
  proofOf: (secret: string) => string
}

export function createKeys(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return { publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'), privateKey }
}

export function commitmentTo(publicKey: string): string {
  return createHash('sha256').update(publicKey).digest('hex')
}

/** Null if `theirs` is no key. */
export function shareKeys(own: KeyPair, theirs: string, role: 'server' | 'publisher'): Shared | null {
  const keys = role === 'server' ? [own.publicKey, theirs] : [theirs, own.publicKey]
  const both = keys.join(' ')
  const common = commonSecret(own, theirs)
  if (!common) return null
  const key = Buffer.from(hkdfSync('sha256', common, '', `zotui serve ${both}`, 32))
  return {
    code: codeOf(both),
    macOf: body => macWith(key, body),
    proofOf: secret => macWith(secret, `zotui serve ${both}`),
  }
}

/** Compares without telling by the time where they differ. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function commonSecret({ privateKey }: KeyPair, theirs: string): Buffer | null {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(theirs, 'base64'), format: 'der', type: 'spki' })
    return publicKey.asymmetricKeyType === 'x25519' ? diffieHellman({ privateKey, publicKey }) : null
  } catch {
    return null
  }
}

function codeOf(both: string): string {
  const bytes = createHash('sha256').update(`code ${both}`).digest()
  return String(bytes.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}

function macWith(key: string | Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}
