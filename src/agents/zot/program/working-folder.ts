/** zot's working folder by the name that zot uses. With symbolic links, zot takes the parents from the name. */
import { stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import type { ZotOptions } from './options.ts'

/** Finds the folder; `here` is ours. Never fails. */
export async function workingFolder(
  { cwd, extra = [] }: Pick<ZotOptions, 'cwd' | 'extra'>,
  env: NodeJS.ProcessEnv,
  here: string,
): Promise<string> {
  const own = cwd === undefined ? await namedByShell(env, here) : resolve(here, cwd)
  const value = extra[extra.lastIndexOf('--cwd') + 1]
  return extra.includes('--cwd') && value !== undefined ? resolve(own, value) : own
}

/** Returns the shell's name for the folder if it is right, as Go programs do. */
async function namedByShell(env: NodeJS.ProcessEnv, here: string): Promise<string> {
  const name = env['PWD'] ?? ''
  if (!isAbsolute(name) || name === here) return here
  const [named, real] = await Promise.all([name, here].map(path => stat(path).catch(() => null)))
  return named && real && named.ino === real.ino && named.dev === real.dev ? name : here
}
