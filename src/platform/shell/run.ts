/** Runs shell commands. Nothing here asks for permission: the user typed the command, or has allowed it. */
import { accessSync, constants, statSync } from 'node:fs'
import { devNull } from 'node:os'
import { basename, isAbsolute } from 'node:path'
import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { execa } from 'execa'
import { createClip } from './clip.ts'
import { createOutputBatcher, type OnOutput } from './output-batching.ts'

/** A program that runs a shell in a box of its own. */
export type CommandBox = {
  /** The absolute path. */
  file: string
  /** The arguments before those that are run in the box. */
  args: readonly string[]
  /** What it reads from file descriptors of its own, from 3 on. */
  inputs: readonly Uint8Array[]
  /** File descriptors of ours that must not reach it. Nothing can be read from them. */
  withheld: readonly number[]
  /** The whole environment of the program and of what runs in it. */
  env: NodeJS.ProcessEnv
  /** Called when it is started. The returned function is called when all of it has ended. */
  opens?: () => () => void
}

export type ShellOptions = {
  command: string
  cwd: string
  /** The whole environment: nothing of ours is added. */
  env: NodeJS.ProcessEnv
  onOutput: OnOutput
  /** The absolute path of a shell that understands `-c`; absent for the user's own. Windows always uses cmd. */
  shell?: string
  /** Another program to run instead of a shell, with its first line of input, which then stays open: it runs the command on another machine. */
  program?: { file: string; args: readonly string[]; firstLine: string; env: NodeJS.ProcessEnv }
  /** A box to run the shell in. If it cannot be made, nothing runs. */
  box?: CommandBox | undefined
  /** A filter for the output, applied before any of it is omitted. */
  through?: { push: (text: string) => string; end: () => string }
  /** The number of bytes of output that the result may hold. */
  limitBytes: number
  /** Called with the id of the process that leads the session. The returned function is called when the command has ended. */
  watch?: ((leader: number) => () => void) | undefined
}

/** Runs a command in a shell of this machine, or of another one, which has its own environment. */
export type RunsCommands = (
  options: Pick<ShellOptions, 'command' | 'cwd' | 'env' | 'limitBytes' | 'onOutput' | 'watch' | 'box'>,
) => ShellRun

export type ShellResult = {
  /** Null where a signal ended it, or it was not started. */
  exitCode: number | null
  signal: string | null
  /** The beginning and the end of the raw output, with colours and control characters. */
  output: string
  /** The bytes of its middle that were not kept. */
  omittedBytes: number
  durationMs: number
  /** Whether `stop` was called. */
  stopped: boolean
  /** Why it could not be started, in words; else null. */
  problem: string | null
  /** True if it had the terminal, so that its output is not known. */
  onTerminal?: true
  /** True if programs that it had started ended with its box. */
  endedOthers?: true
}

export type ShellRun = {
  /** Never rejects. */
  done: Promise<ShellResult>
  /** Ends the command and all that it started, by force after 2 s. `done` resolves when all of it has ended. */
  stop(): void
}

/** The time for a stopped command to end, in milliseconds. */
const STOP_GRACE = 2000
/** The time that a background program (`server &`) may keep the output open after the end, in milliseconds. */
const EXIT_GRACE = 2000
/** The time for a killed command to end, in milliseconds. */
const FORCE_GRACE = 500
const POLL = 20

/**
 * Runs the command without a terminal, in the user's own shell unless another one is named. Its input is empty: a program that
 * asks for a password fails instead of competing for the keyboard. Background programs that it leaves continue after `done`.
 */
export function runShell(options: ShellOptions): ShellRun {
  // Arguments cannot contain NUL.
  if (options.command.includes('\0')) return notStarted('the command contains a NUL character')
  const beganAt = performance.now()
  const subprocess = spawn(options)
  const unwatch = subprocess.pid === undefined ? undefined : options.watch?.(subprocess.pid)
  const output = readOutput([subprocess.stdout, subprocess.stderr], options)
  const closes = options.box?.opens?.()
  const marks = options.box ? bytesOf(subprocess.stdio[markOf(options.box)]) : null
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
    // A process of it may have closed its output and still run.
    if (stopAt !== null) await groupEnd(subprocess.pid, stopAt + STOP_GRACE)
    clearTimeout(killTimer)
    over = true
    unwatch?.()
    closes?.()
    const printed = output.finish()
    const marked = (await marks) ?? 0
    const noBox =
      marks && marked === 0 && stopAt === null && signal === null
        ? `the box could not be made: ${printed.output.trim()}`
        : null
    return {
      exitCode,
      signal,
      ...printed,
      durationMs: performance.now() - beganAt,
      stopped: stopAt !== null,
      ...(marked > 1 && { endedOthers: true as const }),
      problem: exitCode === null && signal === null ? whyNotStarted(code, options.cwd) : noBox,
    }
  }
  return {
    done: finish(),
    stop() {
      // After the end the process group's id may be reused.
      if (over || stopAt !== null) return
      stopAt = performance.now()
      subprocess.kill('SIGTERM')
      killTimer = setTimeout(() => subprocess.kill('SIGKILL'), STOP_GRACE)
    },
  }
}

