/** A transport over the standard input and output of a child process. */
import { statSync } from 'node:fs'
import process from 'node:process'
import { execa } from 'execa'
import type { boxStdio } from '../../platform/shell/run.ts'
import { findProgram, NO_PROGRAM, startedProgram } from '../../platform/programs.ts'
import { createLineInbox } from './inbox.ts'
import { createLineSplitter, type LineSplitterOptions } from './lines.ts'
import { createLastLines, type LastLines } from './last-lines.ts'
import { createReadPace } from './read-pace.ts'
import type { Ending, Transport } from './transport.ts'
import { processIds, processStat } from '../../platform/processes.ts'

export type ProcessOptions = {
  /** Path of the program, or its name to be looked up in `env.PATH`, outside of the project in `cwd`. */
  file: string
  args: readonly string[]
  /** The whole environment; nothing is added to it. */
  env: NodeJS.ProcessEnv
  /** The folder to run in; ours by default. */
  cwd?: string
  /** Milliseconds for which a grandchild may hold the pipes open after the exit. */
  exitGrace?: number
  /** Milliseconds that it may live after it closed its output. It cannot say anything more then. */
  outputGrace?: number
  /** The long lines that may be shortened: see `LineSplitterOptions`. */
  shortens?: LineSplitterOptions['shortens']
  /** Another program to start with these arguments before those of this one, and what it has from descriptor 3 on. The environment is its own. */
  wrapper?: ProgramWrapper | null
  /** Called with the process id, which is also its session's. The returned function is called when the session has ended. */
  watch?: ((leader: number) => () => void) | undefined
}

type ProgramWrapper = {
  file: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  stdio: ReturnType<typeof boxStdio>
}

/** The time in which the system reports the end of a process, in milliseconds. */
const END_IS_REPORTED = 30
const STDERR_LINES = 200
const STDERR_BYTES = 64 * 1024

/**
 * Starts the program as the leader of its own session and process group, so a Ctrl-C or a hangup of the terminal does not
 * reach it. Never throws: `ended` says why a program did not start.
 */
export function createProcessTransport(options: ProcessOptions): Transport {
  const { exitGrace = 500, outputGrace = 2000 } = options
  const subprocess = spawn(options)
  const { pid } = subprocess
  const unwatch = pid === undefined ? undefined : options.watch?.(pid)
  const inbox = createLineInbox()
  const stderr = createLastLines(STDERR_LINES, STDERR_BYTES)
  const output = readOutput(
    subprocess,
    { onLine: inbox.push, onDropped: inbox.drop, shortens: options.shortens },
    stderr,
  )
  // EPIPE: the program may end, or close its input, at any moment. `ended` says how it ended.
  subprocess.stdin.on('error', () => {})

  let outputClosed = false
  let outputTimer: NodeJS.Timeout | undefined
  subprocess.stdout.once('end', () => {
    outputTimer = setTimeout(() => {
      outputClosed = subprocess.kill('SIGKILL')
    }, outputGrace)
  })
  let exitTimer: NodeJS.Timeout | undefined
  subprocess.nodeChildProcess.once('exit', (_code, signal) => {
    output.hurry()
    clearTimeout(outputTimer)
    // A killed program cannot end its own children.
    if (signal !== null && pid !== undefined) killSession(pid)
    if (pid !== undefined) endSession(pid, () => unwatch?.())
    // A timer runs before the pipes are read, so after a long pause of ours one more round reads what is left in them.
    exitTimer = setTimeout(() => setImmediate(() => output.stop()), exitGrace)
  })

  let over = false
  const ended = subprocess.then(({ exitCode = null, signal = null, code }): Ending => {
    over = true
    clearTimeout(outputTimer)
    clearTimeout(exitTimer)
    output.finish()
    const spawnError = exitCode === null && signal === null ? whyNotStarted(code, options.cwd) : null
    return { code: exitCode, signal, spawnError, outputClosed, lastWords: stderr.lines() }
  })
  return {
    pid,
    ended,
    receive: inbox.receive,
    words: () => stderr.lines(),
    write(line) {
      if (over || !subprocess.stdin.writable) return
      subprocess.stdin.write(`${line}\n`)
      output.hurry()
    },
    closeInput: () => void subprocess.stdin.end(),
    async freeze() {
      const { nodeChildProcess } = subprocess
      if (over) return false
      if (process.platform !== 'win32') nodeChildProcess.kill('SIGSTOP')
      await new Promise(resolve => setTimeout(resolve, END_IS_REPORTED))
      return nodeChildProcess.exitCode === null && nodeChildProcess.signalCode === null
    },
    kill(signal) {
      // After the end the process group's number may belong to other processes.
      if (over) return
      if (signal === 'SIGKILL' && pid !== undefined) {
        // First, because looking for the others takes a while, and it must not start more.
        subprocess.nodeChildProcess.kill(signal)
        // A tool may run its children in another process group; the session includes them all.
        killSession(pid)
      }
      subprocess.kill(signal)
    },
  }
}

