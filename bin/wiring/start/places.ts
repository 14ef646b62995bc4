/** The places that zotui starts itself for `--on`, and then ends: containers, and Jobs of Kubernetes. Each is loaded when it is named. */
import type { OpenStartedPlace } from '../../../src/places/started-place.ts'
import { UserError } from '../../../src/platform/errors.ts'

/** By the word before the colon of `--on`. */
const WAYS: ReadonlyMap<string, () => Promise<OpenStartedPlace>> = new Map([
  ['container', async () => (await import('../../../src/places/container/place.ts')).openContainerPlace],
  ['job', async () => (await import('../../../src/places/job/open-job.ts')).openJobPlace],
])

const wayOf = (on: string): string => on.slice(0, Math.max(0, on.indexOf(':')))

/** Whether `--on` names such a place, and not a machine that is there already. */
export function startsPlace(on: string): boolean {
  return WAYS.has(wayOf(on))
}

/** @throws UserError with exit code 2 for what the person can mend. */
export const openPlaceFor: OpenStartedPlace = async (on, start) => {
  const way = WAYS.get(wayOf(on))
  if (!way) throw new UserError(`zotui cannot start the place ${on}.`, '', 2)
  return (await way())(on, start)
}
