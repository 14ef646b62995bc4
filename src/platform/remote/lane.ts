/**
 * One connection to a shell on another machine, which runs one small script after the other and answers each.
 *
 * A request is a script in one line (`asLine`). The answer is base64, so that any bytes pass any connection: the standard output, what
 * was written to standard error, its length and the exit code; a line with a full stop ends it. Nothing is needed there but sh,
 * base64 and the programs of the scripts.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { asLine } from './quoting.ts'
import type { Target } from './target.ts'
import type { LineEnd } from './trouble.ts'

export type ScriptAnswer =
  | { ok: true; code: number; bytes: Buffer; words: string }
  /** `lost`: there is no connection; `large`: the answer is too large; `slow` and `stopped`: the caller waits no longer. */
  | { ok: false; why: 'lost' | 'slow' | 'large' | 'stopped'; words: string }

export type ScriptOptions = {
  /** Milliseconds that it may take. */
  limit?: number
  /** Bytes of the answer. */
  most?: number
  signal?: AbortSignal
}

export type Lane = {
  /** Runs a script. Never rejects. One at a time. */
  ask(script: string, options?: ScriptOptions): Promise<ScriptAnswer>
  /** Whether it can still be asked. */
  readonly isOpen: boolean
  /** Resolves when the shell there answers, and with how the connection ended if it does not. */
  readonly opened: Promise<LineEnd | null>
  close(): void
}

/** Bytes of an answer, unless the caller sets another limit. */
const MOST = 32 * 1024 * 1024
/** Milliseconds for an answer, unless the caller sets another limit. */
const LIMIT = 30_000
/** Bytes of what the program that connects says; only the last lines matter. */
const MOST_WORDS = 16 * 1024
/** Bytes that a shell's own files may print. */
const MOST_NOISE = 1024 * 1024

function loopScript(mark: string): string {
  return [
    'command -v base64 >/dev/null || { echo "there is no base64" >&2; exit 1; }',
    'LC_ALL=C; export LC_ALL; unset ZOTCORE_RPC_TOKEN',
    `printf '\\n%s\\n' ${mark}`,
    'while IFS= read -r z; do',
    '{ e=$({ ( eval "$(printf %b "$z")" ) </dev/null 2>&1 >&3 3>&-; }); s=$?',
    String.raw`printf '\n%s\n%s %s' "$e" "${'$'}{#e}" "$s"; } 3>&1 | base64`,
    'echo .',
    'done',
  ].join('\n')
}

export type LaneStart = Pick<Target, 'args'> & {
  /** The path of the program that connects; null where there is none. */
  file: string | null
  /** A script that the shell there runs first. */
  boot: string
}

/** A connection whose program is not here. */
const missing: Lane = {
  isOpen: false,
  opened: Promise.resolve({ code: null, spawnError: 'ENOENT', words: [] }),
  ask: () => Promise.resolve({ ok: false, why: 'lost', words: '' }),
  close() {},
}

