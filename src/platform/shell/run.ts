/** Runs what the person typed after `!`. Never the agent's words: nothing here asks whether a command is wise. */
import { accessSync, constants, statSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { execa } from 'execa'
import { createClip, type Clipped } from './clip.ts'
import { createLive, type OnOutput } from './live.ts'

export type ShellOptions = {
  command: string
  cwd: string
  /** The whole environment: nothing of ours is added. */
  env: NodeJS.ProcessEnv
  onOutput: OnOutput
  /** What the output goes through, before anything of it is left out. */
  through?: { push: (text: string) => string; end: () => string }
  /** How many bytes of output the result may hold. */
  limitBytes: number
  /** Told the id of the process that leads its session; called back when the command is over. */
  guard?: ((leader: number) => () => void) | undefined
}

export type ShellResult = {
  /** Null where it was ended by a signal, or not started. */
  exitCode: number | null
  signal: string | null
  /** Its beginning and its end, as it came: with colours and control characters. */
  output: string
  /** How many bytes of output are not in `output`. */
  leftOut: number
  durationMs: number
  /** Whether `stop` was called. */
  stopped: boolean
  /** Why it could not be started, in words; else null. */
  problem: string | null
}

export type ShellRun = {
  /** Never rejects. */
  done: Promise<ShellResult>
  /** Ends it and all that it started, by force after 2 s. `done` resolves when nothing of it is left. */
  stop(): void
}

/** How long what was told to stop may go on, in milliseconds. */
const STOP_GRACE = 2000
/** How long after the end a program in the background (`server &`) may keep the output open, in milliseconds. */
const EXIT_GRACE = 2000
/** How long what was ended by force may take to be gone, in milliseconds. */
const FORCE_GRACE = 500
const POLL = 20

/**
 * Runs the command in the person's own shell, without a terminal: its input is empty, and what asks for a password fails
 * instead of fighting over the keyboard. What it leaves running in the background goes on after `done`.
 */
export function runShell(options: ShellOptions): ShellRun {
  // No program can be given one.
  if (options.command.includes('\0')) return notStarted('the command has a NUL in it')
  const began = performance.now()
  const subprocess = spawn(options)
  const unguard = subprocess.pid === undefined ? undefined : options.guard?.(subprocess.pid)
  const output = readOutput([subprocess.stdout, subprocess.stderr], options)
  let exitTimer: NodeJS.Timeout | undefined
  subprocess.nodeChildProcess.once('exit', () => {
    exitTimer = setTimeout(output.abandon, EXIT_GRACE)
  })

  let stopAt: number | null = null
  let killTimer: NodeJS.Timeout | undefined
  let over = false
  const finish = async (): Promise<ShellResult> => {
    const { exitCode = null, signal = null, code } = await subprocess
    clearTimeout(exitTimer)
    // Something of it may have closed its output and live on.
    if (stopAt !== null) await groupEnd(subprocess.pid, stopAt + STOP_GRACE)
    clearTimeout(killTimer)
    over = true
    unguard?.()
    const { text, leftOut } = output.finish()
    return {
      exitCode,
      signal,
      output: text,
      leftOut,
      durationMs: performance.now() - began,
      stopped: stopAt !== null,
      problem: exitCode === null && signal === null ? whyNotStarted(code, options.cwd) : null,
    }
  }
  return {
    done: finish(),
    stop() {
      // After the end the process group's number may be another's.
      if (over || stopAt !== null) return
      stopAt = performance.now()
      subprocess.kill('SIGTERM')
      killTimer = setTimeout(() => subprocess.kill('SIGKILL'), STOP_GRACE)
    },
  }
}

function notStarted(problem: string): ShellRun {
  const nothing = { exitCode: null, signal: null, output: '', leftOut: 0, durationMs: 0, stopped: false }
  return { done: Promise.resolve({ ...nothing, problem }), stop() {} }
}

function readOutput(streams: readonly Readable[], { limitBytes, onOutput, through }: ShellOptions) {
  const clip = createClip(limitBytes)
  const live = createLive(onOutput, streams)
  const take = (text: string): void => {
    clip.push(text)
    live.push(text)
  }
  const hear = (text: string): void => take(through ? through.push(text) : text)
  const decoders = streams.map(stream => {
    const decoder = new StringDecoder('utf8')
    stream.on('data', (chunk: Buffer) => hear(decoder.write(chunk)))
    return decoder
  })
  return {
    abandon: () => streams.forEach(stream => stream.destroy()),
    finish(): Clipped {
      for (const decoder of decoders) hear(decoder.end())
      take(through?.end() ?? '')
      live.finish()
      return clip.result()
    },
  }
}

/**
 * Waits until nobody is left in the process group, and ends by force who is there at the deadline. What nobody waits for
 * (where the system's first process is a poor one) counts as alive, so this does not wait for ever.
 */
async function groupEnd(pid: number | undefined, deadline: number): Promise<void> {
  if (pid === undefined || process.platform === 'win32') return
  let forced = false
  while (signalGroup(pid, 0)) {
    const late = performance.now() - deadline
    if (late > FORCE_GRACE) return
    if (late >= 0 && !forced) forced = signalGroup(pid, 'SIGKILL')
    await new Promise(resolve => setTimeout(resolve, POLL))
  }
}

/** Whether there was anybody to get the signal; 0 is none, and only asks. */
function signalGroup(pid: number, signal: 0 | 'SIGKILL'): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    // Nobody is left in it.
    return false
  }
}

function spawn({ command, cwd, env }: ShellOptions) {
  const [file, ...args] = commandLine(command, env)
  return execa(file, args, {
    cwd,
    env,
    extendEnv: false,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    encoding: 'buffer',
    buffer: false,
    reject: false,
    // A process group and session of its own, which ends with us.
    killDescendants: true,
    forceKillAfterDelay: false,
    windowsVerbatimArguments: true,
  })
}

/**
 * Both outputs into one pipe before the person's shell takes over: two pipes would tell what came in which of them, but
 * not what came first.
 */
function commandLine(command: string, env: NodeJS.ProcessEnv): [string, ...string[]] {
  if (process.platform === 'win32') return [env['ComSpec'] ?? 'cmd.exe', '/d', '/s', '/c', `"${command}"`]
  return ['/bin/sh', '-c', 'exec "$0" -c "$1" 2>&1', shellOf(env), command]
}

/** The person's shell where it can be one; accounts without a login name a program that refuses. */
function shellOf(env: NodeJS.ProcessEnv): string {
  const shell = env['SHELL'] ?? ''
  if (!isAbsolute(shell) || ['false', 'nologin'].includes(basename(shell))) return '/bin/sh'
  try {
    accessSync(shell, constants.X_OK)
    return shell
  } catch {
    // It is not there, or not ours to run.
    return '/bin/sh'
  }
}

function whyNotStarted(code: string | undefined, cwd: string): string {
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return `the folder ${cwd} is not there`
  return code === 'E2BIG' ? 'the command is too long' : `the shell cannot be started (${code ?? 'unknown'})`
}
