/** Reads the heads of requests to the proxy, and writes those that it sends on. What can be read in two ways is refused. */
import type { IncomingMessage } from 'node:http'
import { normalHost, type NamedHost } from './hosts.ts'

export type HostTarget = { named: NamedHost; port: number }

/** The target of `CONNECT`: a host and a port. Null for anything else. */
export function readAuthority(text: string): HostTarget | null {
  return readHostAndPort(text, null)
}

/** The target of an absolute `http://` request, and the path that is sent to it. Null for anything else. */
export function readAbsolute(url: string): (HostTarget & { path: string }) | null {
  const [, authority = '', rest = ''] = /^http:\/\/([^/?#]+)((?:[/?].*)?)$/is.exec(url) ?? []
  const target = readHostAndPort(authority, 80)
  return target && { ...target, path: rest.startsWith('/') ? rest : `/${rest}` }
}

function readHostAndPort(text: string, usual: number | null): HostTarget | null {
  const [, bracketed, plain = '', digits] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/s.exec(text) ?? []
  const named = normalHost(bracketed ?? plain)
  const port = digits === undefined ? usual : Number(digits)
  if (!named || port === null || port < 1 || port > 65_535) return null
  // Only IPv6 has brackets, and it always has them.
  return (bracketed?.includes(':') ?? false) === (bracketed !== undefined) ? { named, port } : null
}

/** As it stands in an address, and in our words. */
export function writtenTarget({ named: { host }, port }: HostTarget): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Whether the head says in one way only where it goes and how long its body is. Node refuses a body with two lengths already. */
export function isUnambiguous({ httpVersion, rawHeaders, headers }: IncomingMessage, target: HostTarget): boolean {
  if (!['1.0', '1.1'].includes(httpVersion)) return false
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map(name => name.toLowerCase())
  const once = ['host', 'content-length', 'transfer-encoding', 'proxy-authorization']
  if (once.some(name => names.filter(each => each === name).length > 1)) return false
  const coding = headers['transfer-encoding']
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || headers['content-length'] !== undefined))
    return false
  if (headers.host === undefined) return true
  const named = readHostAndPort(headers.host, 80)
  return named !== null && writtenTarget(named) === writtenTarget(target)
}

/** The token of `Proxy-Authorization`: the name of the user. The password says nothing. Null for none. */
export function tokenOf({ headers }: IncomingMessage): string | null {
  const [, encoded] = /^basic +([\d+/=a-z]{1,200})$/i.exec(headers['proxy-authorization'] ?? '') ?? []
  return encoded === undefined ? null : (/^([^:]*):/.exec(Buffer.from(encoded, 'base64').toString())?.[1] ?? null)
}

/** Those that concern one connection only. */
const HOP_BY_HOP =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-authentication-info proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  )

/** Names and values in turn, without those for this connection and those in `except`. */
export function endToEnd(rawHeaders: readonly string[], connection = '', except: readonly string[] = []): string[] {
  const left = new Set([...HOP_BY_HOP, ...except, ...connection.toLowerCase().split(/[\s,]+/)])
  return rawHeaders.filter((_, at) => !left.has(rawHeaders[at - (at % 2)]?.toLowerCase() ?? ''))
}

/** The headers of a request as it is sent on. */
export function sentHeaders({ rawHeaders, headers, method = '' }: IncomingMessage, target: HostTarget): string[] {
  const length = headers['content-length']
  const isChunked = headers['transfer-encoding'] !== undefined
  // Node would take a body of any length for a method that usually has one.
  const isEmpty = !isChunked && length === undefined && !['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE'].includes(method)
  return [
    'Host',
    target.port === 80 ? writtenTarget(target).replace(/:80$/, '') : writtenTarget(target),
    'Connection',
    'close',
    ...endToEnd(rawHeaders, headers.connection, ['host', 'expect', 'content-length']),
    ...(isChunked ? ['Transfer-Encoding', 'chunked'] : []),
    ...(length !== undefined || isEmpty ? ['Content-Length', length ?? '0'] : []),
  ]
}
