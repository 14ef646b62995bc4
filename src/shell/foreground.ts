/** Another program in our terminal, until it ends: the caller has let go of the terminal. */
import { execa } from 'execa'
import { print } from '../standard-streams.ts'

export type Foreground = {
  file: string
  args: readonly string[]
  /** The whole environment. */
  env: NodeJS.ProcessEnv
  cwd?: string
  /** How it is called where it fails, as the beginning of a sentence: `The editor`. */
  name: string
  /** A line that the person reads before it begins. */
  greeting?: string
}

const TERMINAL_SIGNALS = ['SIGINT', 'SIGQUIT'] as const
const ignore = (): void => {}

/** How the program failed, as the beginning of a sentence; null where it did not. Never rejects. */
export async function runInForeground({ file, args, env, cwd, name, greeting }: Foreground): Promise<string | null> {
  // Ctrl+C goes to everybody on the terminal: it is for that program, and must not end us while it runs.
  for (const signal of TERMINAL_SIGNALS) process.on(signal, ignore)
  if (greeting !== undefined) print(`${greeting}\n`)
  try {
    const options = { env, extendEnv: false, stdio: 'inherit', reject: false } as const
    const { exitCode, signal, code } = await execa(file, [...args], {
      ...options,
      ...(cwd === undefined ? {} : { cwd }),
    })
    if (exitCode === 0) return null
    if (signal !== undefined) return `${name} was ended by ${signal}`
    return exitCode === undefined
      ? `${name} cannot be started (${code ?? 'unknown'})`
      : `${name} ended with code ${exitCode}`
  } finally {
    for (const signal of TERMINAL_SIGNALS) process.off(signal, ignore)
  }
}
