/** One name of a path, as it is compared with the names of files that need an answer. */
import { foldedName } from '../text/patterns/folded-name.ts'
import { withoutEnd } from '../text/without-end.ts'

/**
 * The name in the form that all its spellings share. Windows drops dots and spaces at the end of a name, and reads what follows a
 * colon as a part of the file.
 */
export function plainName(part: string): string {
  const name = foldedName(part)
  return withoutEnd(name.split(':')[0] ?? '', /[. ]/) || name
}
