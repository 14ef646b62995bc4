/** Resolves a path as a call names it, and says whether an allow rule covers it. */
import { allowsPath } from './path-pattern.ts'
import { absolutePath } from '../paths.ts'
import type { Place } from '../policy.ts'
import { namesToAllow } from '../protected.ts'
import { foldedName } from '../../text/patterns/folded-name.ts'
import type { Rule } from './rule.ts'

/** Whether an allow rule covers a path. It must have each name that protects it as it is, without wildcards. */
export function coversPath({ pattern, path: own }: Rule, path: string, place: Place): boolean {
  if (pattern === null || own === null) return pattern === null
  const written = new Set(foldedName(pattern.replaceAll(/\\(.)/gs, '$1')).split('/'))
  if (!namesToAllow(path, place).every(name => written.has(foldedName(name)))) return false
  return allowsPath(own, path, place)
}

/**
 * A path as the call names it, and the file that it resolves to. After a link, `..` is the parent of the link's target, because
 * programs let the system resolve it.
 */
export function pathOf(path: string, place: Place, from = place.folder): { named: string; real: string } {
  const named = absolutePath(path, { folder: from, home: place.home })
  // `/proc/self/cwd` and `/dev/fd/3` are other files to each process: they lead out, and may also mean what they are to this one.
  if (OF_PROCESS.test(named)) return { named: absolutePath(place.resolve(named), place), real: named }
  const real = (own: string): string => absolutePath(place.resolve(own), place)
  if (!climbs(path)) return { named, real: real(named) }
  const [start = '', ...parts] = path.split(/(?<=^|\/)(?=\.\.(?:\/|$))/)
  let current = real(absolutePath(start, { folder: from, home: place.home }))
  for (const part of parts) current = real(absolutePath(part, { folder: current, home: place.home }))
  return { named, real: current }
}

const OF_PROCESS = /^\/(?:proc|dev\/(?:fd|stdin|stdout|stderr))(?:\/|$)/

/** Whether `..` follows a name: `a/../b`. */
export function climbs(path: string): boolean {
  const names = path.split('/')
  const first = names.findIndex(name => name !== '' && name !== '.' && name !== '..')
  return first >= 0 && names.includes('..', first)
}
