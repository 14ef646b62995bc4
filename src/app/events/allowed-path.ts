/** Limits the files that zotui reads because the agent named them to those that the user asked it to work on. */
import { realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { isWithin } from '../../platform/within.ts'

/**
 * The file as zot resolves the path (against its folder, without `~`), if it is in that folder or a temporary folder,
 * with links followed, or if the user named it in the prompt. Null for any other: an agent may name a pipe, another
 * user's file or one on a network, where reading has effects.
 */
export function allowedPath(name: string, folder: string, prompt: string): string | null {
  if (name === '' || name.includes('\0')) return null
  const file = path.resolve(folder, name)
  if (isNamed(file, prompt)) return file
  const roots = [path.resolve(folder), tmpdir(), '/tmp']
  // The name is checked first: links are followed only for a name that is allowed.
  const end = isWithinAny(file, roots) ? realPath(file) : null
  return end !== null && isWithinAny(end, roots.map(realPath)) ? file : null
}

/** Null for a file that is gone or cannot be read. */
function realPath(file: string): string | null {
  try {
    return realpathSync(file)
  } catch {
    return null
  }
}

function isWithinAny(file: string, folders: readonly (string | null)[]): boolean {
  return folders.some(folder => folder !== null && isWithin(folder, file))
}

function isNamed(file: string, prompt: string): boolean {
  const home = homedir()
  return prompt.includes(file) || (isWithin(home, file) && prompt.includes(`~${file.slice(home.length)}`))
}
