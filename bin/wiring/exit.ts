/** Ends the process without the deadlock that Node's exit can run into. */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { stopCompiling } from '../../src/platform/node-internals.ts'

/** The time for compilations that have begun, in milliseconds. */
const COMPILING = 10
const SHELL = '/bin/sh'

/**
 * Exits with this code. `process.exit` waits for V8's compiler threads, and a compiler thread whose heap is full waits
 * for a collection by the main thread, which is waiting for it (nodejs/node#54918). So the process becomes a shell that
 * exits: the system then ends all threads at once. Where a process cannot do that (Windows, Node before 22.15), no more
 * compilations begin, and those that run get a moment to end. On a busy machine that may be too short.
 */
export async function exit(code: number): Promise<never> {
  // Compiled code is saved while V8 has the flags of the start: it refuses that of other ones.
  process.emit('beforeExit', code)
  if (process.platform !== 'win32' && process.execve && existsSync(SHELL)) {
    process.exitCode = code
    process.emit('exit', code)
    process.execve(SHELL, ['sh', '-c', `exit ${code}`], {})
  }
  stopCompiling()
  await setTimeout(COMPILING)
  return process.exit(code)
}
