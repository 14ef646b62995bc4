/** Runs a command of the user that reads a question from its input and prints an answer. */
import process from 'node:process'
import { execa } from 'execa'
import { formatBytes, formatDuration } from '../../text/format.ts'
import { collect } from './collect.ts'
import { shellOf } from './run.ts'

export type AskedProgram = {
  /** A line for the user's own shell; on Windows for cmd. */
  command: string
  input: string
  cwd: string
  /** The whole environment. */
  env: NodeJS.ProcessEnv
  /** In milliseconds. What the program has started is then ended, too. */
  timeout: number
  /** The bytes that it may print. More of them end it. */
  limitBytes: number
  /** Ends it early. */
  signal: AbortSignal
}

/** The output of a program that succeeded, or in words that follow "the program" why there is none. */
export type ProgramOutput = { ok: true; output: string } | { ok: false; problem: string }

/** Never rejects. Its standard error goes nowhere. */
export async function askProgram(asked: AskedProgram): Promise<ProgramOutput> {
  const { command, input, cwd, env, timeout, limitBytes, signal } = asked
  if (command.includes('\0')) return { ok: false, problem: 'has a NUL character in its command' }
  if (signal.aborted) return { ok: false, problem: 'was ended' }
  const [file, ...args] = shellLine(command, env)
  const subprocess = execa(file, args, {
    cwd,
    env,
    extendEnv: false,
    input,
    stdout: 'pipe',
    stderr: 'ignore',
    encoding: 'buffer',
    buffer: false,
    reject: false,
    timeout,
    cancelSignal: signal,
    killDescendants: true,
    forceKillAfterDelay: 500,
    windowsVerbatimArguments: true,
  })
  const output = collect(subprocess.stdout, limitBytes, () => subprocess.kill())
  // A background process that it left may hold the output open.
  subprocess.nodeChildProcess.once('exit', () => setTimeout(() => subprocess.stdout.destroy(), 500).unref())
  const { exitCode, signal: killedBy, timedOut, isCanceled } = await subprocess
  const bytes = output()
  if (isCanceled) return { ok: false, problem: 'was ended' }
  if (timedOut) return { ok: false, problem: `did not answer within ${formatDuration(timeout)}` }
  if (bytes === null) return { ok: false, problem: `printed more than ${formatBytes(limitBytes)}` }
  if (killedBy !== undefined) return { ok: false, problem: `was ended by ${killedBy}` }
  if (exitCode === undefined) return { ok: false, problem: 'could not be started' }
  return exitCode === 0
    ? { ok: true, output: bytes.toString('utf8') }
    : { ok: false, problem: `failed with exit code ${exitCode}` }
}

function shellLine(command: string, env: NodeJS.ProcessEnv): [string, ...string[]] {
  if (process.platform === 'win32') return [env['ComSpec'] ?? 'cmd.exe', '/d', '/s', '/c', `"${command}"`]
  return [shellOf(env), '-c', command]
}
