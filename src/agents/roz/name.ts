/** Recognises roz in a start that may name another agent. Pure. */

export const ROZ = { name: 'roz', title: 'roz', key: 'ROZ_API_KEY', address: 'ROZ_API_URL' } as const
export const ROZ_HINT = `set ${ROZ.key} to a key of the server, and ${ROZ.address} or --base-url to its address`

/** Whether the words of `--agent` mean roz. */
export function isRoz(words: string): boolean {
  return /^\s*roz(?:\s|$)/.test(words)
}
