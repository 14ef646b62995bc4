/**
 * Which requests are those of the page. A browser lets any page send requests to loopback, and a name of an attacker may lead there
 * (DNS rebinding): so the host, the origin and what the browser says of the sender are checked, before anything else.
 */
import { UserError } from '../platform/errors.ts'
import type { PageError } from './page-lines.ts'

/** What a request says of itself, as it was sent. A header that comes several times has several values. */
export type SentFacts = {
  method: string
  /** The first line's path, or address. */
  target: string
  host: readonly string[]
  origin: readonly string[]
  contentType: readonly string[]
  /** `sec-fetch-site`, `-mode` and `-dest`; empty from browsers that do not send them. */
  site: readonly string[]
  mode: readonly string[]
  dest: readonly string[]
}

export type AllowedPlaces = {
  /** The names of this machine with our port, and the host of the tunnel's address. */
  hosts: ReadonlySet<string>
  /** The origin of each host. */
  origins: ReadonlyMap<string, string>
  /** The origin of the tunnel's address. A tunnel may put our own name in the place of its host. */
  at: string | null
}

export type RequestRefusal = { status: 403 | 404 | 405 | 415; error: PageError }

const LOOPBACK = ['127.0.0.1', 'localhost']

export function allowedPlaces(port: number, at: string | null): AllowedPlaces {
  const origins = new Map(LOOPBACK.map(name => [`${name}:${port}`, `http://${name}:${port}`]))
  if (at !== null) origins.set(new URL(at).host, at)
  return { hosts: new Set(origins.keys()), origins, at }
}

/** Null for a request of the page, or for one of its files. */
export function refusalOf(facts: SentFacts, { hosts, origins, at }: AllowedPlaces): RequestRefusal | null {
  const { method, target, host, origin, contentType } = facts
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') return { status: 405, error: 'method' }
  const [asked = ''] = host
  if (host.length !== 1 || !hosts.has(asked)) return { status: 403, error: 'host' }
  // An address in the place of a path names a host of its own.
  const [, path = '', query] = /^(\/(?:[\w.-][\w./-]*)?)(\?[\w=&.-]*)?$/.exec(target) ?? []
  if (path === '') return { status: 403, error: 'path' }
  if (origin.length > 1) return { status: 403, error: 'origin' }
  const [from] = origin
  if (from !== undefined && from !== origins.get(asked) && (at === null || from !== at))
    return { status: 403, error: 'origin' }
  if (!isOwnFetch(facts, path)) return { status: 403, error: 'origin' }
  if (method !== 'POST') return path.startsWith('/api/') ? { status: 405, error: 'method' } : null
  // Without an origin it is no browser's; of a form it has another type.
  if (from === undefined) return { status: 403, error: 'origin' }
  if (contentType.length !== 1 || contentType[0] !== 'application/json') return { status: 415, error: 'body' }
  if (!path.startsWith('/api/')) return { status: 404, error: 'path' }
  return query === undefined ? null : { status: 403, error: 'path' }
}

/** Whether the browser says that the page itself sends it, or that the person opens the page, by an address or a link. */
function isOwnFetch({ method, site, mode, dest }: SentFacts, path: string): boolean {
  if (site.length > 1 || mode.length > 1 || dest.length > 1) return false
  const [from] = site
  if (from === undefined || from === 'same-origin') return true
  if (method === 'POST') return false
  if (from === 'none') return true
  return mode[0] === 'navigate' && dest[0] === 'document' && path === '/'
}

/** The origin of an address for `--at`. @throws UserError for one that cannot be a page of this server. */
export function originOfAt(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new UserError('--at needs the address of a tunnel.', 'Such as https://laptop.example.ts.net', 2)
  if (url.protocol === 'http:' && !LOOPBACK.includes(url.hostname))
    throw new UserError('--at needs https.', 'Browsers give no keys to a page over http from another machine.', 2)
  if (url.username !== '' || url.password !== '')
    throw new UserError('--at takes no name and no password.', 'Everybody who sees the link would have them.', 2)
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new UserError('--at takes a host, without a path.', `Such as ${url.origin}`, 2)
  return url.origin
}
