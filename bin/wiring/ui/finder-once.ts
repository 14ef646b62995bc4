import type { ControllerOptions } from '../../../src/app/controller-options.ts'
import type { SessionFinder } from '../../../src/storage/find/passage.ts'

/** The index of all sessions, which is loaded and opened when somebody searches. `before` is awaited first. */
export function openFinderOnce(
  stateFolder: string,
  before: () => Promise<void> = () => Promise.resolve(),
): NonNullable<ControllerOptions['openSessionFinder']> {
  let finder: Promise<SessionFinder> | null = null
  return () =>
    (finder ??= Promise.all([import('../../../src/storage/find/finder.ts'), before()]).then(([{ openSessionFinder }]) =>
      openSessionFinder(stateFolder),
    ))
}
