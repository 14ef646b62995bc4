/** Which files zotui looks at because the agent named them: those that the person asked it to work on, and no others. */
import { realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { isWithin } from '../../platform/within.ts'

/**
 * The file as zot resolves the path (against its folder, and with no `~`), where it lies in that folder or among temporary
 * files, links followed, or where the person named it in the prompt. Null for any other: an agent may name a pipe's, a
 * stranger's or a network's, and to look there is to do something.
 */
export function allowedPath(name: string, folder: string, prompt: string): string | null {
  if (name === '' || name.includes('\0')) return null
  const file = path.resolve(folder, name)
  if (isNamed(file, prompt)) return file
  const roots = [path.resolve(folder), tmpdir(), '/tmp']
  // Asked of the name first: only where that lies within is it looked at where it leads.
  const end = isWithinAny(file, roots) ? realPath(file) : null
  return end !== null && isWithinAny(end, roots.map(realPath)) ? file : null
}

/** Null for what is gone, or not ours to look at. */
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
