/** Pure. */

/** The host of an address for people, with its port but without a password; the text itself if it is no address. */
export function hostOf(address: string): string {
  try {
    return new URL(address).host || address
  } catch {
    return address
  }
}

/** A host with its port, as programs write them: `api.github.com:443`, `[fd00::1]:443`. */
export function hostWithPort({ host, port }: { host: string; port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
