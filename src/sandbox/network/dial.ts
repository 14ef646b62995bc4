/** Connects to a host that is allowed: its name is resolved once, and exactly an address that was checked is dialled. */
import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { codeOf } from '../../platform/errors.ts'
import { isReachable, type HostRule, type NamedHost } from './hosts.ts'

/** All addresses of a name. Rejects with the system's code if it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Names that are resolved at once. Each holds a thread that reads files, too, and an allowed domain may have any number of names. */
const MOST_LOOKUPS = 2

export function systemResolve(): Resolve {
  let running = 0
  const waiting: (() => void)[] = []
  return async name => {
    if (running >= MOST_LOOKUPS) await new Promise<void>(resolve => void waiting.push(resolve))
    else running += 1
    try {
      return (await lookup(name, { all: true })).map(({ address }) => address)
    } finally {
      // The place goes to the next one.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** What became of it: `why` is '' where the system did not say. */
type Dialled = { kind: 'connected'; socket: Socket } | { kind: 'refused' } | { kind: 'failed'; why: string }

type DialOptions = {
  resolve: Resolve
  /** Asked when the addresses are known. */
  rules: () => readonly HostRule[]
  port: number
  /** Milliseconds for the connection. */
  patience: number
  signal: AbortSignal
}

/** Never rejects. Where the signal is aborted, the connection is closed. */
export async function dial({ host, isAddress }: NamedHost, options: DialOptions): Promise<Dialled> {
  const { resolve, rules, port, signal } = options
  try {
    const found = isAddress ? [host] : await resolve(host)
    const ofMachine = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address))
    const addresses = found.filter(address => isReachable(rules(), { host, port }, address, ofMachine))
    if (signal.aborted) return { kind: 'failed', why: '' }
    if (addresses.length === 0) return found.length === 0 ? { kind: 'failed', why: 'ENOTFOUND' } : { kind: 'refused' }
    return await connectTo(addresses, options)
  } catch (error) {
    return { kind: 'failed', why: codeOf(error) }
  }
}

function connectTo(addresses: readonly string[], { port, patience, signal }: DialOptions): Promise<Dialled> {
  const families = addresses.map(address => ({ address, family: isIP(address) }))
  const [first] = families
  const { promise, resolve } = Promise.withResolvers<Dialled>()
  const socket = connect({
    // The name means nothing: it makes Node ask `lookup`, and try one address after the other.
    host: families.length === 1 ? (first?.address ?? '') : 'checked.invalid',
    port,
    lookup: (_name, { all }, done) => (all ? done(null, families) : done(null, first?.address ?? '', first?.family)),
    autoSelectFamily: true,
    allowHalfOpen: true,
    noDelay: true,
  })
  const timer = setTimeout(() => finish({ kind: 'failed', why: 'ETIMEDOUT' }), patience)
  const onAbort = (): void => finish({ kind: 'failed', why: '' })
  const finish = (dialled: Dialled): void => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    if (dialled.kind !== 'connected') socket.destroy()
    resolve(dialled)
  }
  signal.addEventListener('abort', onAbort)
  socket.once('connect', () => finish({ kind: 'connected', socket }))
  // It stays, so that an error between two users of the socket ends nothing but the socket.
  socket.on('error', error => finish({ kind: 'failed', why: codeOf(error) }))
  return promise
}
