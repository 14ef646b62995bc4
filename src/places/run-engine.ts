/** Runs the programs that start places: kubectl, docker, podman. Each run is bounded in time and output, and asks nothing at the terminal. */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { findProgram, helperEnvironment } from '../platform/programs.ts'
import { runFile, type ProgramResult } from '../platform/shell/run-program.ts'

/** The path of the program, which is none of the project's, and its environment. */
export type PlaceEngine = { name: string; file: string; env: NodeJS.ProcessEnv }

/** Null if there is none outside of the project of `folder`. */
export function findEngine(name: string, env: NodeJS.ProcessEnv, folder: string): PlaceEngine | null {
  const own = helperEnvironment(env, folder)
  const file = findProgram(name, own, folder)
  return file === null ? null : { name, file, env: own }
}

export type EngineRun = {
  args: readonly string[]
  input?: string
  signal?: AbortSignal
  /** In milliseconds. */
  limit?: number
  /** Bytes of the output. */
  most?: number
}

const LIMIT = 30_000
const MOST = 16 * 1024 * 1024
const MOST_WORDS = 16 * 1024
const END_GRACE = 1000

/** Never rejects. */
export async function runEngine(
  { file, env }: PlaceEngine,
  { args, input = '', signal, limit = LIMIT, most = MOST }: EngineRun,
): Promise<ProgramResult> {
  const bounds = { timeout: limit, limitBytes: most, errorBytes: MOST_WORDS, endGrace: END_GRACE }
  return runFile({ file, args, input, env, signal, ...bounds })
}

/** Asks for something at the exit of this process, which does not wait for it. */
export function askAndLeave({ file, env }: PlaceEngine, args: readonly string[]): void {
  const child = spawn(file, args, {
    env,
    stdio: 'ignore',
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  child.on('error', () => {})
  child.unref()
}
