/** Runs a program, or a command of the user, that reads its input and prints something, with bounds on its time and its output. */
import process from 'node:process'
import { execa } from 'execa'
import { collect, collectFirst } from './collect.ts'
import { shellOf } from './run.ts'

/** A program that may run for a while, and print something. */
export type FileRun = {
  /** The path of the program. */
  file: string
  args: readonly string[]
  /** Whether the arguments are one line that is quoted already, on Windows. */
  isLine?: boolean
  input: string
  /** That of this process, if it is not said. */
  cwd?: string
  /** The whole environment. */
  env: NodeJS.ProcessEnv
  /** In milliseconds. What the program has started is then ended, too. */
  timeout: number
  /** The bytes that it may print. More of them end it. */
  limitBytes: number
  /** The bytes of its standard error that are kept. */
  errorBytes: number
  /** The time to end after SIGTERM, in milliseconds. */
  endGrace?: number
  /** Ends it early. */
  signal?: AbortSignal | undefined
  /** Called with the id of the process that leads its session. The returned function is called when it has ended. */
  watch?: ((leader: number) => () => void) | undefined
  /** Whether what it leaves in the background is ended when it has ended. */
  endsRest?: boolean
}

export type ProgramRun = Omit<FileRun, 'file' | 'args' | 'isLine' | 'errorBytes' | 'endGrace'> & {
  /** A line for the user's own shell; on Windows for cmd. */
  command: string
  cwd: string
  /** Of its standard error only so many bytes are kept, too. */
  limitBytes: number
  signal: AbortSignal
}

export type ProgramResult = {
  /** `not_started` also stands for a command that no shell can take. */
  how: 'exited' | 'signal' | 'timeout' | 'too_much' | 'aborted' | 'not_started'
  /** Null where a signal ended it, or it was not started. */
  exitCode: number | null
  /** The name of the signal that ended it; null if none did. */
  killedBy: string | null
  output: string
  /** The text on its standard error. */
  errors: string
  durationMs: number
}

/** The time that a background process may keep the output open after the end, in milliseconds. */
const OPEN_GRACE = 500
const END_GRACE = 500

/** Never rejects. */
export async function runProgram({ command, ...run }: ProgramRun): Promise<ProgramResult> {
  const [file, ...args] = shellLine(command, run.env)
  return runFile({ ...run, file, args, isLine: true, errorBytes: run.limitBytes })
}

/** Never rejects. */
export async function runFile(run: FileRun): Promise<ProgramResult> {
  const { file, args, input, cwd, env, timeout, limitBytes, errorBytes, signal, watch, endsRest = false } = run
  const none = { exitCode: null, killedBy: null, output: '', errors: '', durationMs: 0 }
  // Arguments cannot contain NUL.
  if (args.some(each => each.includes('\0'))) return { ...none, how: 'not_started' }
  if (signal?.aborted) return { ...none, how: 'aborted' }
  const began = performance.now()
  const subprocess = execa(file, args, {
    ...(cwd !== undefined && { cwd }),
    env,
    extendEnv: false,
    input,
    stdout: 'pipe',
    stderr: 'pipe',
    encoding: 'buffer',
    buffer: false,
    reject: false,
    timeout,
    ...(signal && { cancelSignal: signal }),
    killDescendants: true,
    forceKillAfterDelay: run.endGrace ?? END_GRACE,
    windowsVerbatimArguments: run.isLine ?? false,
  })
  const kill = (): void => void subprocess.kill('SIGKILL')
  const forget = killAtExit(kill)
  const unwatch = subprocess.pid === undefined ? undefined : watch?.(subprocess.pid)
  const streams = [subprocess.stdout, subprocess.stderr]
  const output = collect(subprocess.stdout, limitBytes, () => subprocess.kill())
  const errors = collectFirst(subprocess.stderr, errorBytes)
  subprocess.nodeChildProcess.once('exit', () => {
    // What has come meanwhile is read first, also where this process was busy all the time.
    setTimeout(() => setImmediate(() => streams.forEach(stream => stream.destroy())), OPEN_GRACE).unref()
  })
  const { exitCode = null, signal: killedBy = null, timedOut, isCanceled } = await subprocess
  const printed = output()
  // A process of it may ignore SIGTERM after the shell has gone.
  if (timedOut || isCanceled || printed === null || endsRest) kill()
  forget()
  unwatch?.()
  const how = (): ProgramResult['how'] => {
    if (isCanceled) return 'aborted'
    if (timedOut) return 'timeout'
    if (printed === null) return 'too_much'
    if (killedBy !== null) return 'signal'
    return exitCode === null ? 'not_started' : 'exited'
  }
  return {
    how: how(),
    exitCode,
    killedBy,
    output: printed?.toString('utf8') ?? '',
    errors: errors().toString('utf8'),
    durationMs: performance.now() - began,
  }
}

const running = new Set<() => void>()

/** Calls `kill` when this process exits. The returned function cancels that. */
function killAtExit(kill: () => void): () => void {
  if (running.size === 0) process.on('exit', killAll)
  running.add(kill)
  return () => {
    running.delete(kill)
    if (running.size === 0) process.off('exit', killAll)
  }
}

function killAll(): void {
  for (const kill of running) kill()
}

function shellLine(command: string, env: NodeJS.ProcessEnv): [string, ...string[]] {
  if (process.platform === 'win32') return [env['ComSpec'] ?? 'cmd.exe', '/d', '/s', '/c', `"${command}"`]
  return [shellOf(env), '-c', command]
}
