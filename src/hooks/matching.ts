/** The names that a hook is for. Pure. */

/** A name may come from an agent. */
const LONGEST_NAME = 200

/** Whether a matcher is for a name: a regular expression for the whole of it, in any case. Nothing and `*` are for every name. */
export function isFor(matcher: string | null, name: string): boolean {
  if (matcher === null || matcher === '' || matcher === '*') return true
  return new RegExp(`^(?:${matcher})$`, 'i').test(name.slice(0, LONGEST_NAME))
}
