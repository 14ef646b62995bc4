/** Asks a shell which one it is. */
import { execa } from 'execa'
import { WHICH_SHELL } from './tried-shell.ts'

/** Its answer to `WHICH_SHELL`; empty if it has none in `limit` milliseconds. Never rejects. `file` is absolute. */
export async function askWhichShell(file: string, limit: number): Promise<string> {
  const options = { env: {}, extendEnv: false, stdin: 'ignore', timeout: limit, reject: false } as const
  const { stdout } = await execa(file, ['-c', WHICH_SHELL], options)
  return stdout ?? ''
}
