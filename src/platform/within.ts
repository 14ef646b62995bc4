/** Whether a file is in a folder, by the paths alone. The caller resolves links first. */
import { isAbsolute, relative, sep } from 'node:path'

/** The path from the folder, with slashes: '' for the folder itself, null for files outside of it. */
export function pathWithin(folder: string, file: string): string | null {
  const path = relative(folder, file)
  const isOutside = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
  return isOutside ? null : path.replaceAll(sep, '/')
}

/** Whether a path is in the folder or is the folder itself. */
export function isWithin(folder: string, file: string): boolean {
  return pathWithin(folder, file) !== null
}
