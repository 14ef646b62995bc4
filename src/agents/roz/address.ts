/** The address of a roz server. Pure. */

export type RozAddress = {
  /** `host:port`, as gRPC takes it. */
  target: string
  isSecure: boolean
  /** Whether it is this machine. */
  isLocal: boolean
  /** Whether others on the way could read the key: it goes unencrypted to another machine. */
  isExposed: boolean
}

type ReadAddress = { ok: true; value: RozAddress } | { ok: false; reason: string }

const EXAMPLE = 'such as https://roz.example.com or http://localhost:8080'

/** Reads `http://HOST:PORT` or `https://HOST:PORT`. A path belongs to no gRPC server. */
export function readAddress(text: string): ReadAddress {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return { ok: false, reason: `"${text}" is not the address of a roz server; use one ${EXAMPLE}` }
  if (url.username !== '' || url.password !== '')
    return {
      ok: false,
      reason: 'the address of a roz server cannot have a name or password: the key is in ROZ_API_KEY',
    }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return { ok: false, reason: `the address of a roz server ends after the port, ${EXAMPLE}` }
  const isSecure = url.protocol === 'https:'
  const isLocal = isLoopback(url.hostname)
  const port = url.port === '' ? (isSecure ? '443' : '80') : url.port
  return {
    ok: true,
    value: { target: `${url.hostname}:${port}`, isSecure, isLocal, isExposed: !isSecure && !isLocal },
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.endsWith('.localhost') || /^127(?:\.\d{1,3}){3}$/.test(host)
}
