/** The server that a zot sends prompts to. Pure. */
import { hostOf } from '../../../text/host.ts'
import type { ZotOptions } from './options.ts'

/** Providers whose own server is the machine that zot runs on. */
const LOCAL: ReadonlySet<string> = new Set(['ollama', 'lmstudio'])

/**
 * The host, as `agent_started` reports it; undefined for the provider's own. `machine` is the other machine that zot runs on: a local
 * server there is not the one here.
 */
export function serverOf(
  { baseUrl, extra = [] }: ZotOptions,
  provider: string,
  machine: string | undefined,
): string | undefined {
  // As for zot, the last flag counts.
  const at = extra.lastIndexOf('--base-url')
  const address = at < 0 ? baseUrl : extra[at + 1]
  const host = address ? hostOf(address) : undefined
  const isLocal = host === undefined ? LOCAL.has(provider) : LOOPBACK.test(host)
  return machine !== undefined && isLocal ? `${host ?? 'localhost'} on ${machine}` : host
}

const LOOPBACK = /^(?:(?:[^:]*\.)?localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?::\d+)?$/