/** Connects. Never throws: `opened` says whether it worked. */
export function openLane({ file, args, boot }: LaneStart, env: NodeJS.ProcessEnv): Lane {
  if (file === null) return missing
  const mark = `zotui-${randomBytes(8).toString('hex')}`
  // A session of its own: no key of the terminal reaches it, and it cannot ask anything there.
  const child = spawn(file, args, { env, stdio: 'pipe', detached: process.platform !== 'win32', windowsHide: true })
  const { promise: opened, resolve: setOpened } = Promise.withResolvers<LineEnd | null>()
  let isOpen = true
  let isReady = false
  let words = ''
  let spawnError: string | null = null
  let pieces: Buffer[] = []
  let size = 0
  let current: { most: number; settle: (answer: ScriptAnswer) => void } | null = null

  child.stdin.on('error', () => {})
  child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString('utf8')).slice(-MOST_WORDS)))
  child.stdout.on('data', take)
  child.on('error', (error: NodeJS.ErrnoException) => {
    spawnError = error.code ?? 'UNKNOWN'
    end(null)
  })
  child.on('close', code => end(code))
  child.stdin.write(`${asLine(`${boot}\n${loopScript(mark)}`)}\n`)
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref?(): void }).unref?.()

  const stopWaiting = (): void => give('stopped')

  return {
    opened,
    get isOpen() {
      return isOpen
    },
    ask(script, { limit = LIMIT, most = MOST, signal } = {}) {
      if (!isOpen) return Promise.resolve({ ok: false, why: 'lost', words })
      if (signal?.aborted) return Promise.resolve({ ok: false, why: 'stopped', words: '' })
      const { promise, resolve } = Promise.withResolvers<ScriptAnswer>()
      const timer = setTimeout(() => give('slow'), limit)
      signal?.addEventListener('abort', stopWaiting, { once: true })
      current = {
        most,
        settle(answer) {
          clearTimeout(timer)
          signal?.removeEventListener('abort', stopWaiting)
          current = null
          resolve(answer)
        },
      }
      child.stdin.write(`${asLine(script)}\n`)
      return promise
    },
    close,
  }

  /** Gives up on the current answer. It may still arrive, so the connection cannot be used again. */
  function give(why: 'slow' | 'large' | 'stopped'): void {
    current?.settle({ ok: false, why, words: '' })
    close()
  }

  function take(chunk: Buffer): void {
    pieces.push(chunk)
    size += chunk.length
    if (!isReady) return beReady()
    if (!current) return drop()
    // Base64 is a third longer, and has newlines.
    if (size > (current.most + MOST_WORDS) * 1.4) return give('large')
    if (!endsAnswer(pieces)) return
    const answer = readAnswer(Buffer.concat(pieces).toString('latin1'))
    const { most, settle } = current
    drop()
    if (answer.ok && answer.bytes.length > most) settle({ ok: false, why: 'large', words: '' })
    else settle(answer)
  }

  /** A shell's own files may print something before. An answer may come at once. */
  function beReady(): void {
    const all = Buffer.concat(pieces)
    const at = all.indexOf(`\n${mark}\n`)
    if (at < 0 && size < MOST_NOISE) return
    drop()
    if (at < 0) return close()
    isReady = true
    setOpened(null)
    const rest = all.subarray(at + mark.length + 2)
    if (rest.length > 0) take(rest)
  }

  function drop(): void {
    pieces = []
    size = 0
  }

  function end(code: number | null): void {
    if (!isOpen && current === null && isReady) return
    isOpen = false
    setOpened({ code, spawnError, words: words.trimEnd().split(/\r?\n/) })
    current?.settle({ ok: false, why: 'lost', words })
  }

  function close(): void {
    isOpen = false
    child.stdin.end()
    endSession(child)
  }
}

/** Ends a program that was started as the leader of a session, and what it has started. Never throws. */
export function endSession(child: ChildProcess): void {
  child.kill('SIGTERM')
  const { pid } = child
  if (pid === undefined || process.platform === 'win32') return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It has ended.
  }
}

function endsAnswer(pieces: readonly Buffer[]): boolean {
  const last = pieces.at(-1) ?? Buffer.alloc(0)
  const tail = last.length >= 3 ? last : Buffer.concat(pieces.slice(-4))
  return tail.subarray(-3).toString('latin1') === '\n.\n'
}

/** Takes an answer apart: see above. */
function readAnswer(text: string): ScriptAnswer {
  const all = Buffer.from(text.slice(0, -2), 'base64')
  const line = all.lastIndexOf(0x0a)
  const [, length = '', code = ''] = /^(\d+) (\d+)$/.exec(all.toString('latin1', line + 1)) ?? []
  const end = line - Number(length) - 1
  if (line < 0 || code === '' || end < 0) return { ok: false, why: 'lost', words: 'the answer cannot be read' }
  return { ok: true, code: Number(code), bytes: all.subarray(0, end), words: all.toString('utf8', end + 1, line) }
}