function spawn({ file, args, env, cwd, wrapper }: ProcessOptions) {
  const folder = cwd ?? '.'
  const program = startedProgram(findProgram(file, env, folder) ?? missing(file), env, folder)
  const [first, ...words] = [
    ...(wrapper ? [wrapper.file, ...wrapper.args] : []),
    program.file,
    ...program.before,
    ...args,
  ]
  return execa(first ?? '', words, {
    env: wrapper?.env ?? program.env,
    extendEnv: false,
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['pipe', 'pipe', 'pipe', ...(wrapper?.stdio ?? [])],
    encoding: 'buffer',
    buffer: false,
    reject: false,
    detached: true,
    killDescendants: true,
    forceKillAfterDelay: false,
  })
}

/** A path is left to the system, which says what is wrong with it. */
const missing = (file: string): string => (/[/\\]/.test(file) ? file : NO_PROGRAM)

type Output = { hurry(): void; stop(): void; finish(): void }

/** Reads both pipes without a long pause: an agent that blocks on a full pipe cannot receive an abort. */
function readOutput(subprocess: ReturnType<typeof spawn>, options: LineSplitterOptions, stderr: LastLines): Output {
  const lines = createLineSplitter(options)
  const pace = createReadPace(subprocess.stdout)
  subprocess.stdout.on('data', (chunk: Buffer) => {
    pace.follow(chunk)
    lines.push(chunk)
  })
  subprocess.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  return {
    hurry: pace.hurry,
    stop() {
      subprocess.stdout.destroy()
      subprocess.stderr.destroy()
    },
    finish: () => lines.end(),
  }
}

function whyNotStarted(code: string | undefined, cwd: string | undefined): string {
  if (code === 'ENOENT' && !isFolder(cwd)) return 'ENOTDIR'
  return code ?? 'UNKNOWN'
}

/** Whether a folder is there; by default that of this process, which may be deleted. */
function isFolder(path: string | undefined): boolean {
  try {
    return statSync(path ?? process.cwd(), { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}

/** Milliseconds that processes have to end after SIGTERM. */
const GRACE = 1000

/**
 * Lists the processes of a session in all its process groups: the leader's descendants that did not move to another session.
 * Reads `/proc`; empty on systems without it.
 */
export function processesOfSession(leader: number): number[] {
  // Without /proc only the leader's own process group can be reached.
  return processIds().filter(pid => processStat(pid)?.session === leader)
}

/** Kills every process of the session except its leader. */
function killSession(leader: number): void {
  signalSession(leader, 'SIGKILL')
}

/**
 * Ends the rest of a session whose leader has ended, such as a server started with `&`. Sends SIGTERM, and SIGKILL a second
 * later. Returns at once; `onEnd` is called when it is done.
 */
function endSession(leader: number, onEnd: () => void): void {
  if (!signalSession(leader, 'SIGTERM')) return onEnd()
  const kill = (): void => {
    signalSession(leader, 'SIGKILL')
    onEnd()
  }
  setTimeout(kill, GRACE).unref()
}

/** Signals all members but the leader. Returns whether there were any. */
function signalSession(leader: number, signal: NodeJS.Signals): boolean {
  const members = processesOfSession(leader).filter(pid => pid !== leader)
  for (const pid of members) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended in the meantime.
    }
  }
  return members.length > 0
}
