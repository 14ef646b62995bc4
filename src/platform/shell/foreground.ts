/** Another program in our terminal, until it ends: the caller has let go of the terminal. */
import { realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { execa } from 'execa'
import { findProgram } from './program.ts'

export type Foreground = {
  file: string
  args: readonly string[]
  /** The whole environment. */
  env: NodeJS.ProcessEnv
  cwd?: string
  /** How it is called where it fails, as the beginning of a sentence: `The editor`. */
  name: string
}

/** A program between which and the terminal we stand. */
export type Watched = Foreground & {
  /** Rows that it is told that the terminal has. */
  rows: number
  /** Takes what it writes. */
  onOutput: (bytes: Buffer) => void
}

const TERMINAL_SIGNALS = ['SIGINT', 'SIGQUIT'] as const
const ignore = (): void => {}

/** How the program failed, as the beginning of a sentence; null where it did not. Never rejects. */
export function runInForeground(program: Foreground): Promise<string | null> {
  const { file, args } = program
  return run({ file, args }, program)
}

/** Whether there is a program that makes a terminal between us and another one: script(1), which most systems have. */
export async function findScript(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Promise<string | null> {
  const path = platform === 'win32' ? null : await findProgram('script', env)
  if (path === null) return null
  // Of BusyBox's one nobody learns how the program ended.
  const real = await realpath(path).catch(() => path)
  return basename(real) === 'busybox' ? null : path
}

/** The same for a program that sees a terminal of its own, whose keys are ours; `script` is what `findScript` found. */
export function runWatched(program: Watched, script: string, platform: NodeJS.Platform): Promise<string | null> {
  const { file, args, rows, onOutput } = program
  const inner = ['/bin/sh', '-c', `stty rows ${rows} 2>/dev/null; exec "$0" "$@"`, file, ...args]
  const isLinux = platform === 'linux' || platform === 'android'
  const outer = isLinux ? ['-qefc', `exec ${inner.map(quoted).join(' ')}`, '/dev/null'] : ['-q', '/dev/null', ...inner]
  return run({ file: script, args: outer, onOutput }, program)
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

type Command = { file: string; args: readonly string[]; onOutput?: Watched['onOutput'] }

async function run({ file, args, onOutput }: Command, { env, cwd, name }: Foreground): Promise<string | null> {
  // Ctrl+C goes to everybody on the terminal: it is for that program, and must not end us while it runs.
  for (const signal of TERMINAL_SIGNALS) process.on(signal, ignore)
  try {
    const subprocess = execa(file, [...args], {
      env,
      extendEnv: false,
      stdin: 'inherit',
      stdout: onOutput ? 'pipe' : 'inherit',
      stderr: 'inherit',
      encoding: 'buffer',
      buffer: false,
      reject: false,
      ...(cwd === undefined ? {} : { cwd }),
    })
    if (onOutput) subprocess.stdout?.on('data', onOutput)
    const { exitCode, signal, code } = await subprocess
    if (exitCode === 0) return null
    if (signal !== undefined) return `${name} was ended by ${signal}`
    return exitCode === undefined
      ? `${name} cannot be started (${code ?? 'unknown'})`
      : `${name} ended with code ${exitCode}`
  } finally {
    for (const signal of TERMINAL_SIGNALS) process.off(signal, ignore)
  }
}
