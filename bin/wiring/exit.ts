/** Ends the process without the deadlock that Node's exit can run into. */
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import v8 from 'node:v8'

/** The time for compilations that have begun, in milliseconds. */
const COMPILING = 10

/**
 * Exits with this code. `process.exit` waits for V8's compiler threads, and a compiler thread whose heap is full waits for a
 * collection by the main thread, which is waiting for it: about 1 of 50 exits hung for ever (nodejs/node#54918). So no
 * compilation begins any more, and those that have begun may end while the main thread can still collect.
 */
export async function exit(code: number): Promise<never> {
  for (const compiler of ['sparkplug', 'maglev', 'turbofan']) v8.setFlagsFromString(`--no-${compiler}`)
  await setTimeout(COMPILING)
  return process.exit(code)
}
