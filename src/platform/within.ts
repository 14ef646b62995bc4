/** Whether a file lies in a folder, by their paths alone: whoever follows links does so before. */
import { isAbsolute, relative, sep } from 'node:path'

/** The path from the folder, with slashes: '' for the folder itself, null for what does not lie in it. */
export function pathWithin(folder: string, file: string): string | null {
  const path = relative(folder, file)
  const isOutside = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
  return isOutside ? null : path.replaceAll(sep, '/')
}

/** The folder itself lies in it, too. */
export function isWithin(folder: string, file: string): boolean {
  return pathWithin(folder, file) !== null
}
