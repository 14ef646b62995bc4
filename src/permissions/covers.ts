/** Paths of a call, and whether a rule covers them. */
import { allowsPath } from './path-pattern.ts'
import { absolutePath } from './paths.ts'
import type { Place } from './policy.ts'
import { protectedPart, protection } from './protected.ts'
import type { Rule } from './rule.ts'

/** Whether an allow rule covers a path. A protected one it must name. */
export function coversPath({ pattern }: Rule, path: string, place: Place): boolean {
  if (pattern === null) return true
  const part = protection(path, place) === null ? null : (protectedPart(path) ?? path.split('/').at(-1) ?? '')
  if (part !== null && !pattern.toLowerCase().includes(part.toLowerCase())) return false
  return allowsPath(pattern, path, place)
}

/** A path as it is named, and where it leads. */
export function pathOf(path: string, place: Place, from = place.folder): { named: string; real: string } {
  const named = absolutePath(path, { folder: from, home: place.home })
  return { named, real: absolutePath(place.resolve(named), place) }
}
