/** The names that a hook's matcher matches. Pure. */

/** Characters of a name, which may come from an agent, that are matched. */
const LONGEST_NAME = 200

/** Matches a whole name with a regular expression, in any case. Null, '' and `*` match every name. */
export function isFor(matcher: string | null, name: string): boolean {
  if (matcher === null || matcher === '' || matcher === '*') return true
  return new RegExp(`^(?:${matcher})$`, 'is').test(name.slice(0, LONGEST_NAME))
}
