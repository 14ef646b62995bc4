/** A transport over a child process: a line of its standard input and output is a line of ours. */
import { statSync } from 'node:fs'
import { execa } from 'execa'
import { createInbox } from './inbox.ts'
import { createLineSplitter } from './lines.ts'
import { createTail } from './tail.ts'
import type { Tail } from './tail.ts'
import { endSession, killSession } from './session.ts'
import { standIn, type Ending, type Transport } from './transport.ts'

export type ProcessOptions = {
  /** Path of the program, or its name to be looked up in `env.PATH`. */
  file: string
  args: readonly string[]
  /** The whole environment: nothing of ours is added. */
  env: NodeJS.ProcessEnv
  /** The folder to run in; ours where left out. */
  cwd?: string
  /** How long after its exit a grandchild may hold the pipes open, in milliseconds. */
  exitGrace?: number
  /** How long it may live on after it closed its output, in milliseconds: it can tell us nothing more. */
  outputGrace?: number
  /** Told its id, as that of the session which it leads; called back when all of that has ended. */
  guard?: ((leader: number) => () => void) | undefined
}

const STDERR_LINES = 200
const STDERR_BYTES = 64 * 1024

/**
 * Starts the program as the leader of a session and process group of its own: a Ctrl-C or a hangup of the terminal is ours
 * to handle and does not reach it. Never throws: what keeps it from starting is told by `ended`.
 */
export function createProcessTransport(options: ProcessOptions): Transport {
  const { exitGrace = 500, outputGrace = 2000 } = options
  const subprocess = spawn(options)
  const { pid } = subprocess
  const unguard = pid === undefined ? undefined : options.guard?.(pid)
  const inbox = createInbox<string>()
  const stderr = createTail(STDERR_LINES, STDERR_BYTES)
  const output = readOutput(subprocess, inbox.push, stderr)
  // EPIPE: it may end, or close its input, at any moment. How it ended is told by `ended`.
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
    clearTimeout(outputTimer)
    // It may have left behind what it had started; killed, it could do nothing about that.
    if (signal !== null && pid !== undefined) killSession(pid)
    if (pid !== undefined) endSession(pid, () => unguard?.())
    // A timer runs before the pipes are read: after a long pause of ours one more round takes what still lies in them.
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
      if (!over && subprocess.stdin.writable) subprocess.stdin.write(`${line}\n`)
    },
    closeInput: () => void subprocess.stdin.end(),
    kill(signal) {
      // After the end the process group's number may be another's.
      if (over) return
      // A tool may have put what it runs into a group of its own; the session holds them all.
      if (signal === 'SIGKILL' && pid !== undefined) killSession(pid)
      subprocess.kill(signal)
    },
  }
}

function spawn({ file, args, env, cwd }: ProcessOptions) {
  return execa(file, args, {
    env,
    extendEnv: false,
    ...(cwd === undefined ? {} : { cwd }),
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    encoding: 'buffer',
    buffer: false,
    reject: false,
    detached: true,
    killDescendants: true,
    forceKillAfterDelay: false,
  })
}

type Output = { stop(): void; finish(): void }

/** Reads both pipes at full speed, always: an agent that blocks on a full pipe is deaf to an abort. */
function readOutput(subprocess: ReturnType<typeof spawn>, onLine: (line: string) => void, stderr: Tail): Output {
  const lines = createLineSplitter({
    onLine,
    onDropped: bytes => onLine(standIn(bytes)),
  })
  subprocess.stdout.on('data', (chunk: Buffer) => lines.push(chunk))
  subprocess.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  return {
    stop() {
      subprocess.stdout.destroy()
      subprocess.stderr.destroy()
    },
    finish: () => lines.end(),
  }
}

function whyNotStarted(code: string | undefined, cwd: string | undefined): string {
  if (code === 'ENOENT' && cwd !== undefined && !statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    return 'ENOTDIR'
  return code ?? 'UNKNOWN'
}
