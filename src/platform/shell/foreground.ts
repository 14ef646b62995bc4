/** Runs another program in our terminal until it ends. The caller has released the terminal. */
import { realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { quoted } from './quoting.ts'
import { commandLine, whyNotStarted, type ShellResult } from './run.ts'
import { findProgram, startedProgram } from '../programs.ts'

export type Foreground = {
  file: string
  args: readonly string[]
  /** The whole environment. */
  env: NodeJS.ProcessEnv
  cwd?: string
  /** Its name in error messages, as the beginning of a sentence: `The editor`. */
  name: string
}

/** A program whose output passes through us. */
export type WatchedProgram = Foreground & {
  /** The number of rows that the program sees. */
  rows: number
  /** Takes what it writes. */
  onOutput: (bytes: Buffer) => void
}

const TERMINAL_SIGNALS = ['SIGINT', 'SIGQUIT'] as const
const ignore = (): void => {}

/** The failure of the program, as the beginning of a sentence; null if it did not fail. Never rejects. */
export function runInForeground(program: Foreground): Promise<string | null> {
  const { file, args } = program
  return run({ file, args }, program)
}

/** Runs a command of the user in their shell, on our terminal. The caller has released it. Never rejects. */
export async function runShellInForeground(
  command: string,
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string },
): Promise<ShellResult> {
  const began = performance.now()
  const [file, ...args] = commandLine(command, env)
  const { exitCode, signal, code } = await runOnTerminal({ file, args }, { env, cwd })
  return {
    exitCode,
    signal,
    output: '',
    omittedBytes: 0,
    durationMs: performance.now() - began,
    stopped: false,
    problem: exitCode === null && signal === null ? whyNotStarted(code, cwd) : null,
    onTerminal: true,
  }
}

/** The path of script(1), which gives another program a terminal of its own; null where it is missing. */
export async function findScript(
  env: NodeJS.ProcessEnv,
  folder: string,
  platform: NodeJS.Platform,
): Promise<string | null> {
  const path = platform === 'win32' ? null : findProgram('script', env, folder)
  if (path === null) return null
  // The one of BusyBox does not report how the program ended.
  const real = await realpath(path).catch(() => path)
  return basename(real) === 'busybox' ? null : path
}

/** Runs a program in a terminal of its own that gets our keys; `script` is the result of `findScript`. */
export async function runWatched(
  program: WatchedProgram,
  script: string,
  platform: NodeJS.Platform,
): Promise<string | null> {
  const { args, env, rows, onOutput, name } = program
  const folder = program.cwd ?? process.cwd()
  const path = findProgram(program.file, env, folder)
  if (path === null) return `${name} cannot be started (ENOENT)`
  const { file, before, env: ownEnv } = startedProgram(path, env, folder)
  const stty = findProgram('stty', env, folder)
  const resize = stty === null ? '' : `${quoted(stty)} rows ${rows} 2>/dev/null; `
  const inner = ['/bin/sh', '-c', `${resize}exec "$0" "$@"`, file, ...before, ...args]
  const isLinux = platform === 'linux' || platform === 'android'
  const outer = isLinux ? ['-qefc', `exec ${inner.map(quoted).join(' ')}`, '/dev/null'] : ['-q', '/dev/null', ...inner]
  return run({ file: script, args: outer, onOutput }, { ...program, env: ownEnv })
}

type Command = { file: string; args: readonly string[]; onOutput?: WatchedProgram['onOutput'] }

type ForegroundEnd = { exitCode: number | null; signal: string | null; code: string | undefined }

async function run(command: Command, program: Foreground): Promise<string | null> {
  const { name } = program
  const { exitCode, signal, code } = await runOnTerminal(command, program)
  if (exitCode === 0) return null
  if (signal !== null) return `${name} was ended by ${signal}`
  return exitCode === null ? `${name} cannot be started (${code ?? 'unknown'})` : `${name} ended with code ${exitCode}`
}

async function runOnTerminal(
  { file, args, onOutput }: Command,
  { env, cwd }: Pick<Foreground, 'env' | 'cwd'>,
): Promise<ForegroundEnd> {
  // Ctrl+C reaches all programs on the terminal. It is meant for this program and must not end us.
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
    const { exitCode = null, signal = null, code } = await subprocess
    return { exitCode, signal, code }
  } finally {
    for (const signal of TERMINAL_SIGNALS) process.off(signal, ignore)
  }
}
