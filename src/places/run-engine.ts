/** Runs the programs that start places: kubectl, docker, podman. Each run is bounded in time and output, and asks nothing at the terminal. */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { execa } from 'execa'
import { findProgram, helperEnvironment } from '../platform/programs.ts'
import { collect, collectFirst } from '../platform/shell/collect.ts'

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

export type EngineResult = {
  /** `failed`: it could not be started, or a signal ended it. */
  how: 'exited' | 'timeout' | 'too much' | 'aborted' | 'failed'
  code: number | null
  output: string
  errors: string
}

const LIMIT = 30_000
const MOST = 16 * 1024 * 1024
const MOST_WORDS = 16 * 1024
/** The time for it to end after SIGTERM, in milliseconds. */
const END_GRACE = 1000

/** Never rejects. */
export async function runEngine(
  { file, env }: PlaceEngine,
  { args, input = '', signal, limit = LIMIT, most = MOST }: EngineRun,
): Promise<EngineResult> {
  if (signal?.aborted) return { how: 'aborted', code: null, output: '', errors: '' }
  const subprocess = execa(file, args, {
    env,
    extendEnv: false,
    input,
    stdout: 'pipe',
    stderr: 'pipe',
    encoding: 'buffer',
    buffer: false,
    reject: false,
    timeout: limit,
    ...(signal && { cancelSignal: signal }),
    killDescendants: true,
    forceKillAfterDelay: END_GRACE,
  })
  const output = collect(subprocess.stdout, most, () => subprocess.kill())
  const errors = collectFirst(subprocess.stderr, MOST_WORDS)
  const { exitCode = null, timedOut, isCanceled } = await subprocess
  const printed = output()
  const how = (): EngineResult['how'] => {
    if (isCanceled) return 'aborted'
    if (timedOut) return 'timeout'
    if (printed === null) return 'too much'
    return exitCode === null ? 'failed' : 'exited'
  }
  return { how: how(), code: exitCode, output: printed?.toString('utf8') ?? '', errors: errors().toString('utf8') }
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