function notStarted(problem: string): ShellRun {
  const nothing = { exitCode: null, signal: null, output: '', omittedBytes: 0, durationMs: 0, stopped: false }
  return { done: Promise.resolve({ ...nothing, problem }), stop() {} }
}

function readOutput(streams: readonly Readable[], { limitBytes, onOutput, through }: ShellOptions) {
  const clip = createClip(limitBytes)
  const live = createOutputBatcher(onOutput, streams)
  const take = (text: string): void => {
    clip.push(text)
    live.push(text)
  }
  const receive = (text: string): void => take(through ? through.push(text) : text)
  const decoders = streams.map(stream => {
    const decoder = new StringDecoder('utf8')
    stream.on('data', (chunk: Buffer) => receive(decoder.write(chunk)))
    return decoder
  })
  return {
    abandon: () => streams.forEach(stream => stream.destroy()),
    finish(): Pick<ShellResult, 'output' | 'omittedBytes'> {
      for (const decoder of decoders) receive(decoder.end())
      take(through?.end() ?? '')
      live.finish()
      return { output: clip.result(), omittedBytes: clip.omitted() }
    },
  }
}

/**
 * Waits until the process group is empty, and kills what is left at the deadline. Zombies that nobody reaps (where process 1 is a
 * poor one) count as alive, so the wait is bounded.
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

/** Whether the group has a process; signal 0 only asks. */
function signalGroup(pid: number, signal: 0 | 'SIGKILL'): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    // The group is empty.
    return false
  }
}

function spawn({ command, cwd, env, shell, program, box }: ShellOptions) {
  const [file, ...args] = program
    ? [program.file, ...program.args]
    : box
      ? boxedLine(command, shell ?? shellOf(env), box)
      : commandLine(command, env, shell)
  const subprocess = execa(file, args, {
    cwd,
    env: program?.env ?? box?.env ?? env,
    extendEnv: false,
    stdio: [program ? 'pipe' : 'ignore', 'pipe', 'pipe', ...(box ? boxStdio(box, ['pipe']) : [])],
    encoding: 'buffer',
    buffer: false,
    reject: false,
    // A process group and session of its own, which ends with us.
    killDescendants: true,
    forceKillAfterDelay: false,
    windowsVerbatimArguments: true,
  })
  // It may exit at any moment.
  subprocess.stdin?.on('error', () => {})
  if (program) subprocess.stdin?.write(program.firstLine)
  return subprocess
}

/** Joins both outputs into one pipe before the shell starts, since two pipes would lose the order. */
export function commandLine(command: string, env: NodeJS.ProcessEnv, shell = shellOf(env)): [string, ...string[]] {
  if (process.platform === 'win32') return [env['ComSpec'] ?? 'cmd.exe', '/d', '/s', '/c', `"${command}"`]
  return ['/bin/sh', '-c', 'exec "$0" -c "$1" 2>&1', shell, command]
}

/** The file descriptor on which a box says with one byte that the command begins, and with another that it leaves programs behind. */
const markOf = ({ inputs }: CommandBox): number => 3 + inputs.length

/** What the box has from descriptor 3 on: its inputs, then `more`. What must not reach it is replaced by an empty file, and a gap is left as it is. */
export function boxStdio({ inputs, withheld }: Pick<CommandBox, 'inputs' | 'withheld'>, more: readonly 'pipe'[]) {
  const others = new Set(withheld)
  const own = [...inputs, ...more]
  const first = 3 + own.length
  const rest = Array.from({ length: Math.max(0, ...withheld.map(each => each + 1 - first)) }, (_, at) =>
    others.has(first + at) ? ({ value: { file: devNull }, input: true } as const) : undefined,
  )
  return [...own, ...rest]
}

function boxedLine(command: string, shell: string, box: CommandBox): [string, ...string[]] {
  const mark = markOf(box)
  // In a box there are two other processes: its own, and this shell.
  const line = `echo >&${mark}; "$0" -c "$1" 2>&1 ${mark}>&-; code=$?; set -- /proc/[0-9]*; [ $# -gt 2 ] && echo >&${mark}; exit $code`
  return [box.file, ...box.args, '/bin/sh', '-c', line, shell, command]
}

/** The number of bytes that come before the end of the stream. Never rejects. */
function bytesOf(stream: unknown): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  if (!(stream instanceof Readable)) return Promise.resolve(0)
  let count = 0
  stream.on('data', (bytes: Buffer) => void (count += bytes.length))
  for (const end of ['end', 'close', 'error'] as const) stream.once(end, () => resolve(count))
  return promise
}

/** The user's shell if it is usable; accounts without a login have a program that refuses. */
export function shellOf(env: NodeJS.ProcessEnv): string {
  const shell = env['SHELL'] ?? ''
  if (!isAbsolute(shell) || ['false', 'nologin'].includes(basename(shell))) return '/bin/sh'
  try {
    accessSync(shell, constants.X_OK)
    return shell
  } catch {
    // It does not exist, or we may not run it.
    return '/bin/sh'
  }
}

export function whyNotStarted(code: string | undefined, cwd: string): string {
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return `the folder ${cwd} does not exist`
  return code === 'E2BIG' ? 'the command is too long' : `the shell cannot be started (${code ?? 'unknown'})`
}
