/** Flags of V8 that keep the memory of the UI small. docs/performance.md, "Start-up", says what each of them brings. */
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'

/** The newest major version of V8 that is known to have the flags. It writes to standard error about one that it does not know. */
const NEWEST_V8 = 14
/** The first major version that has Maglev, the quick compiler, on by default. */
const FIRST_WITH_MAGLEV = 13

/**
 * Node's own modules that the first frame needs. V8 refuses Node's code cache of modules that are loaded once a flag is set: they
 * would take three times as long, 7 ms before the first frame.
 */
const NEEDED_FIRST = ['node:child_process', 'node:tty', 'node:os', 'node:timers/promises']

/**
 * Keeps the space for new objects at 1 MB a half. V8 doubles it while the program is loaded and under a steady stream, up to 64 MB,
 * although drawn lines do not outlive a frame. Without it the prompt has 4.3 MB more.
 */
const SMALL_NEW_SPACE = '--semi-space-growth-factor=1'

/**
 * Keeps V8's slow compiler out of memory: 5.8 MB at the prompt. Maglev compiles hot functions nearly as well. The slow one would also
 * compile calls of yoga's WASM after 1,000 of them, and hot functions in it: 5 MB in a long answer.
 */
const NO_SLOW_COMPILER = [
  '--no-turbofan',
  '--wasm-wrapper-tiering-budget=1000000000',
  '--wasm-tiering-budget=1000000000',
]

/**
 * Leaves compiling to code that runs for long: V8 compiles what was called 400 times, and an answer of ten seconds called that much so
 * often that compiling took 15 % of its processor time. Without it the peak of a long answer is 5.8 MB higher.
 */
const LATER_COMPILER = '--invocation-count-for-maglev=10000'

/**
 * Keeps the memory of the UI small, by 10 MB at the prompt. To be called before the program is loaded: Node's own functions for paths are the first
 * that the slow compiler would take. A V8 that may lack the flags runs without them.
 */
export function useLessMemory(): void {
  const version = Number.parseInt(process.versions.v8, 10)
  if (version > NEWEST_V8) return
  for (const name of NEEDED_FIRST) process.getBuiltinModule?.(name)
  for (const flag of [SMALL_NEW_SPACE, ...(version < FIRST_WITH_MAGLEV ? [] : [...NO_SLOW_COMPILER, LATER_COMPILER])])
    setFlagsFromString(flag)
}
