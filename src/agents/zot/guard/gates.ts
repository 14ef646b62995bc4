/**
 * Holds commands without a limit of time. A line before the command reads the answer from a named pipe; without a `yes` for just
 * this call the shell exits. zotui holds the pipe: if zotui ends, the shell reads the end of the pipe, which is no `yes`.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, readSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { quoted } from '../../../platform/shell/quoting.ts'

/** One waiting command. Only the first answer counts. */
export type Gate = {
  /** Stands before the command, with its newline. */
  readonly line: string
  /** Lets the command run. */
  open(): void
  /** Lets the command run after a line. */
  openWith(line: string, command: string): void
  /** Runs another command instead, and informs the model. */
  replace(command: string): void
  /** Refuses the command; the model gets `words` as the result. */
  refuse(words: string): void
  /** Releases the pipe after the call has ended. */
  release(): void
}

export type Gates = {
  /** Null if no pipe can be made: the call must then be held in another way. */
  take(): Promise<Gate | null>
  close(): void
}

/** A named pipe for one gate. */
export type GatePipe = {
  path: string
  /** Writes one line into the pipe. */
  answer: (line: string) => void
  /** Writes the script `PATH.sh`, which replaces a command. */
  putScript: (text: string) => void
}

/** `descriptor` is null once it is closed: its number may then belong to another file. */
type Pipe = { path: string; descriptor: number | null }

/** Pipes that are made in advance. */
const POOL = 4
/** A pipe accepts this many characters at once on every system, even if all of them are escaped. */
const LONGEST_WORDS = 2000
/** The exit code of a refused command. */
const REFUSED = 126

/** Starts to make pipes in advance, because `mkfifo` takes about 25 ms. It is the path of that program, null where there is none. */
export function createGates(folder: string, mkfifo: string | null): Gates {
  const free: Pipe[] = []
  const all: Pipe[] = []
  let made = 0
  let closed = false
  const more = async (): Promise<void> => {
    const paths = Array.from({ length: POOL }, () => join(folder, `gate-${(made += 1)}`))
    if (!(await makePipes(mkfifo, paths)) || closed) return
    const pipes = paths.flatMap(path => open(path) ?? [])
    free.push(...pipes)
    all.push(...pipes)
  }
  let making = more()

  return {
    async take() {
      await making
      if (free.length === 0 && !closed) await (making = more())
      const pipe = free.pop()
      if (!pipe || closed || !drained(pipe)) return null
      return makeGate(usableBy(pipe), () => {
        if (!closed) free.push(pipe)
      })
    },
    close() {
      closed = true
      for (const pipe of all) {
        if (pipe.descriptor !== null) closeSync(pipe.descriptor)
        pipe.descriptor = null
      }
    },
  }
}

function usableBy(pipe: Pipe): GatePipe {
  const { path } = pipe
  return {
    path,
    answer(line) {
      if (pipe.descriptor !== null) writeSync(pipe.descriptor, `${line}\n`)
    },
    putScript: text => writeFileSync(`${path}.sh`, text, { mode: 0o600 }),
  }
}

/** Makes a gate for one command, with an empty pipe. */
export function makeGate({ path, answer: write, putScript }: GatePipe, onRelease: () => void): Gate {
  // An unread answer must not let the next call of this pipe run.
  const mark = randomBytes(4).toString('hex')
  let answered = false
  let released = false
  const answer = (text: string): void => {
    if (answered || released) return
    answered = true
    write(text)
  }
  const runInstead = (script: string): void => {
    putScript(`unset zotui_gate\n${script}\n`)
    answer(`e${mark}`)
  }
  return {
    line:
      `read -r zotui_gate <${quoted(path)}; case $zotui_gate in y${mark}) ;; e${mark}) . ${quoted(`${path}.sh`)}; exit;; ` +
      `*) printf '%b\\n' "\${zotui_gate:-Not run: zotui has ended.}"; exit ${REFUSED};; esac; unset zotui_gate\n`,
    open: () => answer(`y${mark}`),
    openWith: (line, command) => runInstead(line + command),
    replace(command) {
      const told = `printf '%s\\n' ${quoted('The user changed this command before it ran. What ran instead:')} ${quoted(command)}`
      runInstead(`${told}\n${command}`)
    },
    // For `printf %b`, in one line.
    refuse: words =>
      answer(words.slice(0, LONGEST_WORDS).replaceAll('\\', '\\\\').replaceAll(/\r?\n/gu, '\\n') || 'Not run.'),
    release() {
      if (released) return
      released = true
      onRelease()
    },
  }
}

async function makePipes(mkfifo: string | null, paths: readonly string[]): Promise<boolean> {
  if (mkfifo === null) return false
  return new Promise(resolve => {
    const made = spawn(mkfifo, ['-m', '600', ...paths], { stdio: 'ignore' })
    made.on('error', () => resolve(false))
    made.on('close', code => resolve(code === 0))
  })
}

/** Opens both ends, so that neither side blocks in open, and the pipe closes when zotui ends. */
function open(path: string): Pipe | null {
  try {
    return { path, descriptor: openSync(path, constants.O_RDWR | constants.O_NONBLOCK) }
  } catch {
    // Without it calls are held in another way.
    return null
  }
}

/** Empties the pipe. False if it cannot be used. */
function drained({ path, descriptor }: Pipe): boolean {
  try {
    if (descriptor === null || !statSync(path).isFIFO()) return false
    const rest = Buffer.alloc(4096)
    while (readSync(descriptor, rest) > 0);
    return false
  } catch (error) {
    // Nothing is left in it.
    return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
  }
}
