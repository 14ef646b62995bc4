/** Delays V8's optimizing compiler. This file is bundled into the entry file, which must run on any Node. */
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'

/** The major versions of V8 that are known to have the flag. V8 writes to standard error about an unknown flag. */
const [OLDEST, NEWEST] = [13, 14]

/**
 * Node's own modules that the first frame needs. V8 rejects Node's code cache for modules that are loaded after a flag
 * is set, and they would take three times as long.
 */
const NEEDED_FIRST = ['node:child_process', 'node:tty', 'node:os', 'node:timers/promises']

/** V8's default is 3,000. */
const CALLS_BEFORE_OPTIMIZING = 30_000

/**
 * Keeps functions longer in V8's quick compiler, whose code is nearly as fast. The optimizing one takes 5 MB when it
 * first runs. Call this before the program is loaded: Node's path functions would be optimized first.
 */
export function optimizeLate(): void {
  const version = Number.parseInt(process.versions.v8, 10)
  if (version < OLDEST || version > NEWEST) return
  for (const name of NEEDED_FIRST) process.getBuiltinModule?.(name)
  setFlagsFromString(`--invocation-count-for-turbofan=${CALLS_BEFORE_OPTIMIZING}`)
}
