/**
 * Carries a file to another machine, or from it, over a connection of its own, in base64: any bytes pass any connection. What arrives is
 * as long as it was, or it counts as failed; the caller compares the content.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, read, writeSync } from 'node:fs'
import process from 'node:process'
import { promisify } from 'node:util'
import { openRegularFileSync } from '../platform/regular-file.ts'
import { endSession } from '../platform/remote/lane.ts'
import type { RemoteMachine } from '../platform/remote/machine.ts'
import { quoted } from '../platform/shell/quoting.ts'
import { MoveProblem } from './problem.ts'

export type Transfer = {
  machine: Pick<RemoteMachine, 'program' | 'target'>
  here: string
  there: string
  bytes: number
  /** Called with the share that has gone, from 0 to 1. */
  progress: (share: number) => void
  signal: AbortSignal
}

/** A multiple of three, so that its base64 has no padding. */
const CHUNK = 48 * 1024
/** Milliseconds without a byte after which the connection counts as lost. */
const SILENCE = 60_000
/** Bytes of what the other shell may print before. */
const MOST_NOISE = 1024 * 1024

const readPart = promisify(read)

/** Writes a new file there, which only the person can read. @throws MoveProblem */
export async function sendFile({ machine, here, there, bytes, progress, signal }: Transfer): Promise<void> {
  const mark = newMark()
  const path = quoted(there)
  const script = `umask 077; set -C; base64 -d >${path} && n=$(wc -c <${path}) && printf '\\n%s %s\\n' ${mark} $((n))`
  const line = openLine(machine, script, signal)
  let said = ''
  line.child.stdout.on('data', (chunk: Buffer) => (said = (said + chunk.toString('latin1')).slice(-MOST_NOISE)))
  const file = openRegularFileSync(here)
  try {
    const buffer = Buffer.alloc(CHUNK)
    for (let at = 0; at < bytes;) {
      const { bytesRead } = await readPart(file, buffer, 0, Math.min(CHUNK, bytes - at), at)
      if (bytesRead === 0) break
      at += bytesRead
      await line.write(`${buffer.toString('base64', 0, bytesRead)}\n`)
      progress(at / bytes)
    }
    line.child.stdin.end()
    await line.ended
  } finally {
    closeSync(file)
    line.close()
  }
  line.check()
  const [, length] = new RegExp(String.raw`\n${mark} (\d+)\r?\n`).exec(said) ?? []
  if (Number(length) !== bytes)
    throw new MoveProblem(`the bundle did not arrive whole: ${line.words() || 'it is too short'}`)
}

/** Writes a new file here, which only the person can read. @throws MoveProblem */
export async function fetchFile({ machine, here, there, bytes, progress, signal }: Transfer): Promise<void> {
  const mark = newMark()
  const line = openLine(
    machine,
    `printf '\\n%s\\n' ${mark}; base64 <${quoted(there)}; printf '\\n%s\\n' ${mark}`,
    signal,
  )
  const file = openSync(here, 'wx', 0o600)
  let isBegun = false
  let isDone = false
  let rest = ''
  let arrived = 0
  const take = (chunk: Buffer): void => {
    line.isAlive()
    rest += chunk.toString('latin1')
    if (!isBegun) {
      const at = rest.indexOf(`\n${mark}\n`)
      if (at < 0 && rest.length > MOST_NOISE) line.close()
      if (at < 0) return
      isBegun = true
      rest = rest.slice(at + mark.length + 2)
    }
    const end = rest.indexOf(`\n${mark}\n`)
    isDone ||= end >= 0
    const text = (end >= 0 ? rest.slice(0, end) : rest.slice(0, Math.max(0, rest.length - mark.length - 2))).replaceAll(
      /\s/g,
      '',
    )
    const whole = end >= 0 ? text : text.slice(0, text.length - (text.length % 4))
    const tail = end >= 0 ? '' : text.slice(whole.length) + rest.slice(Math.max(0, rest.length - mark.length - 2))
    rest = tail
    const decoded = Buffer.from(whole, 'base64')
    arrived += decoded.length
    // It may not be what was asked for.
    if (arrived > bytes) return line.close()
    writeSync(file, decoded)
    progress(bytes === 0 ? 1 : arrived / bytes)
  }
  line.child.stdout.on('data', (chunk: Buffer) => line.guarded(() => take(chunk)))
  line.child.stdin.end()
  try {
    await line.ended
  } finally {
    closeSync(file)
    line.close()
  }
  line.check()
  if (!isDone || arrived !== bytes)
    throw new MoveProblem(`the bundle did not arrive whole: ${line.words() || 'it is too short'}`)
}

const newMark = (): string => `zotui-${randomBytes(8).toString('hex')}`

type OpenLine = {
  child: ChildProcessWithoutNullStreams
  /** Resolves when its program has ended. */
  ended: Promise<void>
  /** Resolves when there is room for more. @throws MoveProblem */
  write: (text: string) => Promise<void>
  isAlive: () => void
  /** Runs the work; if it throws, the line is closed and `check` throws that. */
  guarded: (work: () => void) => void
  /** @throws MoveProblem for why it was closed early */
  check: () => void
  /** The last line of what it said. */
  words: () => string
  close: () => void
}

function openLine(machine: Transfer['machine'], script: string, signal: AbortSignal): OpenLine {
  const { name } = machine.target
  const { file, args, firstLine, env } = machine.program(script)
  const child = spawn(file, args, { env, stdio: 'pipe', detached: process.platform !== 'win32', windowsHide: true })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let why: Error | null = null
  let isOver = false
  let words = ''
  let timer = setTimeout(silent, SILENCE)
  child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString('utf8')).slice(-4096)))
  child.stdin.on('error', () => {})
  child.on('error', () => end())
  child.on('close', end)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  child.stdin.write(firstLine)
  return {
    child,
    ended,
    async write(text) {
      check()
      if (isOver) return
      const isFull = !child.stdin.write(text)
      if (isFull) await Promise.race([drained(), ended])
      isAlive()
      check()
    },
    isAlive,
    guarded(work) {
      try {
        work()
      } catch (error) {
        fail(error instanceof Error ? new MoveProblem(error.message) : new MoveProblem(String(error)))
      }
    },
    check,
    words: () => words.trimEnd().split('\n').at(-1) ?? '',
    close,
  }

  function drained(): Promise<void> {
    return new Promise(done => child.stdin.once('drain', done))
  }

  function isAlive(): void {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(silent, SILENCE)
  }

  function silent(): void {
    fail(new MoveProblem(`the machine ${name} does not answer`))
  }

  function stop(): void {
    fail(new MoveProblem('it was stopped'))
  }

  function fail(error: Error): void {
    why ??= error
    close()
  }

  function check(): void {
    if (why) throw why
  }

  function end(): void {
    isOver = true
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    resolve()
  }

  function close(): void {
    if (isOver) return
    child.stdin.destroy()
    endSession(child)
  }
}
