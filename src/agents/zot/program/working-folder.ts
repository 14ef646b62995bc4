/** The folder that zot works in, as zot calls it: where links lead to it, its parents are those of the name. */
import { stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import type { ZotOptions } from './options.ts'

/** `here` is the folder that we are in. Never fails. */
export async function workingFolder(
  { cwd, extra = [] }: Pick<ZotOptions, 'cwd' | 'extra'>,
  env: NodeJS.ProcessEnv,
  here: string,
): Promise<string> {
  const own = cwd === undefined ? await namedByShell(env, here) : resolve(here, cwd)
  const said = extra[extra.lastIndexOf('--cwd') + 1]
  return extra.includes('--cwd') && said !== undefined ? resolve(own, said) : own
}

/** Programs in Go believe the shell's name for the folder, as long as it is one for it. */
async function namedByShell(env: NodeJS.ProcessEnv, here: string): Promise<string> {
  const name = env['PWD'] ?? ''
  if (!isAbsolute(name) || name === here) return here
  const [named, real] = await Promise.all([name, here].map(path => stat(path).catch(() => null)))
  return named && real && named.ino === real.ino && named.dev === real.dev ? name : here
}
