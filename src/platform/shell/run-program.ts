/** Runs a command of the user that reads its input and prints something, with bounds on its time and its output. */
import process from 'node:process'
import { execa } from 'execa'
import { collect, collectFirst } from './collect.ts'
import { shellOf } from './run.ts'

export type ProgramRun = {
  /** A line for the user's own shell; on Windows for cmd. */
  command: string
  input: string
  cwd: string
  /** The whole environment. */
  env: NodeJS.ProcessEnv
  /** In milliseconds. What the program has started is then ended, too. */
  timeout: number
  /** The bytes that it may print. More of them end it; of its standard error only so many are kept. */
  limitBytes: number
  /** Ends it early. */
  signal: AbortSignal
  /** Called with the id of the process that leads its session. The returned function is called when it has ended. */
  watch?: ((leader: number) => () => void) | undefined
  /** Whether what it leaves in the background is ended when it has ended. */
  endsRest?: boolean
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
/** The time for a program to end after SIGTERM, in milliseconds. */
const END_GRACE = 500

/** Never rejects. */
export async function runProgram(run: ProgramRun): Promise<ProgramResult> {
  const { command, input, cwd, env, timeout, limitBytes, signal, watch, endsRest = false } = run
  const none = { exitCode: null, killedBy: null, output: '', errors: '', durationMs: 0 }
  // Arguments cannot contain NUL.
  if (command.includes('\0')) return { ...none, how: 'not_started' }
  if (signal.aborted) return { ...none, how: 'aborted' }
  const began = performance.now()
  const [file, ...args] = shellLine(command, env)
  const subprocess = execa(file, args, {
    cwd,
    env,
    extendEnv: false,
    input,
    stdout: 'pipe',
    stderr: 'pipe',
    encoding: 'buffer',
    buffer: false,
    reject: false,
    timeout,
    cancelSignal: signal,
    killDescendants: true,
    forceKillAfterDelay: END_GRACE,
    windowsVerbatimArguments: true,
  })
  const kill = (): void => void subprocess.kill('SIGKILL')
  const forget = killAtExit(kill)
  const unwatch = subprocess.pid === undefined ? undefined : watch?.(subprocess.pid)
  const streams = [subprocess.stdout, subprocess.stderr]
  const output = collect(subprocess.stdout, limitBytes, () => subprocess.kill())
  const errors = collectFirst(subprocess.stderr, limitBytes)
  subprocess.nodeChildProcess.once('exit', () => {
    setTimeout(() => streams.forEach(stream => stream.destroy()), OPEN_GRACE).unref()
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
