/** Looks at this machine for what a box for reading hides, and what it shows all the same. */
import { realPath } from '../platform/real-path.ts'
import { isWithin } from '../platform/within.ts'
import { holdsOwn, isOfSystem } from './box-mounts.ts'
import { homesOf, kindOf, ofNix, programs, secretsHere } from './places.ts'
import type { ReadPolicy } from './read-policy.ts'
import { repositories } from './repositories.ts'

/** `folder` is that of the project. */
export function readPolicy(folder: string, env: NodeJS.ProcessEnv): ReadPolicy {
  const homes = homesOf(env)
  const closed = secretsHere(homes, env)
  const project = realPath(folder)
  const isOpen = (path: string): boolean =>
    !holdsOwn(path) && !isOfSystem(path) && !closed.some(place => isWithin(place.path, path))
  // Only what the person has opened is shown in a closed place. What a project names must not open anything.
  const others = [...repositories(project), ...homes.map(home => realPath(home)), ...programs(env), ...ofNix]
  return {
    folder: project,
    seen: [...new Set([project, ...others.filter(path => isOpen(path) && kindOf(path) === 'folder')])],
    closed,
  }
}
