/** Pure. */

/** The host of an address for people, with its port but without a password; the text itself if it is no address. */
export function hostOf(address: string): string {
  try {
    return new URL(address).host || address
  } catch {
    return address
  }
}
