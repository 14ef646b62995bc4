/** Delays V8's optimizing compiler. This file is part of the first one, which runs on any Node. */
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'

/** The major versions of V8 that are known to have the flag. It writes to standard error about one that it does not know. */
const [OLDEST, NEWEST] = [13, 14]

/**
 * Node's own modules that the first frame needs. V8 refuses Node's code cache of modules that are loaded once a flag is set: they
 * would take three times as long.
 */
const NEEDED_FIRST = ['node:child_process', 'node:tty', 'node:os', 'node:timers/promises']

/** V8's own number is 3,000. */
const CALLS_BEFORE_OPTIMIZING = 30_000

/**
 * Leaves functions longer to V8's quick compiler, which does nearly as well. The optimizing one takes 5 MB when it runs for the first
 * time. To be called before the program is loaded: Node's own functions for paths are the first that it would take.
 */
export function optimizeLate(): void {
  const version = Number.parseInt(process.versions.v8, 10)
  if (version < OLDEST || version > NEWEST) return
  for (const name of NEEDED_FIRST) process.getBuiltinModule?.(name)
  setFlagsFromString(`--invocation-count-for-turbofan=${CALLS_BEFORE_OPTIMIZING}`)
}
