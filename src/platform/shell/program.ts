/** Finds programs without a shell and never in the folder that the user works in. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import { lookup } from '../../text/lookup.ts'

/**
 * The path of the program `name` in `env.PATH`, or null. A name with a separator is a path already and only looked at.
 * Relative folders in `PATH` do not count: a program called `xclip` in somebody's repository must not run by itself.
 */
export async function findProgram(
  name: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<string | null> {
  const names = withExtensions(name, env, platform)
  const isPath = platform === 'win32' ? /[/\\]/.test(name) : name.includes('/')
  const candidates = isPath ? names : foldersOf(env, platform).flatMap(folder => names.map(each => `${folder}/${each}`))
  for (const candidate of candidates) if (await isProgram(candidate)) return candidate
  return null
}

function foldersOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const path = platform === 'win32' ? win32 : posix
  return (valueOf(env, 'PATH', platform) ?? '').split(path.delimiter).filter(folder => path.isAbsolute(folder))
}

function withExtensions(name: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (platform !== 'win32' || /\.[a-z]{3}$/i.test(name)) return [name]
  const extensions = valueOf(env, 'PATHEXT', platform) ?? '.COM;.EXE;.BAT;.CMD'
  return extensions.split(';').map(extension => name + extension.toLowerCase())
}

/** Windows asks in any case (`Path`), which a copy of `process.env` has forgotten. */
function valueOf(env: NodeJS.ProcessEnv, name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return lookup(env, name)
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1]
}

async function isProgram(path: string): Promise<boolean> {
  try {
    if (!(await stat(path)).isFile()) return false
    await access(path, constants.X_OK)
    return true
  } catch {
    // A program that cannot be checked cannot be run either.
    return false
  }
}
