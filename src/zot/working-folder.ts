/** The folder that zot works in, as zot calls it: where links lead to it, its parents are those of the name. */
import { stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import process from 'node:process'
import type { ZotOptions } from './options.ts'

export async function workingFolder(
  { cwd, extra = [] }: Pick<ZotOptions, 'cwd' | 'extra'>,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const own = cwd === undefined ? await namedByShell(env) : resolve(cwd)
  const said = extra[extra.lastIndexOf('--cwd') + 1]
  return extra.includes('--cwd') && said !== undefined ? resolve(own, said) : own
}

/** Programs in Go believe the shell's name for the folder, as long as it is one for it. */
async function namedByShell(env: NodeJS.ProcessEnv): Promise<string> {
  const name = env['PWD'] ?? ''
  const folder = process.cwd()
  if (!isAbsolute(name) || name === folder) return folder
  const [named, real] = await Promise.all([name, folder].map(path => stat(path).catch(() => null)))
  return named && real && named.ino === real.ino && named.dev === real.dev ? name : folder
}
